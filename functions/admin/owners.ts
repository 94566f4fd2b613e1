import { randomBytes } from 'node:crypto';
import { KMSClient } from '@aws-sdk/client-kms';
import { email, LIMITS, line } from '../../shared/contract/fields.ts';
import {
  addOwner,
  changeOwner,
  listOwners,
  type Owner,
  type OwnerChanges,
} from '../../shared/store/owners.ts';
import { checkAddress } from '../../shared/webhooks/address-rules.ts';
import { organizationContext, sealSecret } from '../../shared/webhooks/secrets.ts';
import { makeSecret } from '../../shared/webhooks/signature.ts';
import { command } from './command.ts';
import { UsageError } from './errors.ts';
import { newOwner } from './new-owner.ts';
import type { Operator } from './operator.ts';
import { rescheduleDocuments } from './retention.ts';

/** Organizations, and users who own requests alone. */

const ON_OFF = ['on', 'off'] as const;

const subscription = {
  kind: 'choice',
  choices: ['active', 'inactive', 'none'],
  help: 'Whether requests may be created; test requests need none',
} as const;
const webhookHelp = 'Where events go while there are no webhook endpoints; its secret is shown once';

const organizationJson = ({ id, name, subscription, archive, webhookUrl }: Owner) => ({
  organization_id: id,
  name,
  subscription,
  archive,
  webhook_url: webhookUrl,
});

const userJson = ({ id, name, subscription }: Owner) => ({ user_id: id, email: name, subscription });

const organizationName = (name: string): string => {
  const read = line('invalid_name', LIMITS.nameLength).safeParse(name);
  if (!read.success)
    throw new UsageError(`--name must be one line of at most ${LIMITS.nameLength} characters.`);
  return read.data;
};

const userEmail = (address: string): string => {
  const read = email.safeParse(address);
  if (!read.success) throw new UsageError(`"${address}" is not an e-mail address.`);
  return read.data;
};

interface Webhook {
  webhookUrl: string;
  webhookSecretCiphertext: string;
}

/** Every address that is set gets a secret of its own, which only its receiver ever sees. */
async function newWebhook(
  url: string,
  ownerId: string,
  { clients, localFolder, output }: Operator,
): Promise<{ webhook: Webhook; secret: string }> {
  const address = checkAddress(url, { development: localFolder !== undefined });
  if ('problem' in address) throw new UsageError(`--webhook-url ${address.problem}.`);
  const secret = makeSecret(randomBytes(32));
  const kms = new KMSClient(clients);
  const ciphertext = await sealSecret(kms, output('WebhookKeyArn'), secret, organizationContext(ownerId));
  return { webhook: { webhookUrl: url, webhookSecretCiphertext: ciphertext }, secret };
}

/** A change of an owner of the one kind; the other kind's ids name nothing here. */
async function change(
  type: Owner['type'],
  id: string,
  changes: OwnerChanges,
  { table }: Operator,
): Promise<Owner> {
  const owner = await changeOwner(table, id, type, changes);
  if (!owner) throw new UsageError(`There is no ${type} ${id}.`);
  return owner;
}

const switched = (value: (typeof ON_OFF)[number] | undefined) =>
  value === undefined ? undefined : value === 'on';

/** Only what was given changes. */
const given = <T extends object>(changes: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

const NO_WEBHOOK = { webhookUrl: null, webhookSecretCiphertext: null };

export const ownerCommands = [
  command({
    name: 'org create',
    summary: 'Create an organization',
    args: [],
    options: {
      name: { kind: 'text', value: 'NAME', required: true, help: 'What signers see as the sender' },
      subscription,
      archive: { kind: 'switch', help: 'Keep sealed documents without an end' },
      'webhook-url': { kind: 'text', value: 'URL', help: webhookHelp },
    },
    run: async ({ name, subscription = 'none', archive, 'webhook-url': url }, operator) => {
      const plain = newOwner(
        { type: 'organization', name: organizationName(name), subscription, archive },
        operator,
      );
      const added = url === undefined ? undefined : await newWebhook(url, plain.id, operator);
      const owner = { ...plain, ...added?.webhook };
      await addOwner(operator.table, owner);
      return { ...organizationJson(owner), ...(added && { webhook_secret: added.secret }) };
    },
  }),
  command({
    name: 'org update',
    summary: 'Change an organization; what is not given stays',
    args: ['id'],
    options: {
      subscription,
      archive: { kind: 'choice', choices: ON_OFF, help: 'Keep sealed documents without an end' },
      'webhook-url': { kind: 'text', value: 'URL|none', help: webhookHelp },
      reminders: { kind: 'choice', choices: ON_OFF, help: 'Whether signers are reminded' },
    },
    run: async ({ id, subscription, archive, 'webhook-url': url, reminders }, operator) => {
      const added = url === undefined || url === 'none' ? undefined : await newWebhook(url, id, operator);
      const changes = given({ subscription, archive: switched(archive), reminders: switched(reminders) });
      const webhook = url === 'none' ? NO_WEBHOOK : added?.webhook;
      const owner = await change('organization', id, { ...changes, ...webhook }, operator);
      if (archive !== undefined) await rescheduleDocuments(owner, operator);
      return { ...organizationJson(owner), ...(added && { webhook_secret: added.secret }) };
    },
  }),
  command({
    name: 'org list',
    summary: 'List the organizations, oldest first',
    args: [],
    options: {},
    run: async (_input, { table }) =>
      (await listOwners(table)).filter(({ type }) => type === 'organization').map(organizationJson),
  }),
  command({
    name: 'user create',
    summary: 'Create a user who owns requests alone',
    args: [],
    options: {
      email: { kind: 'text', value: 'ADDRESS', required: true, help: 'What signers see as the sender' },
      subscription,
    },
    run: async ({ email: address, subscription = 'none' }, operator) => {
      const owner = newOwner({ type: 'user', name: userEmail(address), subscription }, operator);
      await addOwner(operator.table, owner);
      return userJson(owner);
    },
  }),
  command({
    name: 'user update',
    summary: 'Change a user; what is not given stays',
    args: ['id'],
    options: { subscription },
    run: async ({ id, subscription }, operator) =>
      userJson(await change('user', id, given({ subscription }), operator)),
  }),
  command({
    name: 'user list',
    summary: 'List the users, oldest first',
    args: [],
    options: {},
    run: async (_input, { table }) =>
      (await listOwners(table)).filter(({ type }) => type === 'user').map(userJson),
  }),
];
