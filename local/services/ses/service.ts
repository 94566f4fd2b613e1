/**
 * SES v1 in its query protocol: SendEmail, authorized as in the sandbox. Every address counts as verified. A recipient whose local part is `reject` is
 * refused with MessageRejected; every other mail is stored in the inbox. Mails to the mailbox simulator come back.
 */
import { decodeWords } from 'postal-mime';
import type { Location, StoredMail } from '../../ports.ts';
import type { Elsewhere } from '../elsewhere.ts';
import type { Permission } from '../iam/authorization.ts';
import { type Call, type Prepared, type Service, ServiceError } from '../service.ts';
import { toXml, XML_ERRORS } from '../xml.ts';
import type { Mails, Sent } from './mails.ts';
import type { ReturnedMails } from './returned-mails.ts';

const NAMESPACE = 'http://ses.amazonaws.com/doc/2010-12-01/';
const MAX_RECIPIENTS = 50;
/** Of a sender or recipient, with its name as encoded. */
const MAX_ADDRESS_LENGTH = 320;

type NewMail = Omit<StoredMail, 'id' | 'sent_at'>;

/** With `other`, each mail is sent through another SES too, and only mails that it accepts reach the inbox. */
export function sesService(
  mails: Mails,
  returned: ReturnedMails,
  other: Elsewhere | undefined,
  location: Location,
): Service {
  const sendElsewhere = other && sender(other);
  return {
    name: 'ses',
    operations: ['SendEmail'],
    operationOf: (_head, body) =>
      new URLSearchParams(body.toString()).get('Action') === 'SendEmail' ? 'SendEmail' : undefined,
    prepare: (call) => prepare(call, { mails, returned, sendElsewhere, location }),
    ...XML_ERRORS,
    unknownOperation: (message) => new ServiceError('InvalidAction', message),
  };
}

interface Parts {
  mails: Mails;
  returned: ReturnedMails;
  sendElsewhere: ((form: URLSearchParams, from: string) => Promise<void>) | undefined;
  location: Location;
}

function prepare(call: Call, { mails, returned, sendElsewhere, location }: Parts): Prepared {
  const form = new URLSearchParams(call.body.toString());
  const mail = readMail(form);
  return {
    permissions: sendPermissions(mail, form, location),
    run: async () => {
      const publishing = readPublishing(form);
      const { configurationSet: set } = publishing;
      if (set !== undefined && !returned.hasConfigurationSet(set))
        throw new ServiceError('ConfigurationSetDoesNotExist', `Configuration set <${set}> does not exist.`);
      for (const address of members(form, 'ReplyToAddresses')) assertAddress(address);
      const sendable = validated(mail);
      await sendElsewhere?.(form, bareAddress(mail.from));
      const id = mails.store(sendable, publishing);
      returned.simulate({ id, to: mail.to.map(bareAddress) });
      return {
        status: 200,
        headers: { 'content-type': 'text/xml' },
        body: toXml({
          [`SendEmailResponse xmlns="${NAMESPACE}"`]: {
            SendEmailResult: { MessageId: id },
            ResponseMetadata: { RequestId: call.requestId },
          },
        }),
      };
    },
  };
}

/** Verifies each sender there first, as every address counts as verified here. The set is left out: events are published from here. */
function sender({ form: post }: Elsewhere) {
  const verified = new Map<string, Promise<string>>();
  return async (form: URLSearchParams, from: string): Promise<void> => {
    const verifying =
      verified.get(from) ??
      post(new URLSearchParams({ Action: 'VerifyEmailIdentity', EmailAddress: from, Version: '2010-12-01' }));
    verified.set(from, verifying);
    verifying.catch(() => verified.delete(from));
    await verifying;
    const fields = new URLSearchParams(form);
    fields.delete('ConfigurationSetName');
    await post(fields);
  };
}

