import { randomBytes } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { certificatesOfPem, isValidAt } from '../../shared/sealing/certificate.ts';
import { authoritiesOf } from '../../shared/sealing/configuration.ts';
import { TimestampUnavailable } from '../../shared/sealing/errors.ts';
import { timestamper } from '../../shared/sealing/timestamp.ts';
import { command } from './command.ts';
import { Failure, UsageError } from './errors.ts';
import type { Operator } from './operator.ts';
import { readGivenFile, readVariable, writeSecret } from './seal-key.ts';

/** Timestamp authorities, asked in their order until one answers well. */

/** As the secret holds one. */
interface Stored {
  url: string;
  ca_pem: string;
  username?: string;
  password?: string;
  policy_oid?: string;
}

async function readStored({ clients, output }: Operator): Promise<Stored[]> {
  const { SecretString = '{}' } = await new SecretsManagerClient(clients).send(
    new GetSecretValueCommand({ SecretId: output('TimestampSecretArn') }),
  );
  return (JSON.parse(SecretString) as { authorities?: Stored[] }).authorities ?? [];
}

/** An address may be written in several ways. */
const addressOf = (url: string) => (URL.canParse(url) ? new URL(url).href : url);
const isAt = (url: string) => (each: Stored) => addressOf(each.url) === addressOf(url);

const store = async (operator: Operator, authorities: Stored[]) => {
  await writeSecret(operator, 'TimestampSecretArn', { authorities });
  return shown(authorities);
};

const shown = (authorities: readonly Stored[]) =>
  authorities.map(({ url, username, policy_oid: policy = null }) => ({
    url,
    login: Boolean(username),
    policy_oid: policy,
  }));

function checkUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError('--url must be an http or https address.');
  // Addresses are shown and logged.
  if (url.username || url.password)
    throw new UsageError('--url must not hold a login; give it by --username and --password-env.');
}

function readRoots(file: string, now: Date): string {
  const pem = readGivenFile(file).toString('utf8');
  const certificates = certificatesIn(pem);
  if (certificates.length === 0) throw new UsageError(`There is no certificate in ${file}.`);
  const over = certificates.find((certificate) => !isValidAt(certificate, now));
  if (over) throw new UsageError(`${over.x509.subject.split('\n').join(', ')} in ${file} is not valid now.`);
  return pem;
}

function certificatesIn(pem: string) {
  try {
    return certificatesOfPem(pem);
  } catch {
    return [];
  }
}

/** Asks for a timestamp and checks it as the seal would. */
async function tryOut(authority: Stored, now: () => Date): Promise<void> {
  const stamp = timestamper(authoritiesOf(JSON.stringify({ authorities: [authority] })), { now });
  await stamp(randomBytes(32)).catch((error: unknown) => {
    if (!(error instanceof TimestampUnavailable)) throw error;
    const [attempt] = error.attempts;
    throw new Failure(
      `Nothing was stored: no good timestamp came from ${authority.url} (${attempt?.fault}).`,
    );
  });
}

export const timestampCommands = [
  command({
    name: 'timestamp set',
    summary: 'Add a timestamp authority after those there are, or change the one at this URL',
    args: [],
    options: {
      url: { kind: 'text', value: 'URL', help: 'Where it answers RFC 3161 requests', required: true },
      'ca-file': {
        kind: 'text',
        value: 'FILE',
        help: 'PEM of the certificates that its tokens must lead to',
        required: true,
      },
      username: { kind: 'text', value: 'NAME', help: 'Where it asks for a login' },
      'password-env': {
        kind: 'text',
        value: 'NAME',
        help: 'The environment variable that holds the password',
      },
      'policy-oid': { kind: 'text', value: 'OID', help: 'Take tokens under this policy only' },
    },
    run: async (input, operator) => {
      checkUrl(input.url);
      if (input['policy-oid'] !== undefined && !/^[012](\.\d+)+$/.test(input['policy-oid']))
        throw new UsageError('--policy-oid must be an object identifier, like 1.2.3.4.');
      if ((input.username === undefined) !== (input['password-env'] === undefined))
        throw new UsageError('Give --username and --password-env together.');
      const password = input['password-env'] === undefined ? undefined : readVariable(input['password-env']);
      const authority: Stored = {
        url: input.url,
        ca_pem: readRoots(input['ca-file'], operator.now()),
        ...(input.username !== undefined && { username: input.username }),
        ...(password !== undefined && { password }),
        ...(input['policy-oid'] !== undefined && { policy_oid: input['policy-oid'] }),
      };
      await tryOut(authority, operator.now);
      const known = await readStored(operator);
      const isSame = isAt(authority.url);
      const next = known.some(isSame)
        ? known.map((each) => (isSame(each) ? authority : each))
        : [...known, authority];
      return store(operator, next);
    },
  }),
  command({
    name: 'timestamp remove',
    summary: 'Ask a timestamp authority no more',
    args: ['url'],
    options: {},
    run: async ({ url }, operator) => {
      const known = await readStored(operator);
      const isSame = isAt(url);
      const rest = known.filter((each) => !isSame(each));
      if (rest.length === known.length) throw new UsageError(`There is no timestamp authority ${url}.`);
      return store(operator, rest);
    },
  }),
  command({
    name: 'timestamp list',
    summary: 'List the timestamp authorities in the order they are asked in',
    args: [],
    options: {},
    run: async (_input, operator) => shown(await readStored(operator)),
  }),
];
