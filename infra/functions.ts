import type { JobName } from '../shared/store/stack-names.ts';
import type { FunctionSpec } from './function-spec.ts';

/**
 * Size and permissions of every function. Permissions also define the environment: a function gets the names of just the
 * resources that it may use. In addition, each function may write to its own log.
 */

/** Look-ups by key: an API key, a link's token, and what they refer to. */
const GET = ['GetItem'] as const;
const READ = ['GetItem', 'Query'] as const;
const LIST = ['GetItem', 'BatchGetItem', 'Query'] as const;
/** Changes a request: reads its partition, writes it back with events and outbox items in one transaction. */
const CHANGE = ['GetItem', 'Query', 'PutItem', 'UpdateItem'] as const;
/** CHANGE plus deleting a finished item. */
const WORK = [...CHANGE, 'DeleteItem'] as const;

const ORIGINAL = 'requests/*/original.pdf';
const SEALED = 'requests/*/sealed.pdf';
const EVIDENCE = 'requests/*/evidence.pdf';
/** Files under archive protection whose timestamps were renewed. */
const RENEWED = 'requests/*/renewed/*';
const DRAWINGS = 'requests/*/signatures/*';
/** Objects that are stored once and never overwritten. */
export const WRITTEN_ONCE = [ORIGINAL, DRAWINGS, SEALED, EVIDENCE, RENEWED] as const;
const ALL_OF_REQUEST = 'requests/*';
const UPLOADS = 'uploads/*';
const INGESTED = 'ingest/*';

const HTTP = { memory: 512, seconds: 15 } as const;
/**
 * Streams a file. The time limit ends the stream, though a slow client may still read it: 10 MB at 60 KB a second. The signing page
 * waits as long.
 */
export const DOWNLOAD = { memory: 512, seconds: 180 } as const;
/** May wait for its turn to mail a signer, and then for SES. */
const MAILING = { memory: 512, seconds: 29, sends: ['mail'], mails: true } as const;
/** Parses documents or typesets pages. 29 seconds is the gateway's limit. */
const HEAVY = { memory: 1769, seconds: 29 } as const;
/** Works through all that is due, however long it takes. */
const DAILY = { memory: 512, seconds: 600, indexes: ['byDue'], reinvokesItself: true } as const;

/** Errors of the client API hold the address of their documentation. */
const KEYED = { table: GET, secrets: ['origin'], recordsKeyUse: true, linksToItself: true } as const;
const LINKED = { table: READ, secrets: ['origin'] } as const;
/** Makes or compares codes. */
const CODES = { table: CHANGE, secrets: ['origin', 'signing'] } as const;

