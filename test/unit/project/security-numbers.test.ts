import { readFileSync } from 'node:fs';
import { MAX_BODIES_PER_NETWORK } from '../../../functions/ingest/ingest.ts';
import { MAX_ATTEMPTS } from '../../../shared/requests/codes.ts';
import { DAY } from '../../../shared/runtime/time.ts';
import { BROWSER_KNOWN_MS } from '../../../shared/store/sign-ins.ts';
import { CODES_OF_ADDRESS, CODES_OF_NETWORK } from '../../../shared/verification/sign-in/request-code.ts';

const page = readFileSync('docs/security.md', 'utf8').replaceAll('\n', ' ');
const WORDS = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

it.each([
  `at most ${CODES_OF_ADDRESS} codes within any 24 hours, and at most ${CODES_OF_NETWORK} from one network`,
  `at most ${CODES_OF_ADDRESS * MAX_ATTEMPTS} guesses of a million for an address in a day`,
  `within the last ${BROWSER_KNOWN_MS / DAY} days`,
  `gets ${CODES_OF_NETWORK} codes within 24 hours, however many were asked for elsewhere`,
  `takes at most ${WORDS[MAX_BODIES_PER_NETWORK]} bodies at a time from one network`,
])('docs/security.md still promises: %s', (promise) => {
  expect(page).toContain(promise);
});
