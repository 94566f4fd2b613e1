import type { Row } from './permissions.ts';

/**
 * Every function: how much it gets and what it may touch. A row's permissions are also its environment: what a function
 * may call is what it learns the name of. Each may write to its own log besides, and nothing else.
 */

/** The API key, or the link's token, and what it leads to. */
const GET = ['GetItem'] as const;
const READ = ['GetItem', 'Query'] as const;
/** A decision on a request: read its partition, write it back with events and outbox items in one transaction. */
const CHANGE = ['GetItem', 'Query', 'PutItem', 'UpdateItem'] as const;
/** A decision that changes no signer. */
const NOTE = ['GetItem', 'Query', 'PutItem'] as const;
/** The same as CHANGE by who takes an item away in the end. */
const WORK = [...CHANGE, 'DeleteItem'] as const;

const ORIGINAL = 'requests/*/original.pdf';
const SEALED = 'requests/*/sealed.pdf';
const DRAWINGS = 'requests/*/signatures/*';
const OF_A_REQUEST = 'requests/*';
const UPLOADS = 'uploads/*';
const INGESTED = 'ingest/*';

const HTTP = { memory: 512, seconds: 15 } as const;
/** Waits for its turn to mail a signer, then for the mail. */
const MAILING = { memory: 512, seconds: 29 } as const;
/** Takes whole documents apart or sets pages; the most the gateway waits. */
const HEAVY = { memory: 1769, seconds: 29 } as const;

const KEYED = { table: GET, secrets: ['origin'] } as const;
const LINKED = { table: READ, secrets: ['origin', 'signing'] } as const;

export const API = {
  health: { ...HTTP, ...KEYED },
  'create-signature': {
    ...HEAVY,
    table: WORK,
    documents: { PutObject: [ORIGINAL] },
    staging: { GetObject: [UPLOADS, INGESTED], ListBucket: true },
    secrets: ['origin', 'signing'],
    sends: ['events', 'mail'],
    mails: true,
    linksToItself: true,
  },
  'list-signatures': {
    ...HTTP,
    table: GET,
    indexes: ['byOwner', 'byStatus'],
    secrets: ['origin', 'signing'],
  },
  'get-signature': { ...HTTP, ...KEYED, table: READ, linksToItself: true },
  'cancel-signature': { ...HTTP, ...KEYED, table: CHANGE, sends: ['events'] },
  'get-document': { ...HTTP, ...KEYED, table: NOTE, documents: { GetObject: [SEALED], ListBucket: true } },
  'get-audit-trail': {
    ...HEAVY,
    ...KEYED,
    table: READ,
    documents: { GetObject: [DRAWINGS], ListBucket: true },
  },
  'list-signers': { ...HTTP, ...KEYED, table: READ, linksToItself: true },
  'resend-invitation': {
    ...MAILING,
    table: CHANGE,
    secrets: ['origin', 'signing'],
    mails: true,
    linksToItself: true,
  },
  'create-upload': { ...HTTP, ...KEYED, table: ['GetItem', 'PutItem'], staging: { PutObject: [UPLOADS] } },
  'list-webhook-endpoints': { ...HTTP, ...KEYED, table: READ },
  'create-webhook-endpoint': {
    ...HTTP,
    ...KEYED,
    table: ['GetItem', 'Query', 'PutItem'],
    webhookKey: ['Encrypt'],
    webhookAddresses: true,
  },
  'get-webhook-endpoint': { ...HTTP, ...KEYED },
  'update-webhook-endpoint': { ...HTTP, ...KEYED, table: ['GetItem', 'UpdateItem'], webhookAddresses: true },
  'delete-webhook-endpoint': { ...HTTP, ...KEYED, table: ['GetItem', 'DeleteItem'] },
  'test-webhook-endpoint': { ...HTTP, ...KEYED, sends: ['deliveries'] },
  'list-webhook-deliveries': { ...HTTP, table: GET, indexes: ['byOwner'], secrets: ['origin', 'signing'] },
} as const satisfies Record<string, Row>;

