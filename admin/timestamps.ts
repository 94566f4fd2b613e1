import { randomBytes, X509Certificate } from 'node:crypto';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { parseSecret } from '../shared/runtime/secrets.ts';
import { type Certificate, certificatesOfPem, oneLine } from '../shared/sealing/certificate.ts';
import { isValidAt } from '../shared/sealing/certificate-fields.ts';
import { TAGS } from '../shared/sealing/der.ts';
import { TimestampUnavailable } from '../shared/sealing/errors.ts';
import { timestamper } from '../shared/sealing/timestamp.ts';
import {
  authoritiesOf,
  type StoredAuthority,
  type TimestampSecret,
} from '../shared/stamping/configuration.ts';
import { command } from './command.ts';
import { Failure, UsageError } from './errors.ts';
import type { Operator } from './operator.ts';
import { confirmProvable } from './provable.ts';
import { readGivenFile, readVariable } from './seal-key.ts';
import { changeSecret, secretText } from './secret-versions.ts';
import { confirm } from './terminal.ts';

/** Timestamp authorities, tried in order until one gives a valid timestamp. */

/** Normalizes a URL, which can be written in several ways. */
const addressOf = (url: string) => (URL.canParse(url) ? new URL(url).href : url);
const isAt = (url: string) => (each: StoredAuthority) => addressOf(each.url) === addressOf(url);

/** The harm of a change, asked about before: it shows only later, at the next seal or the next look at an old file. */
function consequencesOf(known: readonly StoredAuthority[], changed: readonly StoredAuthority[]): string[] {
  const pinned = new Set(changed.flatMap(rootsOf).map(({ x509 }) => x509.fingerprint256));
  const dropped = known.flatMap(rootsOf).filter(({ x509 }) => !pinned.has(x509.fingerprint256));
  const names = [...new Set(dropped.map(subjectOf))].map((name) => `"${name}"`).join(' and ');
  const consequences: string[] = [];
  if (changed.length === 0)
    consequences.push('This is the last timestamp authority: without one nothing is sealed.');
  if (names)
    consequences.push(
      `No authority would have the root ${names}: files with timestamps under it fail "verify-audit" then, and cannot be renewed.`,
    );
  return consequences;
}

async function changeStored(
  { clients, output, terminal }: Operator,
  yes: boolean,
  change: (known: StoredAuthority[]) => StoredAuthority[],
) {
  const { authorities } = await changeSecret<TimestampSecret>(
    new SecretsManagerClient(clients),
    output('TimestampSecretArn'),
    async ({ authorities: known = [] }) => {
      const changed = change(known);
      const consequences = consequencesOf(known, changed);
      if (consequences.length > 0) await confirm(terminal, consequences.join(' '), yes);
      return { authorities: changed };
    },
  );
  return shown(authorities);
}

const shown = (authorities: readonly StoredAuthority[]) =>
  authorities.map((authority) => ({
    url: authority.url,
    login: Boolean(authority.username),
    policy_oid: authority.policy_oid ?? null,
    roots: rootsOf(authority).map((root) => ({
      subject: subjectOf(root),
      expires_at: root.notAfter.toISOString(),
    })),
  }));

const rootsOf = ({ ca_pem }: StoredAuthority) => certificatesOfPem(ca_pem);
const subjectOf = ({ x509 }: Certificate) => oneLine(x509.subject);

function checkUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError('--url must be an http or https address.');
  // URLs are shown and logged.
  if (url.username || url.password)
    throw new UsageError('--url must not contain a login; use --username and --password-env.');
}

function readRoots(file: string, now: Date): string {
  const pem = readCertificates(file);
  // Former ones stay, so that the files of their time can be verified.
  if (!certificatesOfPem(pem).some((certificate) => isValidAt(certificate, now)))
    throw new UsageError(`No certificate in ${file} is valid now.`);
  return pem;
}

/** Certificates as PEM, or one in DER, as most authorities publish theirs. Returns PEM. */
export function readCertificates(file: string): string {
  const bytes = readGivenFile(file);
  try {
    const pem = bytes[0] === TAGS.sequence ? new X509Certificate(bytes).toString() : bytes.toString('utf8');
    if (certificatesOfPem(pem).length > 0) return pem;
  } catch {
    throw new UsageError(`A certificate in ${file} cannot be read.`);
  }
  throw new UsageError(`There is no certificate in ${file}.`);
}

/** Requests a timestamp and verifies it as sealing would. */
async function tryOut(authority: StoredAuthority, yes: boolean, operator: Operator): Promise<void> {
  const stamp = timestamper(authoritiesOf(JSON.stringify({ authorities: [authority] })), {
    now: operator.now,
  });
  const { chain } = await stamp(randomBytes(32)).catch((error: unknown) => {
    if (!(error instanceof TimestampUnavailable)) throw error;
    const [attempt] = error.attempts;
    throw new Failure(`Nothing was stored: ${authority.url} gave no valid timestamp (${attempt?.fault}).`);
  });
  await confirmProvable(chain, 'seals would pass it over now', yes, operator);
}

const YES = {
  help: 'Do not ask before the last authority or a root goes, or one comes that seals would pass over',
} as const;

export const timestampCommands = [
  command({
    name: 'timestamp set',
    summary: 'Add a timestamp authority to the end of the list, or replace the one with this URL',
    options: {
      url: { value: 'URL', help: 'Its RFC 3161 endpoint', required: true },
      'ca-file': {
        value: 'FILE',
        help: 'File of the root certificates that its tokens must chain to: PEM, or one in DER',
        required: true,
      },
      username: { value: 'NAME', help: 'User name, if it requires a login' },
      'password-env': { value: 'NAME', help: 'The environment variable with the password' },
      'policy-oid': { value: 'OID', help: 'Accept only tokens under this policy' },
      yes: YES,
    },
    run: async (input, operator) => {
      checkUrl(input.url);
      if (input['policy-oid'] !== undefined && !/^[012](\.\d+)+$/.test(input['policy-oid']))
        throw new UsageError('--policy-oid must be an object identifier, like 1.2.3.4.');
      if ((input.username === undefined) !== (input['password-env'] === undefined))
        throw new UsageError('Give --username and --password-env together.');
      const password = input['password-env'] === undefined ? undefined : readVariable(input['password-env']);
      const authority: StoredAuthority = {
        url: input.url,
        ca_pem: readRoots(input['ca-file'], operator.now()),
        ...(input.username !== undefined && { username: input.username }),
        ...(password !== undefined && { password }),
        ...(input['policy-oid'] !== undefined && { policy_oid: input['policy-oid'] }),
      };
      await tryOut(authority, input.yes, operator);
      const isSame = isAt(authority.url);
      return changeStored(operator, input.yes, (known) =>
        known.some(isSame) ? known.map((each) => (isSame(each) ? authority : each)) : [...known, authority],
      );
    },
  }),
  command({
    name: 'timestamp remove',
    summary: 'Remove a timestamp authority',
    args: ['url'],
    options: { yes: YES },
    run: ({ url, yes }, operator) =>
      changeStored(operator, yes, (known) => {
        const isSame = isAt(url);
        const rest = known.filter((each) => !isSame(each));
        if (rest.length === known.length) throw new UsageError(`There is no timestamp authority ${url}.`);
        return rest;
      }),
  }),
  command({
    name: 'timestamp list',
    summary: 'List the timestamp authorities in the order they are tried',
    run: async (_input, operator) => {
      const secret = await secretText(operator, 'TimestampSecretArn');
      return shown(parseSecret<TimestampSecret>(secret).authorities ?? []);
    },
  }),
];
