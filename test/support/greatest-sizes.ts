import {
  type AttributeValue,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import type { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import type { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { EVENT_TYPES } from '../../shared/contract/events.ts';
import { LIMITS } from '../../shared/contract/limits.ts';
import { contentDisposition } from '../../shared/http/pdf-reply.ts';
import { ignoredHeader } from '../../shared/http/validation.ts';
import { renderInvitation } from '../../shared/mail/render.ts';
import { sesMailer } from '../../shared/mail/ses-mailer.ts';
import { cancel } from '../../shared/requests/ending.ts';
import { invitationsReported } from '../../shared/requests/inviting.ts';
import { present } from '../../shared/runtime/present.ts';
import { addKey, MAX_KEYS } from '../../shared/store/api-keys.ts';
import { addOwner, type Brand, changeOwner } from '../../shared/store/owners.ts';
import { sendDeliveries } from '../../shared/webhooks/messages.ts';
import { MemoryDynamo } from './memory-dynamo.ts';
import { ownerItem } from './owners.ts';
import { DOCUMENT_SHA256, NOON } from './requests.ts';
import { changed, storedNew } from './stored-requests.ts';

/** The greatest sizes of what is sent to AWS, made by the product's own code from the longest input in the costliest characters. */

interface Size {
  what: string;
  size: number;
  limit: number;
  unit: 'writes' | 'bytes';
}

const KB = 1_024;
const MB = KB * KB;

/** Four bytes of UTF-8 for each character that a limit counts; none takes more. */
const WIDE = '𠀀';
/** Three bytes for each UTF-16 unit; none takes more. */
const WIDE_UNIT = '漢';
/** Six bytes in a message of SQS, where it is escaped. */
const ESCAPED = '\ufffe';
/** Seven bytes in a mail, where it is kept from becoming a part of a link. */
const SEPARATED = '@';

const URL = `https://example.com/${'u'.repeat(LIMITS.returnUrlLength - 20)}`;
const BRAND: Brand = {
  name: WIDE.repeat(LIMITS.nameLength),
  logo: { sha256: DOCUMENT_SHA256, width: 800, height: 200 },
  accent: '#000000',
  replyTo: `reply@${'d'.repeat(60)}.example.com`,
  imprintUrl: URL,
  privacyUrl: URL,
  supportUrl: URL,
  timeZone: 'America/Argentina/ComodRivadavia',
};

const requestOf = (character: string) => ({
  title: character.repeat(LIMITS.titleLength),
  reference: character.repeat(LIMITS.referenceLength),
  content: {
    message: character.repeat(LIMITS.messageLength),
    metadataJson: 'm'.repeat(LIMITS.metadataBytes),
    filename: character.repeat(LIMITS.filenameLength),
    documentSize: LIMITS.documentBytes,
    documentSha256: DOCUMENT_SHA256,
    documentKey: 'k'.repeat(100),
    pageCount: 1,
    alreadySigned: false,
    attachments: {
      count: 999,
      listed: Array.from({ length: 20 }, () => ({ filename: WIDE_UNIT.repeat(255), size: 9_999_999 })),
    },
    returnUrl: URL,
  },
  signers: Array.from({ length: LIMITS.signers }, (_, n) => ({
    id: `00000000-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`,
    email: `${n}`.padStart(LIMITS.emailLength, 'e'),
    name: character.repeat(LIMITS.nameLength),
    locale: 'en' as const,
    accessToken: `${n}`.padStart(43, 't'),
    codeHash: DOCUMENT_SHA256,
  })),
});

/** As DynamoDB counts: names and texts in UTF-8, a byte for each element of a list or map and three for itself. */
function bytesOf(value: AttributeValue): number {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return Math.ceil(value.N.length / 2) + 1;
  if (value.L) return value.L.reduce((sum, each) => sum + bytesOf(each) + 1, 3);
  if (value.M) return itemBytes(value.M) + Object.keys(value.M).length + 3;
  return value.B?.length ?? 1;
}

const itemBytes = (item: Record<string, AttributeValue>): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + bytesOf(value), 0);

const putsOf = (writes: readonly TransactWriteItem[]) =>
  writes.flatMap(({ Put }) => (Put?.Item ? [Put.Item] : []));

const memory = new MemoryDynamo();

/** The last transaction of some work. */
async function transactionOf(work: () => Promise<unknown>): Promise<TransactWriteItem[]> {
  await work();
  const call = memory.mock.commandCalls(TransactWriteItemsCommand).at(-1);
  return present(call?.args[0].input.TransactItems, 'transaction');
}

async function databaseSizes(): Promise<Size[]> {
  memory.clear();
  const { table } = memory;
  let id = '';
  const creation = await transactionOf(async () => {
    id = (await storedNew(table, LIMITS.signers, requestOf(WIDE))).state.id;
  });
  const report = await transactionOf(() =>
    changed(table, id, (request, now) => {
      const invitation = { at: now.toISOString(), sent: false, error: 'sender_not_verified' };
      return invitationsReported(
        { ...request, signers: request.signers.map((signer) => ({ ...signer, invitation })) },
        now,
      );
    }),
  );
  const reason = WIDE.repeat(LIMITS.reasonLength);
  const cancellation = await transactionOf(() =>
    changed(table, id, (request, now) => cancel(request, { actor: 'client', reason }, now)),
  );
  const owner = ownerItem({ name: WIDE.repeat(LIMITS.nameLength) });
  await addOwner(table, owner);
  for (let n = 0; n < MAX_KEYS; n += 1)
    await addKey(table, owner.id, { keyId: `${n}`, hash: 'h', mode: 'live', createdAt: NOON.toISOString() });
  const branding = await transactionOf(() => changeOwner(table, owner.id, owner.type, { brand: BRAND }));
  const writes = (what: string, { length: size }: TransactWriteItem[]): Size => ({
    what: `DynamoDB, writes of a transaction: ${what}`,
    size,
    limit: 100,
    unit: 'writes',
  });
  const items = [creation, report, cancellation].flatMap(putsOf);
  const largest = (what: string, sk: RegExp): Size => ({
    what: `DynamoDB, an item: ${what}`,
    size: Math.max(...items.filter((item) => sk.test(item.sk?.S ?? '')).map(itemBytes)),
    limit: 400 * KB,
    unit: 'bytes',
  });
  return [
    // The original's claim and the upload are written with it.
    writes('a create, 20 signers', [...creation, {}, {}]),
    writes('the report of 20 invitations', report),
    writes('a cancellation, 20 signers', cancellation),
    writes(`a brand, ${MAX_KEYS} API keys`, branding),
    {
      what: 'DynamoDB, bytes of a transaction: a create, 20 signers',
      size: putsOf(creation).reduce((sum, item) => sum + itemBytes(item), 0),
      limit: 4 * MB,
      unit: 'bytes',
    },
    largest('what never changes of a request', /^R#CONTENT/),
    largest('the first event of a trail', /^A#/),
    largest('an event in the outbox', /^OUTBOX/),
    {
      what: 'DynamoDB, a sort key: a title',
      size: Math.max(...items.map(({ sk }) => Buffer.byteLength(sk?.S ?? ''))),
      limit: 1_024,
      unit: 'bytes',
    },
  ];
}

async function queueSizes(): Promise<Size[]> {
  memory.clear();
  await storedNew(memory.table, LIMITS.signers, requestOf(ESCAPED));
  const body = String(memory.items.find(({ eventType }) => eventType === EVENT_TYPES[0])?.body);
  const sizes: number[][] = [];
  const send = async ({ input: { Entries = [] } }: SendMessageBatchCommand) => {
    sizes.push(Entries.map(({ MessageBody = '' }) => Buffer.byteLength(MessageBody)));
    return {};
  };
  const id = '00000000-0000-4000-8000-000000000000';
  const message = { eventId: `evt_${id}`, eventType: EVENT_TYPES[0], requestId: id, ownerId: id, body };
  await sendDeliveries(
    { send } as unknown as SQSClient,
    '',
    Array.from({ length: LIMITS.webhookEndpoints }, () => ({
      ...message,
      mode: 'live' as const,
      endpointId: `we_${id}`,
    })),
  );
  return [
    { what: 'SQS, a message: a delivery', size: Math.max(...sizes.flat()), limit: MB, unit: 'bytes' },
    {
      what: 'SQS, a batch: deliveries of one event',
      size: Math.max(...sizes.map((each) => each.reduce((sum, size) => sum + size, 0))),
      limit: MB,
      unit: 'bytes',
    },
  ];
}

async function mailSizes(): Promise<Size[]> {
  const { title, signers, content } = requestOf(SEPARATED);
  const at = NOON.toISOString();
  const mail = renderInvitation({
    locale: 'de',
    senderName: '',
    brand: { ...BRAND, name: SEPARATED.repeat(LIMITS.nameLength) },
    title,
    test: true,
    signerName: present(signers[0], 'signer').name,
    signUrl: URL,
    message: content.message,
    code: '123456',
    codeExpiresAt: at,
    expiresAt: at,
    sentAt: at,
  });
  const sources: string[] = [];
  const send = async ({ input }: SendEmailCommand) => {
    sources.push(input.Source ?? '');
    return {};
  };
  const mailer = sesMailer({ send } as unknown as SESClient, {
    from: 'sign@example.com',
    configurationSet: 'set',
  });
  const inOneMinute = new Date(Date.now() + 60_000);
  for (const name of [WIDE, WIDE_UNIT, '👩🏽‍🚀', SEPARATED])
    await mailer(
      {
        to: 'a@example.com',
        senderName: name.repeat(LIMITS.nameLength),
        brand: undefined,
        content: mail,
        about: null,
      },
      inOneMinute,
    );
  const texts = [mail.subject, mail.text, mail.html];
  return [
    {
      what: 'SES, the sender with its name',
      size: Math.max(...sources.map(({ length }) => length)),
      limit: 320,
      unit: 'bytes',
    },
    {
      what: 'SES, a mail: an invitation',
      size: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
      limit: 10 * MB,
      unit: 'bytes',
    },
  ];
}

function headerSizes(): Size[] {
  const headers = {
    'Ignored-Fields': ignoredHeader(Array.from({ length: 100 }, () => `/${WIDE_UNIT.repeat(200)}`))[
      'Ignored-Fields'
    ],
    'Content-Disposition': contentDisposition('attachment', WIDE.repeat(LIMITS.filenameLength)),
  };
  return Object.entries(headers).map(([name, value = '']) => ({
    what: `API Gateway, headers of an answer: ${name}`,
    size: name.length + value.length,
    limit: 10_240,
    unit: 'bytes' as const,
  }));
}

export const greatestSizes = async (): Promise<Size[]> => [
  ...(await databaseSizes()),
  ...(await queueSizes()),
  ...(await mailSizes()),
  ...headerSizes(),
];

const shown = (count: number) => count.toLocaleString('en');

export const SECTION = 'Greatest sizes';

/** The section of docs/scale.md. */
export const sizesText = (sizes: readonly Size[]): string =>
  [
    'What is sent to AWS, made by the product’s own code from the longest input that it accepts, in the characters that take the most room',
    '(`npm run sizes`). Answers are measured in `test/unit/views/largest-answers.test.ts`: each fits into Lambda’s 6 MB. The seal of the largest',
    'document is in [performance.md](performance.md#memory-of-a-seal).',
    '',
    '| what | at most | AWS’s limit | share |',
    '|---|---|---|---|',
    ...sizes.map(
      ({ what, size, limit, unit }) =>
        `| ${what} | ${shown(size)} ${unit} | ${shown(limit)} ${unit} | ${Math.ceil((100 * size) / limit)} % |`,
    ),
  ].join('\n');