export const API = {
  health: { ...HTTP, table: GET, secrets: ['origin'] },
  'get-openapi': { ...HTTP, secrets: ['origin'] },
  'create-signature': {
    ...HEAVY,
    ...KEYED,
    table: WORK,
    // Reads the original that an interrupted call stored.
    documents: { GetObject: [ORIGINAL], PutObject: [ORIGINAL] },
    staging: { GetObject: [UPLOADS, INGESTED], ListBucket: true },
    secrets: ['origin', 'signing'],
    sends: ['events', 'mail'],
    mails: true,
  },
  'list-signatures': {
    ...HTTP,
    ...KEYED,
    table: LIST,
    indexes: ['byOwner', 'byStatus'],
    secrets: ['origin', 'signing'],
  },
  'get-signature': { ...HTTP, ...KEYED, table: READ },
  'list-events': { ...HTTP, ...KEYED, table: READ, secrets: ['origin', 'signing'] },
  'cancel-signature': { ...HTTP, ...KEYED, table: CHANGE, sends: ['events', 'mail'] },
  'get-document': {
    ...DOWNLOAD,
    ...KEYED,
    table: CHANGE,
    documents: { GetObject: [SEALED, RENEWED], ListBucket: true },
  },
  'delete-document': {
    ...HTTP,
    ...KEYED,
    table: CHANGE,
    documents: { DeleteObjectVersion: [ALL_OF_REQUEST], ListBucketVersions: true },
  },
  'get-evidence': {
    ...DOWNLOAD,
    ...KEYED,
    table: READ,
    documents: { GetObject: [EVIDENCE, RENEWED], ListBucket: true },
  },
  'get-audit-trail': {
    ...HEAVY,
    ...KEYED,
    seconds: DOWNLOAD.seconds,
    table: READ,
    documents: { GetObject: [DRAWINGS], ListBucket: true },
  },
  'list-signers': { ...HTTP, ...KEYED, table: READ },
  'resend-invitation': { ...MAILING, ...KEYED, table: CHANGE, secrets: ['origin', 'signing'] },
  'correct-signer': { ...MAILING, ...KEYED, table: WORK, secrets: ['origin', 'signing'] },
  'create-upload': { ...HTTP, ...KEYED, table: ['GetItem', 'PutItem'], staging: { PutObject: [UPLOADS] } },
  'list-webhook-endpoints': { ...HTTP, ...KEYED, table: READ },
  'create-webhook-endpoint': {
    ...HTTP,
    ...KEYED,
    table: ['GetItem', 'Query', 'PutItem', 'ConditionCheckItem'],
    webhookKey: ['Encrypt'],
    webhookAddresses: true,
  },
  'get-webhook-endpoint': { ...HTTP, ...KEYED },
  'update-webhook-endpoint': {
    ...HTTP,
    ...KEYED,
    table: ['GetItem', 'PutItem', 'UpdateItem'],
    webhookAddresses: true,
  },
  'delete-webhook-endpoint': { ...HTTP, ...KEYED, table: ['GetItem', 'PutItem', 'DeleteItem'] },
  'test-webhook-endpoint': { ...HTTP, ...KEYED, sends: ['deliveries'] },
  'redeliver-webhook': { ...HTTP, ...KEYED, sends: ['deliveries'] },
  'list-webhook-deliveries': {
    ...HTTP,
    ...KEYED,
    table: [...GET, 'BatchGetItem'],
    indexes: ['byOwner'],
    secrets: ['origin', 'signing'],
  },
} as const satisfies Record<string, FunctionSpec>;

export const SIGNING = {
  'open-link': { ...HTTP, ...LINKED, table: CHANGE, sends: ['events'] },
  'send-code': { ...MAILING, ...CODES, linksToItself: true },
  'verify-code': { ...HTTP, ...CODES, sends: ['mail'] },
  'get-request': { ...HTTP, ...LINKED },
  'get-original': {
    ...DOWNLOAD,
    ...LINKED,
    table: CHANGE,
    documents: { GetObject: [ORIGINAL], ListBucket: true },
  },
  sign: {
    ...HTTP,
    ...LINKED,
    table: WORK,
    // Reads the drawing that an interrupted call stored.
    documents: { GetObject: [DRAWINGS], PutObject: [DRAWINGS] },
    sends: ['events', 'seal'],
  },
  decline: { ...HTTP, ...LINKED, table: CHANGE, sends: ['events', 'mail'] },
  'get-sealed-document': { ...DOWNLOAD, ...LINKED, documents: { GetObject: [SEALED], ListBucket: true } },
  'get-copy': { ...HTTP, table: READ, secrets: ['origin'] },
  'get-logo': { ...HTTP, table: GET, secrets: ['origin'] },
  'get-signing-evidence': { ...DOWNLOAD, ...LINKED, documents: { GetObject: [EVIDENCE], ListBucket: true } },
} as const satisfies Record<string, FunctionSpec>;

/** Each serves several endpoints: what anyone may call is apart from what needs a session. */
export const APP = {
  'app-sign-in': {
    ...HTTP,
    table: WORK,
    changesAccounts: true,
    secrets: ['origin', 'signing'],
    sends: ['mail'],
  },
  'app-account': {
    ...HTTP,
    table: [...WORK, 'BatchGetItem'],
    changesAccounts: true,
    secrets: ['origin'],
    sends: ['mail'],
  },
} as const satisfies Record<string, FunctionSpec>;

