import { SealError } from '../shared/sealing/errors.ts';
import { type Renewal, renew } from '../shared/sealing/long-term/renew.ts';
import { PdfRefusal } from '../shared/sealing/pdf/refusal.ts';
import { timestamper } from '../shared/sealing/timestamp.ts';
import { anchorsOf, authoritiesOf } from '../shared/stamping/configuration.ts';
import { renewNow } from '../shared/stamping/renew-stored.ts';
import { archiveOf, readArchive } from './archive-status.ts';
import { command } from './command.ts';
import { Failure, UsageError } from './errors.ts';
import { requireFree, writeNewFile } from './new-file.ts';
import { documentsOf, type Operator } from './operator.ts';
import { proverOf } from './provable.ts';
import { readGivenFile } from './seal-key.ts';
import { secretText } from './secret-versions.ts';

async function renewal(operator: Operator): Promise<Renewal> {
  const secret = await secretText(operator, 'TimestampSecretArn');
  const prove = proverOf(operator);
  return {
    prove,
    timestamp: timestamper(authoritiesOf(secret), { now: operator.now, prove }),
    anchors: anchorsOf(secret),
  };
}

/** A file that was handed out; what the service stores stays as it is. */
async function renewFile(file: string, out: string, operator: Operator) {
  requireFree(out);
  const given = readGivenFile(file);
  try {
    const bytes = await renew(given, await renewal(operator));
    writeNewFile(out, bytes);
    return { file: out, size: bytes.length };
  } catch (error) {
    if (!(error instanceof SealError || error instanceof PdfRefusal)) throw error;
    throw new Failure(`Nothing was written: ${error.message}`);
  }
}

async function renewStored(id: string, operator: Operator) {
  const { table, now } = operator;
  const attempt = await renewNow({ ...(await renewal(operator)), ...documentsOf(operator), table, now }, id);
  if (!attempt)
    throw new UsageError(
      `There is no request ${id} with files at B-LTA that an archive keeps. For a file at hand give --out too.`,
    );
  if (attempt.fault !== null) throw new Failure(`Nothing was renewed: ${attempt.fault}`);
  return archiveOf(id, operator);
}

export const archiveCommands = [
  command({
    name: 'archive status',
    summary:
      'Show which archived files are due for another timestamp, and why it failed; or those of one request',
    optionalArgs: ['request-id'],
    run: ({ 'request-id': id }, operator) =>
      id === undefined ? readArchive(operator) : archiveOf(id, operator),
  }),
  command({
    name: 'archive renew',
    summary: 'Add a document timestamp to the stored files of a request now, or to a file at hand',
    args: ['request-id-or-file'],
    options: {
      out: { value: 'FILE', help: 'Renew a file at hand, and write the result here' },
    },
    run: ({ 'request-id-or-file': what, out }, operator) =>
      out === undefined ? renewStored(what, operator) : renewFile(what, out, operator),
  }),
];