function readPublishing(form: URLSearchParams): Omit<Sent, 'mail'> {
  const tags: Record<string, string> = {};
  for (let n = 1; form.has(`Tags.member.${n}.Name`); n++) {
    const [name, value] = ['Name', 'Value'].map((part) => form.get(`Tags.member.${n}.${part}`) ?? '');
    for (const text of [name, value])
      if (!/^[\w-]{1,256}$/.test(text ?? ''))
        throw invalid(
          `Invalid message tag <${text}>: only letters, digits, underscores and dashes are allowed.`,
        );
    tags[name ?? ''] = value ?? '';
  }
  return { configurationSet: form.get('ConfigurationSetName') ?? undefined, tags };
}

function readMail(form: URLSearchParams): NewMail {
  const value = (name: string) => form.get(name) ?? '';
  const to = ['To', 'Cc', 'Bcc'].flatMap((kind) => members(form, `Destination.${kind}Addresses`));
  if (!form.has('Message.Body.Text.Data') && !form.has('Message.Body.Html.Data')) {
    throw invalid('Message.Body must have a Text or an Html part');
  }
  return {
    from: value('Source'),
    to,
    subject: value('Message.Subject.Data'),
    text: value('Message.Body.Text.Data'),
    html: value('Message.Body.Html.Data'),
  };
}

function members(form: URLSearchParams, list: string): string[] {
  const found: string[] = [];
  for (let n = 1; form.has(`${list}.member.${n}`); n++) found.push(form.get(`${list}.member.${n}`) ?? '');
  return found;
}

const invalid = (message: string) => new ServiceError('InvalidParameterValue', message);

/** Applies SES's checks, and decodes the sender as a mail client shows it. */
function validated(mail: NewMail): NewMail {
  if (mail.to.length === 0) throw invalid('Missing final recipients');
  if (mail.to.length > MAX_RECIPIENTS) throw invalid(`Recipient count exceeds ${MAX_RECIPIENTS}.`);
  for (const field of [mail.from, mail.subject, ...mail.to]) {
    if (/[\r\n]/.test(field)) throw invalid('Header fields must not contain line breaks');
  }
  for (const address of [mail.from, ...mail.to]) assertAddress(address);
  if (mail.to.some((address) => bareAddress(address).startsWith('reject@'))) {
    throw new ServiceError('MessageRejected', 'Email address is on the suppression list for your account.');
  }
  return { ...mail, from: decodeWords(mail.from) };
}

function assertAddress(text: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: SES takes ASCII only; other names must be encoded words
  if (!/^[\x00-\x7f]*$/.test(text)) throw invalid(`Local address contains control or whitespace: ${text}`);
  if (text.length > MAX_ADDRESS_LENGTH)
    throw invalid(`Address length is more than ${MAX_ADDRESS_LENGTH} bytes long: ${text}`);
  if (!/^[^\s@<>"(),;:]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(bareAddress(text)))
    throw invalid(`Illegal address: ${text}`);
}

const bareAddress = (text: string) => (/<([^<>]*)>\s*$/.exec(text)?.[1] ?? text).trim().toLowerCase();

function sendPermissions(
  { from, to }: NewMail,
  form: URLSearchParams,
  { region, account }: Location,
): Permission[] {
  const action = 'ses:SendEmail';
  const address = bareAddress(from);
  const arn = (kind: string, name: string) => `arn:aws:ses:${region}:${account}:${kind}/${name}`;
  const context = { 'ses:FromAddress': [address] };
  // The verified identity may be the address or its domain.
  const identities = (of: string) => [arn('identity', of), arn('identity', of.split('@')[1] ?? '')];
  const configurationSet = form.get('ConfigurationSetName');
  return [
    // The sandbox, in which every account starts, authorizes the recipients' identities as well.
    ...[address, ...to.map(bareAddress)].map((each) => ({ action, resources: identities(each), context })),
    ...(configurationSet
      ? [{ action, resources: [arn('configuration-set', configurationSet)], context }]
      : []),
  ];
}
