import { addressOf } from './arguments.ts';
import { command } from './command.ts';
import { confirmPurge, erasePersonalData } from './person-erase.ts';
import { exportPersonalData } from './person-export.ts';
import { indexOnce, indexSigners } from './person-index.ts';

/** Requests of a data subject: a copy of their data, and its erasure. docs/privacy.md lists where data is stored. */

const EMAIL = { value: 'ADDRESS', help: 'The address of a signer or user', required: true } as const;

export const personCommands = [
  command({
    name: 'person export',
    summary:
      'Print everything that is held about a signer or a user of the dashboard, without secrets and other people’s data',
    options: { email: EMAIL },
    run: async ({ email: given }, operator) => {
      const email = addressOf('--email', given);
      await indexOnce(operator);
      return exportPersonalData(email, operator);
    },
  }),
  command({
    name: 'person erase',
    summary: 'Erase a signer from every request that has ended; docs/privacy.md says what stays where',
    options: {
      email: EMAIL,
      purge: { help: 'First remove the files that still exist, archived ones too' },
      yes: { help: 'Do not ask before files are removed' },
    },
    run: async ({ email: given, purge, yes }, operator) => {
      const email = addressOf('--email', given);
      const isIndexed = await indexOnce(operator);
      if (purge) await confirmPurge(email, yes, operator);
      const report = await erasePersonalData(email, { purge }, operator);
      const complete = report.complete && isIndexed;
      if (!complete) operator.terminal.badNews();
      return { ...report, complete };
    },
  }),
  command({
    name: 'person index',
    summary:
      'Make the requests of older versions findable by signer, title and reference; the first export or erasure does so too',
    run: async (_input, operator) => ({ requests: await indexSigners(operator) }),
  }),
];
