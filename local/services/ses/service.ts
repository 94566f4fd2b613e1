import PostalMime, { decodeWords } from 'postal-mime';
import type { StoredMail } from '../../ports.ts';
import type { Permission } from '../iam/authorization.ts';
import { type Call, type Prepared, type Service, ServiceError } from '../service.ts';
import type { AuthenticationFailureKind } from '../signatures.ts';
import { toXml, type XmlValue } from '../xml.ts';
import type { Mails } from './mails.ts';

/**
 * SES v1 in its query protocol. Every sender counts as verified. A recipient whose local part is `reject` is refused
 * with MessageRejected; every other mail lands in the inbox.
 */

const maxRecipients = 50;
const maxMessageBytes = 40 * 1024 * 1024;
const daily = 50_000;

type Draft = Omit<StoredMail, 'id' | 'sent_at'>;

export interface SesNaming {
  region: string;
  account: string;
}

const authenticationCodes: Record<AuthenticationFailureKind, string> = {
  missing: 'MissingAuthenticationToken',
  malformed: 'IncompleteSignature',
  'unknown-key': 'InvalidClientTokenId',
  mismatch: 'SignatureDoesNotMatch',
  skewed: 'SignatureDoesNotMatch',
  expired: 'SignatureDoesNotMatch',
};

const operations = new Set(['SendEmail', 'SendRawEmail', 'GetSendQuota']);

export function sesService(mails: Mails, naming: SesNaming): Service {
  return {
    name: 'ses',
    streams: false,
    operationOf: (_head, body) => {
      const action = new URLSearchParams(body.toString()).get('Action') ?? '';
      return operations.has(action) ? action : undefined;
    },
    prepare: (call) => prepare(call, mails, naming),
    authenticationError: ({ kind, message }) => new ServiceError(authenticationCodes[kind], message, 403),
    accessDenied: (message) => new ServiceError('AccessDenied', message, 403),
    unknownOperation: (message) => new ServiceError('InvalidAction', message, 400),
    errorAnswer: ({ code, message, status }, requestId) => ({
      status,
      headers: { 'content-type': 'text/xml' },
      body: toXml({
        'ErrorResponse xmlns="http://ses.amazonaws.com/doc/2010-12-01/"': {
          Error: { Type: status < 500 ? 'Sender' : 'Receiver', Code: code, Message: message },
          RequestId: requestId,
        },
      }),
    }),
  };
}

function prepare(call: Call, mails: Mails, naming: SesNaming): Prepared {
  const form = new URLSearchParams(call.body.toString());
  if (call.operation === 'GetSendQuota') {
    return {
      permissions: [{ action: 'ses:GetSendQuota', resources: ['*'], context: { values: {} } }],
      run: async () =>
        result(call, { Max24HourSend: daily, MaxSendRate: 14, SentLast24Hours: mails.sentInLastDay() }),
    };
  }
  if (call.operation === 'SendEmail') {
    const draft = formDraft(form);
    return {
      permissions: sendPermissions('ses:SendEmail', draft.from, draft.to, form, naming),
      run: async () => result(call, { MessageId: mails.store(accepted(draft)) }),
    };
  }
  const raw = Buffer.from(form.get('RawMessage.Data') ?? '', 'base64');
  const from = form.get('Source') ?? rawHeader(raw, 'from');
  const destinations = members(form, 'Destinations');
  return {
    permissions: sendPermissions('ses:SendRawEmail', from, destinations, form, naming),
    run: async () =>
      result(call, { MessageId: mails.store(accepted(await rawDraft(raw, from, destinations))) }),
  };
}

function result(call: Call, content: { [tag: string]: XmlValue }) {
  return {
    status: 200,
    headers: { 'content-type': 'text/xml' },
    body: toXml({
      [`${call.operation}Response xmlns="http://ses.amazonaws.com/doc/2010-12-01/"`]: {
        [`${call.operation}Result`]: content,
        ResponseMetadata: { RequestId: call.requestId },
      },
    }),
  };
}

