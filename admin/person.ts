import { email as emailSchema } from '../shared/contract/fields.ts';
import { command } from './command.ts';
import { UsageError } from './errors.ts';
import { confirmPurge, erasePersonalData } from './person-erase.ts';
import { exportPersonalData } from './person-export.ts';
import { indexOnce, indexSigners } from './person-index.ts';

/** Requests of a data subject: a copy of their data, and its erasure. docs/privacy.md lists where data is stored. */

const EMAIL = { kind: 'text', value: 'ADDRESS', help: 'The address of a signer', required: true } as const;

/** As addresses are stored. */
function normalized(given: string): string {
  const { data } = emailSchema.safeParse(given);
  if (data === undefined) throw new UsageError('--email must be an e-mail address.');
  return data;
}

export const personCommands = [
  command({
    name: 'person export',
    summary: 'Print everything that is held about a signer, without secrets and other people’s data',
    args: [],
    options: { email: EMAIL },
    run: async ({ email }, operator) => {
      await indexOnce(operator);
      return exportPersonalData(normalized(email), operator);
    },
  }),
  command({
    name: 'person erase',
    summary: 'Erase a signer from every request that has ended; docs/privacy.md says what stays where',
    args: [],
    options: {
      email: EMAIL,
      purge: { kind: 'switch', help: 'First remove the files that still exist, archived ones too' },
      yes: { kind: 'switch', help: 'Do not ask before files are removed' },
    },
    run: async ({ email, purge, yes }, operator) => {
      await indexOnce(operator);
      if (purge) await confirmPurge(normalized(email), yes, operator);
      const report = await erasePersonalData(normalized(email), { purge }, operator);
      if (!report.complete) operator.terminal.badNews();
      return report;
    },
  }),
  command({
    name: 'person index',
    summary:
      'Make the requests of older versions findable by signer, title and reference; the first export or erasure does so too',
    args: [],
    options: {},
    run: async (_input, operator) => ({ requests: await indexSigners(operator) }),
  }),
];
