import { randomBytes } from 'node:crypto';
import { KMSClient } from '@aws-sdk/client-kms';
import { addMember } from '../shared/accounts/members.ts';
import { newOwner } from '../shared/accounts/new-owner.ts';
import { ApiError } from '../shared/contract/api-error.ts';
import { ROLES, type Role, SUBSCRIPTIONS } from '../shared/contract/fields.ts';
import { addOwner, changeOwner, listOwners, type Owner, type OwnerChanges } from '../shared/store/owners.ts';
import { tryWrite } from '../shared/store/table.ts';
import { addUser } from '../shared/store/users.ts';
import { checkAddress } from '../shared/webhooks/address-rules.ts';
import { encryptSecret, organizationContext } from '../shared/webhooks/secrets.ts';
import { makeSecret } from '../shared/webhooks/signature.ts';
import { addressOf, nameOf } from './arguments.ts';
import { command } from './command.ts';
import { UsageError } from './errors.ts';
import { byOperator, type Operator } from './operator.ts';
import { confirmEnd, forgetOtherDirection, rescheduleDocuments } from './retention.ts';
import type { Terminal } from './terminal.ts';
import { indexUsers, indexUsersOnce } from './user-index.ts';

/** Organizations, and users who own requests without an organization. */

const ON_OFF = ['on', 'off'] as const;

const SUBSCRIPTION = {
  choices: SUBSCRIPTIONS,
  help: 'Whether requests may be created; test requests need no subscription',
} as const;
const WEBHOOK_HELP = 'Receives events while no webhook endpoint exists; its secret is shown only once';

const NOTIFY_HELP = 'Where notices go about what happens to requests (docs/notices.md)';

const organizationJson = ({ id, name, subscription, archive, webhookUrl }: Owner) => ({
  organization_id: id,
  name,
  subscription,
  archive,
  webhook_url: webhookUrl,
});

const userJson = ({ id, name, subscription }: Owner) => ({ user_id: id, email: name, subscription });

async function askSubscription(terminal: Terminal): Promise<Owner['subscription']> {
  const answer = terminal.canAsk
    ? (await terminal.ask(`Subscription (${SUBSCRIPTIONS.join(', ')}) [none]: `)).toLowerCase() || 'none'
    : 'none';
  const chosen = SUBSCRIPTIONS.find((each) => each === answer);
  if (!chosen) throw new UsageError(`The subscription is one of ${SUBSCRIPTIONS.join(', ')}.`);
  return chosen;
}

/** Nobody should learn from the first refused call that a new owner has no subscription. */
function noteMissing(subscription: Owner['subscription'], command: string, terminal: Terminal): void {
  if (subscription !== 'active')
    terminal.note(
      `Without an active subscription, creating a request is refused with 402, except with test keys. "${command} ID --subscription active" changes that.`,
    );
}

const notifyAddress = (given: string | undefined) =>
  given === undefined ? undefined : given === 'none' ? null : addressOf('--notify', given);

async function addToOrganization(org: string, person: { email: string; role: Role }, operator: Operator) {
  await indexUsersOnce(operator);
  try {
    const { member } = await addMember(operator.table, org, person, byOperator(operator));
    return { user_id: member.userId, email: member.email, organization_id: org, role: member.role };
  } catch (error) {
    throw error instanceof ApiError ? new UsageError(error.message) : error;
  }
}

/** Creates a new secret for each address that is set; only its receiver gets to see it. */
async function newWebhook(url: string, ownerId: string, { clients, localFolder, output }: Operator) {
  const address = checkAddress(url, { development: localFolder !== undefined });
  if ('problem' in address) throw new UsageError(`--webhook-url ${address.problem}.`);
  const secret = makeSecret(randomBytes(32));
  const kms = new KMSClient(clients);
  const ciphertext = await encryptSecret(kms, output('WebhookKeyArn'), secret, organizationContext(ownerId));
  // Another receiver has not timed out yet.
  const webhook = { webhookUrl: url, webhookSecretCiphertext: ciphertext, timeouts: 0 } as const;
  return { webhook, secret };
}

/** Changes an owner of this type; rejects the id of an owner of the other type. */
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

const fromOnOff = (value: (typeof ON_OFF)[number] | undefined) =>
  value === undefined ? undefined : value === 'on';