export const SIGNING = {
  'open-link': { ...HTTP, ...LINKED, table: CHANGE, sends: ['events'] },
  'send-code': { ...MAILING, ...LINKED, table: CHANGE, mails: true, linksToItself: true },
  'verify-code': { ...HTTP, ...LINKED, table: CHANGE },
  'get-request': { ...HTTP, ...LINKED },
  'get-original': {
    ...HTTP,
    ...LINKED,
    table: CHANGE,
    documents: { GetObject: [ORIGINAL], ListBucket: true },
  },
  sign: {
    ...HTTP,
    ...LINKED,
    table: CHANGE,
    documents: { PutObject: [DRAWINGS] },
    sends: ['events', 'seal'],
  },
  decline: { ...HTTP, ...LINKED, table: CHANGE, sends: ['events'] },
  'get-sealed-document': { ...HTTP, ...LINKED, documents: { GetObject: [SEALED], ListBucket: true } },
} as const satisfies Record<string, Row>;

export const JOBS = {
  seal: {
    memory: 2048,
    seconds: 120,
    // A seal leaves the signers as they are, whatever becomes of it.
    table: [...NOTE, 'DeleteItem'],
    documents: { GetObject: [ORIGINAL, SEALED, DRAWINGS], PutObject: [SEALED], ListBucket: true },
    secrets: ['seal', 'testSeal', 'timestamp'],
    sealKey: true,
    sends: ['events', 'mail'],
    delays: ['seal'],
    linksToItself: true,
    reads: { queue: 'seal', batch: 1, concurrency: 5 },
  },
  'complete-mail': {
    memory: 512,
    seconds: 60,
    table: WORK,
    secrets: ['signing'],
    sends: ['events'],
    mails: true,
    linksToItself: true,
    reads: { queue: 'mail', batch: 5, concurrency: 5 },
  },
  'publish-event': {
    memory: 512,
    seconds: 30,
    table: ['GetItem', 'Query', 'DeleteItem'],
    sends: ['deliveries'],
    reads: { queue: 'events', batch: 10, concurrency: 10 },
  },
  'deliver-webhook': {
    memory: 512,
    seconds: 30,
    table: CHANGE,
    webhookKey: ['Decrypt'],
    webhookAddresses: true,
    reads: { queue: 'deliveries', batch: 10, concurrency: 50 },
  },
  sweep: {
    memory: 512,
    seconds: 50,
    table: CHANGE,
    indexes: ['byDue'],
    sends: ['events', 'seal', 'mail'],
    runs: 'rate(1 minute)',
  },
  expire: {
    memory: 512,
    seconds: 600,
    table: ['Query', 'PutItem', 'UpdateItem'],
    indexes: ['byDue'],
    sends: ['events'],
    runs: 'cron(10 0 * * ? *)',
    goesOn: true,
  },
  purge: {
    memory: 512,
    seconds: 600,
    table: NOTE,
    indexes: ['byDue'],
    documents: { DeleteObjectVersion: [OF_A_REQUEST], ListBucketVersions: true },
    runs: 'cron(20 1 * * ? *)',
    goesOn: true,
  },
  remind: {
    memory: 512,
    seconds: 600,
    table: CHANGE,
    indexes: ['byDue'],
    mails: true,
    linksToItself: true,
    runs: 'cron(0 7 * * ? *)',
    goesOn: true,
  },
  'check-certificates': {
    memory: 512,
    seconds: 30,
    table: ['PutItem'],
    secrets: ['seal', 'testSeal', 'timestamp'],
    runs: 'cron(0 6 * * ? *)',
  },
} as const satisfies Record<string, Row>;

export const ROWS: Readonly<Record<string, Row>> = { ...API, ...SIGNING, ...JOBS };