/** Each reads a queue. */
export const CONSUMERS = {
  seal: {
    memory: 2048,
    seconds: 120,
    table: WORK,
    documents: {
      GetObject: [ORIGINAL, SEALED, EVIDENCE, DRAWINGS],
      PutObject: [SEALED, EVIDENCE],
      ListBucket: true,
    },
    secrets: ['seal', 'testSeal', 'timestamp'],
    sealKey: true,
    sealLevel: true,
    // Proofs come from addresses that certificates name.
    webhookAddresses: true,
    sends: ['events', 'mail'],
    delays: ['seal'],
    linksToItself: true,
    reads: [{ queue: 'seal', batch: 1, concurrency: 'sealConcurrency' }],
  },
  'complete-mail': {
    memory: 512,
    seconds: 60,
    table: WORK,
    // Stores the code of a sign-in.
    changesAccounts: true,
    secrets: ['signing'],
    sends: ['events', 'mail'],
    mails: true,
    linksToItself: true,
    reads: [{ queue: 'mail', batch: 5, concurrency: 5 }],
  },
  'record-bounce': {
    memory: 512,
    seconds: 30,
    table: ['Query', 'PutItem', 'UpdateItem'],
    sends: ['mail'],
    reads: [{ queue: 'bounces', batch: 10, concurrency: 2 }],
  },
  'publish-event': {
    memory: 512,
    seconds: 30,
    table: ['BatchGetItem', 'Query', 'DeleteItem'],
    sends: ['deliveries'],
    reads: [{ queue: 'events', batch: 10, concurrency: 10 }],
  },
  'deliver-webhook': {
    memory: 512,
    seconds: 30,
    table: CHANGE,
    // Counts time-outs of the webhook of an organization.
    changesAccounts: true,
    webhookKey: ['Decrypt'],
    webhookAddresses: true,
    // Endpoints that hang have a queue of their own, so that they cannot take up the slots of the others.
    sends: ['slow-deliveries'],
    reads: [
      { queue: 'deliveries', batch: 10, concurrency: 50 },
      { queue: 'slow-deliveries', batch: 10, concurrency: 10 },
    ],
  },
} as const satisfies Record<string, FunctionSpec>;

/** Each runs on a schedule. */
export const SCHEDULED = {
  sweep: {
    memory: 512,
    seconds: 50,
    table: WORK,
    indexes: ['byDue'],
    // Removes objects that no request refers to.
    documents: {
      DeleteObjectVersion: [ORIGINAL, DRAWINGS, SEALED, EVIDENCE, RENEWED],
      ListBucketVersions: true,
    },
    sends: ['events', 'seal', 'mail'],
    runs: 'rate(1 minute)',
  },
  expire: {
    ...DAILY,
    table: ['Query', 'PutItem', 'UpdateItem'],
    sends: ['events', 'mail'],
    runs: 'cron(10 0 * * ? *)',
  },
  purge: {
    ...DAILY,
    table: CHANGE,
    documents: { DeleteObjectVersion: [ALL_OF_REQUEST], ListBucketVersions: true },
    runs: 'cron(20 1 * * ? *)',
  },
  remind: {
    ...DAILY,
    table: CHANGE,
    sends: ['mail'],
    mails: true,
    linksToItself: true,
    runs: 'cron(0 7 * * ? *)',
  },
  'check-certificates': {
    memory: 512,
    seconds: 30,
    table: ['PutItem'],
    secrets: ['seal', 'testSeal', 'timestamp'],
    looksAtDomain: true,
    runs: 'cron(0 6 * * ? *)',
  },
  'gather-revocation': {
    // Renews files of up to 10 MB, several at once.
    memory: 1769,
    seconds: 900,
    table: WORK,
    indexes: ['byDue'],
    documents: {
      GetObject: [SEALED, EVIDENCE, RENEWED],
      PutObject: [RENEWED],
      ListBucket: true,
    },
    secrets: ['timestamp'],
    webhookAddresses: true,
    runs: 'cron(35 * * * ? *)',
    reinvokesItself: true,
  },
} as const satisfies Record<JobName, FunctionSpec & { runs: string }>;

export const JOBS = { ...CONSUMERS, ...SCHEDULED };

export const FUNCTIONS: Readonly<Record<string, FunctionSpec>> = { ...API, ...SIGNING, ...APP, ...JOBS };
