import { randomBytes } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { hashApiKey } from '../shared/accounts/api-key.ts';
import { createKey } from '../shared/accounts/keys.ts';
import { addMember } from '../shared/accounts/members.ts';
import { newOwner } from '../shared/accounts/new-owner.ts';
import { ApiError } from '../shared/contract/api-error.ts';
import { findApiKey } from '../shared/store/api-keys.ts';
import { addOwner, listOwners, type Owner } from '../shared/store/owners.ts';
import { command } from './command.ts';
import { demoAuthorityIn, makeDemoSealIdentity, toPkcs12 } from './demo-identity.ts';
import { demoPdf } from './demo-pdf.ts';
import { Failure, UsageError } from './errors.ts';
import { byOperator, type Operator } from './operator.ts';
import { changeSecret, secretText } from './secret-versions.ts';
import { readCertificates } from './timestamps.ts';

/** Sets up a local run for a first try: an organization with an API key, seal certificates, a timestamp authority. */

const ORGANIZATION = 'Demo Organization';
const USER = 'demo@example.com';

/** Returns the key of an earlier start from the data folder, so that every start prints the same one, or creates it. */
async function demoKey(folder: string, operator: Operator): Promise<string> {
  const file = join(folder, 'demo-key');
  const kept = readIfThere(file)?.trim();
  if (kept && (await isInUse(kept, operator))) return kept;
  const owner = await demoOrganization(operator);
  const { api_key: apiKey } = await createKey(owner, { mode: 'live', name: 'Demo' }, operator);
  writeFileSync(file, `${apiKey}\n`, { mode: 0o600 });
  return apiKey;
}

/** The one of an earlier start, which may have been interrupted before its key was kept, or a new one. */
async function demoOrganization(operator: Operator): Promise<Owner> {
  const known = (await listOwners(operator.table)).find(({ name }) => name === ORGANIZATION);
  if (known) return known;
  const owner = newOwner({ type: 'organization', name: ORGANIZATION, subscription: 'active' }, operator);
  await addOwner(operator.table, owner);
  return owner;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** An admin of the key's organization, who may be there from an earlier start. */
async function makeDemoUser(apiKey: string, operator: Operator): Promise<void> {
  const { table } = operator;
  const key = await findApiKey(table, hashApiKey(apiKey).keyId);
  if (!key) return;
  try {
    await addMember(table, key.ownerId, { email: USER, role: 'admin' }, byOperator(operator));
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'already_member')) throw error;
  }
}

/** False if the data was reset since, or the key was revoked. */
async function isInUse(apiKey: string, { table }: Operator): Promise<boolean> {
  const key = await findApiKey(table, hashApiKey(apiKey).keyId);
  return key !== undefined && !key.revokedAt;
}

/** Fills only empty seal secrets; existing certificates stay. */
async function makeSealIdentities(
  secrets: SecretsManagerClient,
  folder: string,
  operator: Operator,
): Promise<void> {
  const { output, now } = operator;
  const empty: { arn: string; test: boolean }[] = [];
  for (const [name, test] of [
    ['SealSecretArn', false],
    ['TestSealSecretArn', true],
  ] as const)
    if ((await secretText(operator, name)) === '{}') empty.push({ arn: output(name), test });
  if (empty.length === 0) return;
  const authority = demoAuthorityIn(join(folder, 'ca'));
  // Public: verifying a demo seal needs its own certificate, or its root. Those of an interrupted start, which may seal, stay.
  appendFileSync(join(folder, 'demo-ca.pem'), authority.root.certificate);
  for (const { arn, test } of empty) {
    const passphrase = randomBytes(24).toString('base64url');
    const identity = makeDemoSealIdentity(authority, { now: now(), test });
    const p12 = toPkcs12(identity, authority.root, passphrase).toString('base64');
    appendFileSync(join(folder, 'demo-seals.pem'), identity.certificate);
    await changeSecret(secrets, arn, async () => ({ p12_base64: p12, passphrase }));
  }
}

/** The authority in TSA_URL and TSA_CA if set, otherwise the local run's own. */
function timestampAuthority(): { url: string; caFile: string } | undefined {
  for (const prefix of ['', 'LOCAL_']) {
    const url = process.env[`${prefix}TSA_URL`];
    const caFile = process.env[`${prefix}TSA_CA`];
    if (url && caFile) return { url, caFile };
    if (url)
      throw new UsageError(
        `${prefix}TSA_URL needs ${prefix}TSA_CA: the file with the authority’s root certificate.`,
      );
  }
  return undefined;
}

async function configureTimestamps(secrets: SecretsManagerClient, { output }: Operator): Promise<void> {
  const authority = timestampAuthority();
  if (!authority) return;
  const value = { authorities: [{ url: authority.url, ca_pem: readCertificates(authority.caFile) }] };
  await changeSecret(secrets, output('TimestampSecretArn'), async () => value);
}

const firstCall = (baseUrl: string, apiKey: string) => {
  const body = {
    title: 'First contract',
    signers: [{ email: 'anna@example.com', name: 'Anna Example' }],
    document: { filename: 'contract.pdf', content_base64: demoPdf('A first contract').toString('base64') },
  };
  return [
    `curl -sS ${baseUrl}/api/v1/signatures`,
    `-H 'Authorization: Bearer ${apiKey}'`,
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify(body)}'`,
  ].join(' \\\n  ');
};

export const demoCommands = [
  command({
    name: 'demo',
    summary: 'Set up the local run: an organization with an API key, certificates, timestamps',
    run: async (_input, operator) => {
      const folder = operator.localFolder;
      if (!folder)
        throw new Failure('"demo" needs a local run: a deployed service must not get demo certificates.');
      const secrets = new SecretsManagerClient(operator.clients);
      await configureTimestamps(secrets, operator);
      await makeSealIdentities(secrets, folder, operator);
      const apiKey = await demoKey(folder, operator);
      await makeDemoUser(apiKey, operator);
      return {
        rows: [
          ['Organization', ORGANIZATION],
          ['API key', apiKey],
          ['Dashboard', `${operator.output('BaseUrl')}/app`],
          ['Sign in as', `${USER}, with the code from the inbox`],
        ],
        curl: firstCall(operator.output('BaseUrl'), apiKey),
        run: { api_key: apiKey },
      };
    },
  }),
];
