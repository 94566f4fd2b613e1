import { writeFileSync } from 'node:fs';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { certificatesOfPem } from '../shared/sealing/certificate.ts';
import { SealError } from '../shared/sealing/errors.ts';
import { prover } from '../shared/sealing/long-term/prove.ts';
import { renew } from '../shared/sealing/long-term/renew.ts';
import { PdfRefusal } from '../shared/sealing/pdf/refusal.ts';
import { timestamper } from '../shared/sealing/timestamp.ts';
import { authoritiesOf } from '../shared/stamping/configuration.ts';
import { guardedRetrieve } from '../shared/stamping/retrieve.ts';
import { resolveWith } from '../shared/webhooks/addresses.ts';
import { command } from './command.ts';
import { Failure, UsageError } from './errors.ts';
import type { Operator } from './operator.ts';
import { readGivenFile } from './seal-key.ts';

/** Files that were handed out at B-LTA are made to last longer; what the service stores never changes. */

async function renewed(file: Buffer, { clients, output, now, localFolder }: Operator): Promise<Buffer> {
  const { SecretString = '{}' } = await new SecretsManagerClient(clients).send(
    new GetSecretValueCommand({ SecretId: output('TimestampSecretArn') }),
  );
  const authorities = authoritiesOf(SecretString);
  const retrieve = guardedRetrieve({ development: localFolder !== undefined, resolve: resolveWith() });
  return renew(file, {
    prove: prover(retrieve, now),
    timestamp: timestamper(authorities, { now }),
    anchors: authorities.flatMap(({ caPem }) => certificatesOfPem(caPem)),
  });
}

function write(file: string, bytes: Buffer): void {
  try {
    writeFileSync(file, bytes, { flag: 'wx' });
  } catch {
    throw new UsageError(`The file ${file} exists already, or cannot be written.`);
  }
}

export const archiveCommands = [
  command({
    name: 'archive renew',
    summary: 'Add a document timestamp to a B-LTA file, before the certificate of its last one ends',
    args: ['file'],
    options: {
      out: { kind: 'text', value: 'FILE', help: 'Where to write the renewed file', required: true },
    },
    run: async ({ file, out }, operator) => {
      try {
        const bytes = await renewed(readGivenFile(file), operator);
        write(out, bytes);
        return { file: out, size: bytes.length };
      } catch (error) {
        if (!(error instanceof SealError || error instanceof PdfRefusal)) throw error;
        throw new Failure(`Nothing was written: ${error.message}`);
      }
    },
  }),
];