/** Leaves out undefined fields, so that they stay unchanged. */
const defined = <T extends object>(changes: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

const NO_WEBHOOK = { webhookUrl: null, webhookSecretCiphertext: null };

export const ownerCommands = [
  command({
    name: 'org create',
    summary: 'Create an organization',
    options: {
      name: { value: 'NAME', required: true, help: 'The sender that signers see' },
      subscription: SUBSCRIPTION,
      archive: { help: 'Keep sealed documents forever' },
      'webhook-url': { value: 'URL', help: WEBHOOK_HELP },
    },
    run: async ({ name: given, subscription: asked, archive, 'webhook-url': url }, operator) => {
      const name = nameOf(given);
      const plain = newOwner({ type: 'organization', name, archive }, operator);
      const added = url === undefined ? undefined : await newWebhook(url, plain.id, operator);
      const subscription = asked ?? (await askSubscription(operator.terminal));
      const owner = { ...plain, subscription, ...added?.webhook };
      await addOwner(operator.table, owner);
      if (asked === undefined) noteMissing(subscription, 'org update', operator.terminal);
      return { ...organizationJson(owner), ...(added && { webhook_secret: added.secret }) };
    },
  }),
  command({
    name: 'org update',
    summary: 'Change an organization; options left out stay as they are',
    args: ['id'],
    options: {
      subscription: SUBSCRIPTION,
      archive: { choices: ON_OFF, help: 'Keep sealed documents forever' },
      'webhook-url': { value: 'URL|none', help: WEBHOOK_HELP },
      reminders: { choices: ON_OFF, help: 'Whether signers are reminded' },
      notify: { value: 'ADDRESS|none', help: NOTIFY_HELP },
      'signer-notices': {
        choices: ON_OFF,
        help: 'Whether signers are told that a request was cancelled, declined or has expired',
      },
      yes: { help: 'Do not ask before an archive ends' },
    },
    run: async (
      {
        id,
        subscription,
        archive,
        'webhook-url': url,
        reminders,
        notify,
        'signer-notices': signerNotices,
        yes,
      },
      operator,
    ) => {
      const toArchive = fromOnOff(archive);
      const changes = defined({
        subscription,
        archive: toArchive,
        reminders: fromOnOff(reminders),
        notify: notifyAddress(notify),
        signerNotices: fromOnOff(signerNotices),
      });
      const added = url === undefined || url === 'none' ? undefined : await newWebhook(url, id, operator);
      const webhook = url === 'none' ? NO_WEBHOOK : added?.webhook;
      if (archive === 'off') await confirmEnd(id, yes, operator);
      if (toArchive !== undefined) await forgetOtherDirection(id, toArchive, operator);
      let owner = await change('organization', id, changes, operator);
      if (archive !== undefined) await rescheduleDocuments(owner, operator);
      // Last, since the new secret is printed at the end: nobody would ever see that of an interrupted command.
      if (webhook) owner = await change('organization', id, webhook, operator);
      return { ...organizationJson(owner), ...(added && { webhook_secret: added.secret }) };
    },
  }),
  command({
    name: 'org rename',
    summary: 'Change the name that signers see; requests that exist keep the name they were sent under',
    args: ['id', 'name'],
    run: async ({ id, name }, operator) =>
      organizationJson(await change('organization', id, { name: nameOf(name, 'The name') }, operator)),
  }),
  command({
    name: 'org list',
    summary: 'List the organizations, oldest first',
    run: async (_input, { table }) =>
      (await listOwners(table)).filter(({ type }) => type === 'organization').map(organizationJson),
  }),
  command({
    name: 'user create',
    summary: 'Create a user, who owns requests of their own, or belongs to an organization',
    options: {
      email: { value: 'ADDRESS', required: true, help: 'The sender that signers see' },
      subscription: SUBSCRIPTION,
      org: { value: 'ID', help: 'An organization that the user, new or not, belongs to' },
      role: { choices: ROLES, help: 'The role there (default: member)' },
    },
    run: async ({ email: given, subscription: asked, org, role }, operator) => {
      const name = addressOf('--email', given);
      if (org === undefined && role !== undefined) throw new UsageError('--role needs --org.');
      if (org !== undefined && asked !== undefined)
        throw new UsageError(
          'Members use the organization’s subscription. For requests of their own, give --subscription to "user update".',
        );
      if (org !== undefined) return addToOrganization(org, { email: name, role: role ?? 'member' }, operator);
      const subscription = asked ?? (await askSubscription(operator.terminal));
      const owner = newOwner({ type: 'user', name, subscription }, operator);
      await indexUsersOnce(operator);
      if (!(await tryWrite(addUser(operator.table, owner))))
        throw new UsageError(`There is a user with the address ${name} already.`);
      if (asked === undefined) noteMissing(subscription, 'user update', operator.terminal);
      return userJson(owner);
    },
  }),
  command({
    name: 'user index',
    summary: 'Let the users of older versions sign in; the first "user create" does so too',
    run: async (_input, operator) => ({ users: await indexUsers(operator) }),
  }),
  command({
    name: 'user update',
    summary: 'Change a user; options left out stay as they are',
    args: ['id'],
    options: {
      subscription: SUBSCRIPTION,
      notify: { value: 'ADDRESS|none', help: NOTIFY_HELP },
    },
    run: async ({ id, subscription, notify }, operator) => {
      const changes = defined({ subscription, notify: notifyAddress(notify) });
      return userJson(await change('user', id, changes, operator));
    },
  }),
  command({
    name: 'user list',
    summary: 'List the users, oldest first',
    run: async (_input, { table }) =>
      (await listOwners(table)).filter(({ type }) => type === 'user').map(userJson),
  }),
];