function formDraft(form: URLSearchParams): Draft {
  const bare = (name: string) => form.get(name) ?? '';
  const to = ['To', 'Cc', 'Bcc'].flatMap((kind) => members(form, `Destination.${kind}Addresses`));
  if (!form.has('Message.Body.Text.Data') && !form.has('Message.Body.Html.Data')) {
    throw invalid('Message.Body must have a Text or an Html part');
  }
  return {
    from: bare('Source'),
    to,
    subject: bare('Message.Subject.Data'),
    text: bare('Message.Body.Text.Data'),
    html: bare('Message.Body.Html.Data'),
  };
}

async function rawDraft(raw: Buffer, from: string, destinations: string[]): Promise<Draft> {
  if (raw.length === 0) throw invalid('RawMessage.Data is empty');
  const mail = await PostalMime.parse(raw);
  const inHeaders = [mail.to, mail.cc, mail.bcc]
    .flatMap((list) => list ?? [])
    .flatMap(({ address }) => address ?? []);
  return {
    from,
    to: destinations.length > 0 ? destinations : inHeaders,
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? '',
  };
}

/** The header as it stands, unfolded: who sends must be known before IAM is asked. */
function rawHeader(raw: Buffer, name: string): string {
  const head = raw.toString('utf8').split(/\r?\n\r?\n/, 1)[0] ?? '';
  const lines = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  return (
    lines
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim() ?? ''
  );
}

function members(form: URLSearchParams, list: string): string[] {
  const found: string[] = [];
  for (let n = 1; form.has(`${list}.member.${n}`); n++) found.push(form.get(`${list}.member.${n}`) ?? '');
  return found;
}

const invalid = (message: string) => new ServiceError('InvalidParameterValue', message);

/** Judges the mail as SES would, and gives it as people will see it. */
function accepted(draft: Draft): Draft {
  const size = draft.subject.length + draft.text.length + draft.html.length;
  if (size > maxMessageBytes) throw invalid(`Message length is more than ${maxMessageBytes} bytes long`);
  if (draft.to.length === 0) throw invalid('Missing final recipients');
  if (draft.to.length > maxRecipients) throw invalid(`Recipient count exceeds ${maxRecipients}.`);
  for (const field of [draft.from, draft.subject, ...draft.to]) {
    if (/[\r\n]/.test(field)) throw invalid('Header fields must not contain line breaks');
  }
  for (const address of [draft.from, ...draft.to]) assertAddress(address);
  if (draft.to.some((address) => bareAddress(address).startsWith('reject@'))) {
    throw new ServiceError('MessageRejected', 'Email address is on the suppression list for your account.');
  }
  return { ...draft, from: decodeWords(draft.from) };
}

function assertAddress(text: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: SES takes ASCII only; names go in encoded words
  if (!/^[\x00-\x7f]*$/.test(text)) throw invalid(`Local address contains control or whitespace: ${text}`);
  if (!/^[^\s@<>"(),;:]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(bareAddress(text)))
    throw invalid(`Illegal address: ${text}`);
}

const bareAddress = (text: string) => (/<([^<>]*)>\s*$/.exec(text)?.[1] ?? text).trim().toLowerCase();

function sendPermissions(
  action: string,
  from: string,
  recipients: string[],
  form: URLSearchParams,
  { region, account }: SesNaming,
): Permission[] {
  const address = bareAddress(from);
  const arn = (kind: string, name: string) => `arn:aws:ses:${region}:${account}:${kind}/${name}`;
  const context = {
    values: {
      'ses:FromAddress': [address],
      'ses:FromDisplayName': from.includes('<')
        ? [from.slice(0, from.lastIndexOf('<')).trim().replace(/^"|"$/g, '')]
        : [],
      'ses:Recipients': recipients.map(bareAddress),
      'ses:ApiVersion': ['1'],
    },
  };
  // Either the address or its whole domain may be the verified identity.
  const identities = [arn('identity', address), arn('identity', address.split('@')[1] ?? '')];
  const configurationSet = form.get('ConfigurationSetName');
  return [
    { action, resources: identities, context },
    ...(configurationSet
      ? [{ action, resources: [arn('configuration-set', configurationSet)], context }]
      : []),
  ];
}
