import type { Row } from './permissions.ts';

/**
 * Every function: how much it gets and what it may touch. A row's permissions are also its environment: what may be
 * called is what it learns the name of. Each function may write to its own log besides, and nothing else.
 */

/** A request with its partition, decided on and written in one transaction. */
const CHANGE = ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'] as const;
const READ = ['GetItem', 'Query'] as const;

const HTTP = { memory: 512, seconds: 15 } as const;
const HEAVY = { memory: 1769, seconds: 29 } as const;

/** Reads the API key, and nothing further. */
const KEYED = { table: ['GetItem'], secrets: ['origin'] } as const;
const SIGNED_IN = { table: CHANGE, secrets: ['origin', 'signing'] } as const;

export const API = {
  health: { ...HTTP, ...KEYED },
  'create-signature': {
    ...HEAVY,
    table: CHANGE,
    documents: ['PutObject'],
    staging: ['GetObject'],
    secrets: ['origin', 'signing'],
    sends: ['events', 'mail'],
    mails: true,
    linksToItself: true,
  },
  'list-signatures': {
    ...HTTP,
    ...KEYED,
    table: READ,
    indexes: ['byOwner', 'byStatus'],
    secrets: ['origin', 'signing'],
  },
  'get-signature': { ...HTTP, ...KEYED, table: READ, linksToItself: true },
  'cancel-signature': { ...HTTP, ...KEYED, table: CHANGE, sends: ['events'] },
  'get-document': { ...HTTP, ...KEYED, table: READ, documents: ['GetObject'] },
  'get-audit-trail': { ...HEAVY, ...KEYED, table: READ, documents: ['GetObject'] },
  'list-signers': { ...HTTP, ...KEYED, table: READ, linksToItself: true },
  'resend-invitation': {
    ...HTTP,
    table: CHANGE,
    secrets: ['origin', 'signing'],
    sends: ['mail'],
    mails: true,
    linksToItself: true,
  },
  'create-upload': { ...HTTP, ...KEYED, table: ['GetItem', 'PutItem'], staging: ['PutObject'] },
  'list-webhook-endpoints': { ...HTTP, ...KEYED, table: READ },
  'create-webhook-endpoint': {
    ...HTTP,
    ...KEYED,
    table: CHANGE,
    webhookKey: ['Encrypt'],
    webhookAddresses: true,
  },
  'get-webhook-endpoint': { ...HTTP, ...KEYED },
  'update-webhook-endpoint': {
    ...HTTP,
    ...KEYED,
    table: ['GetItem', 'UpdateItem', 'PutItem'],
    webhookAddresses: true,
  },
  'delete-webhook-endpoint': { ...HTTP, ...KEYED, table: ['GetItem', 'UpdateItem', 'DeleteItem'] },
  'test-webhook-endpoint': { ...HTTP, ...KEYED, table: ['GetItem', 'PutItem'], sends: ['deliveries'] },
  'list-webhook-deliveries': {
    ...HTTP,
    ...KEYED,
    table: READ,
    indexes: ['byOwner'],
    secrets: ['origin', 'signing'],
  },
} as const satisfies Record<string, Row>;

export const SIGNING = {
  'open-link': { ...HTTP, ...SIGNED_IN, sends: ['events'] },
  'send-code': { ...HTTP, ...SIGNED_IN, mails: true, linksToItself: true },
  'verify-code': { ...HTTP, ...SIGNED_IN },
  'get-request': { ...HTTP, ...SIGNED_IN, table: READ },
  'get-original': { ...HTTP, ...SIGNED_IN, table: READ, documents: ['GetObject'] },
  sign: { ...HTTP, ...SIGNED_IN, documents: ['PutObject'], sends: ['events', 'seal'] },
  decline: { ...HTTP, ...SIGNED_IN, sends: ['events'] },
  'get-sealed-document': { ...HTTP, ...SIGNED_IN, table: READ, documents: ['GetObject'] },
} as const satisfies Record<string, Row>;

export const JOBS = {
  seal: {
    memory: 2048,
    seconds: 120,
    table: CHANGE,
    documents: ['GetObject', 'PutObject'],
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
    table: CHANGE,
    secrets: ['signing'],
    sends: ['events'],
    mails: true,
    linksToItself: true,
    reads: { queue: 'mail', batch: 5, concurrency: 5 },
  },
  'publish-event': {
    memory: 512,
    seconds: 30,
    table: CHANGE,
    sends: ['deliveries'],
    linksToItself: true,
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
    table: CHANGE,
    indexes: ['byDue'],
    sends: ['events'],
    runs: 'cron(10 0 * * ? *)',
  },
  purge: {
    memory: 512,
    seconds: 600,
    table: CHANGE,
    indexes: ['byDue'],
    documents: ['DeleteObject', 'DeleteObjectVersion', 'ListBucketVersions'],
    runs: 'cron(20 1 * * ? *)',
  },
  remind: {
    memory: 512,
    seconds: 600,
    table: CHANGE,
    indexes: ['byDue'],
    sends: ['mail'],
    runs: 'cron(0 7 * * ? *)',
  },
} as const satisfies Record<string, Row>;
