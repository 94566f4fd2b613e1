import { readdirSync, readFileSync } from 'node:fs';
import { EVENT_TYPES } from '../../../shared/contract/events.ts';

const RULES = new URL('../../../shared/requests/', import.meta.url);
const source = readdirSync(RULES)
  .map((name) => readFileSync(new URL(name, RULES), 'utf8'))
  .join('');

it.each(EVENT_TYPES)('a rule in shared/requests/ sends the event %s', (type) => {
  expect(source).toContain(`type: '${type}'`);
});
