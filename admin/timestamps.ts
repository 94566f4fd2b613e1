import { randomBytes } from 'node:crypto';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { parseSecret } from '../shared/runtime/secrets.ts';
import { certificatesOfPem } from '../shared/sealing/certificate.ts';
import { isValidAt } from '../shared/sealing/certificate-fields.ts';
import { TimestampUnavailable } from '../shared/sealing/errors.ts';
import { timestamper } from '../shared/sealing/timestamp.ts';
import { authoritiesOf } from '../shared/stamping/configuration.ts';
import { command } from './command.ts';
import { Failure, UsageError } from './errors.ts';
import type { Operator } from './operator.ts';
import { readGivenFile, readVariable } from './seal-key.ts';
import { changeSecret, secretText } from './secret-versions.ts';
import { confirm } from './terminal.ts';

/** Timestamp authorities, tried in order until one gives a valid timestamp. */

/** An authority as the secret stores it. */
interface Stored {
  url: string;
  ca_pem: string;
  username?: string;
  password?: string;
  policy_oid?: string;
}

async function readStored(operator: Operator): Promise<Stored[]> {
  const secret = await secretText(operator, 'TimestampSecretArn');
  return parseSecret<{ authorities: Stored[] }>(secret).authorities ?? [];
}

/** Normalizes a URL, which can be written in several ways. */
const addressOf = (url: string) => (URL.canParse(url) ? new URL(url).href : url);
const isAt = (url: string) => (each: Stored) => addressOf(each.url) === addressOf(url);

async function changeStored(
  { clients, output }: Operator,
  change: (known: Stored[]) => Stored[] | Promise<Stored[]>,
) {
  const { authorities } = await changeSecret<{ authorities: Stored[] }>(
    new SecretsManagerClient(clients),
    output('TimestampSecretArn'),
    async ({ authorities: known = [] }) => ({ authorities: await change(known) }),
  );
  return shown(authorities);
}

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
  // URLs are shown and logged.
  if (url.username || url.password)
    throw new UsageError('--url must not contain a login; use --username and --password-env.');
}

function readRoots(file: string, now: Date): string {
  const pem = readGivenFile(file).toString('utf8');
  const certificates = certificatesIn(pem);
  if (certificates.length === 0) throw new UsageError(`There is no certificate in ${file}.`);
  // Former ones stay, so that the files of their time can be verified.
  if (!certificates.some((certificate) => isValidAt(certificate, now)))
    throw new UsageError(`No certificate in ${file} is valid now.`);
  return pem;
}

function certificatesIn(pem: string) {
  try {
    return certificatesOfPem(pem);
  } catch {
    return [];
  }
}

/** Requests a timestamp and verifies it as sealing would. */
async function tryOut(authority: Stored, now: () => Date): Promise<void> {
  const stamp = timestamper(authoritiesOf(JSON.stringify({ authorities: [authority] })), { now });
  await stamp(randomBytes(32)).catch((error: unknown) => {
    if (!(error instanceof TimestampUnavailable)) throw error;
    const [attempt] = error.attempts;
    throw new Failure(`Nothing was stored: ${authority.url} gave no valid timestamp (${attempt?.fault}).`);
  });
}

export const timestampCommands = [
  command({
    name: 'timestamp set',
    summary: 'Add a timestamp authority to the end of the list, or replace the one with this URL',
    options: {
      url: { kind: 'text', value: 'URL', help: 'Its RFC 3161 endpoint', required: true },
      'ca-file': {
        kind: 'text',
        value: 'FILE',
        help: 'PEM file of the root certificates that its tokens must chain to',
        required: true,
      },
      username: { kind: 'text', value: 'NAME', help: 'User name, if it requires a login' },
      'password-env': {
        kind: 'text',
        value: 'NAME',
        help: 'The environment variable with the password',
      },
      'policy-oid': { kind: 'text', value: 'OID', help: 'Accept only tokens under this policy' },
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
      const isSame = isAt(authority.url);
      return changeStored(operator, (known) =>
        known.some(isSame) ? known.map((each) => (isSame(each) ? authority : each)) : [...known, authority],
      );
    },
  }),
  command({
    name: 'timestamp remove',
    summary: 'Remove a timestamp authority',
    args: ['url'],
    options: { yes: { kind: 'switch', help: 'Do not ask before the last one goes' } },
    run: ({ url, yes }, operator) =>
      changeStored(operator, async (known) => {
        const isSame = isAt(url);
        const rest = known.filter((each) => !isSame(each));
        if (rest.length === known.length) throw new UsageError(`There is no timestamp authority ${url}.`);
        if (rest.length === 0)
          await confirm(
            operator.terminal,
            'This is the last timestamp authority: without one nothing is sealed.',
            yes,
          );
        return rest;
      }),
  }),
  command({
    name: 'timestamp list',
    summary: 'List the timestamp authorities in the order they are tried',
    run: async (_input, operator) => shown(await readStored(operator)),
  }),
];
