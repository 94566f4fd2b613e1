import { globSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESClient } from '@aws-sdk/client-ses';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { sesMailer } from '../../../shared/mail/ses-mailer.ts';
import {
  CLIENT_SETTINGS,
  JOB_CLIENT_SETTINGS,
  MAIL_CLIENT_SETTINGS,
} from '../../../shared/runtime/clients.ts';
import { MINUTE, SECOND } from '../../../shared/runtime/time.ts';
import { loadOnce } from '../../support/load-once.ts';
import { listenHere, originOf } from '../../support/loopback.ts';

const MAIL_SENT = `<SendEmailResponse xmlns="http://ses.amazonaws.com/doc/2010-12-01/">
  <SendEmailResult><MessageId>m</MessageId></SendEmailResult></SendEmailResponse>`;

/** Takes the first call of each client and never answers it; answers the second with an error, or SES with a result. */
class StallingService {
  readonly server: Server;
  readonly #calls = new Map<string, number>();

  constructor() {
    this.server = createServer((request, response) => {
      const client = request.url?.split('/')[1] ?? '';
      const calls = (this.#calls.get(client) ?? 0) + 1;
      this.#calls.set(client, calls);
      request.resume();
      if (calls === 1) return;
      if (client === 'ses') response.writeHead(200, { 'content-type': 'text/xml' }).end(MAIL_SENT);
      else response.writeHead(418).end('{}');
    });
  }

  endpoint = (client: string) => `${originOf(this.server)}/${client}`;
}

const service = new StallingService();
beforeAll(() => listenHere(service.server));
afterAll(() => {
  service.server.closeAllConnections();
  service.server.close();
});

const at = (client: string) => ({
  endpoint: service.endpoint(client),
  region: 'eu-north-1',
  credentials: { accessKeyId: 'a', secretAccessKey: 's' },
});

/** Nobody waits for the product's time limits. Still longer than a busy machine takes to answer. */
const impatient = <S extends typeof CLIENT_SETTINGS | typeof MAIL_CLIENT_SETTINGS>(settings: S) => ({
  ...settings,
  requestHandler: {
    ...settings.requestHandler,
    connectionTimeout: 1.5 * SECOND,
    requestTimeout: 2 * SECOND,
  },
});

const answers = async () => ({ response: {}, output: { $metadata: {} } });
const fails = () => Promise.reject(new Error('failed'));

/** The number of times that a call with these settings reads its input. */
async function readsOf(settings: object, outcome: typeof answers): Promise<number> {
  let count = 0;
  const client = new DynamoDBClient({ ...settings, ...at('dynamodb-reads'), maxAttempts: 1 });
  client.middlewareStack.add(() => outcome, { step: 'finalizeRequest', priority: 'high' });
  const item = {
    get pk() {
      count += 1;
      return { S: 'a' };
    },
  };
  await client.send(new PutItemCommand({ TableName: 't', Item: item })).catch(() => undefined);
  return count;
}

describe('an AWS client', () => {
  /** The mailer waits together with the other clients. */
  let mailed: ReturnType<ReturnType<typeof sesMailer>>;
  beforeAll(() => {
    const mailer = sesMailer(new SESClient({ ...impatient(MAIL_CLIENT_SETTINGS), ...at('ses') }), {
      from: 'sign@example.com',
      configurationSet: 'set',
    });
    const mail = {
      to: 'anna@example.com',
      senderName: 'Acme',
      brand: undefined,
      content: { subject: 'Subject', text: 'Text', html: '<p>Html</p>' },
      about: { requestId: 'request' },
    };
    mailed = mailer(mail, new Date(Date.now() + MINUTE));
  });

  /** @behaviour sdk.time-outs */
  it('a stalled call ends in its time and is tried again, in every client', async () => {
    const settings = (client: string) => ({ ...impatient(CLIENT_SETTINGS), ...at(client) });
    const calls: Record<string, () => Promise<unknown>> = {
      dynamodb: () =>
        new DynamoDBClient(settings('dynamodb')).send(
          new GetItemCommand({ TableName: 't', Key: { pk: { S: 'a' } } }),
        ),
      's3-get': () =>
        new S3Client({ ...settings('s3-get'), forcePathStyle: true }).send(
          new GetObjectCommand({ Bucket: 'b', Key: 'k' }),
        ),
      's3-put': () =>
        new S3Client({ ...settings('s3-put'), forcePathStyle: true }).send(
          new PutObjectCommand({ Bucket: 'b', Key: 'k', Body: new Uint8Array(1_000_000) }),
        ),
      sqs: () =>
        new SQSClient({ ...settings('sqs'), useQueueUrlAsEndpoint: false }).send(
          new SendMessageBatchCommand({ QueueUrl: 'q', Entries: [{ Id: '1', MessageBody: 'm' }] }),
        ),
      kms: () =>
        new KMSClient(settings('kms')).send(
          new DecryptCommand({ CiphertextBlob: new Uint8Array(1), KeyId: 'k' }),
        ),
      secrets: () =>
        new SecretsManagerClient(settings('secrets')).send(new GetSecretValueCommand({ SecretId: 's' })),
      lambda: () =>
        new LambdaClient(settings('lambda')).send(new InvokeCommand({ FunctionName: 'f', Payload: '{}' })),
    };
    const outcomes = await Promise.all(
      Object.entries(calls).map(async ([client, call]) => [
        client,
        await call().catch(({ $metadata: { httpStatusCode, attempts } }) => ({ httpStatusCode, attempts })),
      ]),
    );
    expect(Object.fromEntries(outcomes)).toEqual(
      Object.fromEntries(Object.keys(calls).map((client) => [client, { httpStatusCode: 418, attempts: 2 }])),
    );
  });

  it('a mail whose first call stalls is sent by the second', async () => {
    expect(await mailed).toMatchObject({ sent: true, error: null });
  });

  it.each([
    ['a function that answers', CLIENT_SETTINGS, 15_000],
    ['a job', JOB_CLIENT_SETTINGS, 30_000],
  ])('a call that hangs in all attempts ends before the shortest time limit of %s', (_, settings, limit) => {
    const backOff = 20 * 1_000 * 0.01 + 400;
    expect(settings.maxAttempts * settings.requestHandler.requestTimeout + backOff).toBeLessThan(limit);
  });

  it.each([
    ['a call', answers],
    ['a call that fails', fails],
  ])('%s reads its input once: it makes no copy for a log', async (_, outcome) => {
    expect(await readsOf(CLIENT_SETTINGS, outcome)).toBe(1);
  });

  it('without the settings, a call that fails reads its input again for a log', async () => {
    expect(await readsOf({}, fails)).toBeGreaterThan(1);
  });

  it('every AWS client of the product has time limits', () => {
    const made = globSync(['functions/**/*.ts', 'shared/**/*.ts', 'admin/**/*.ts']).flatMap((file) =>
      [
        ...readFileSync(file, 'utf8').matchAll(
          /(?:(?:new \w+Client|configuredTable|configuredDocuments)\(\s*(?:\{\s*\.\.\.)?|dispatchTo\(\s*\{[^}]*\},\s*)([\w.]+)/g,
        ),
      ].map(([, settings]) => [file, settings] as const),
    );
    expect(made.length).toBeGreaterThan(50);
    const passingOn = ['configured-table', 'configured-documents', 'dispatch'].map(
      (name) => `shared/store/${name}.ts`,
    );
    for (const file of passingOn) expect(made).toContainEqual([file, 'settings']);
    for (const [file, settings] of made.filter(([file]) => !passingOn.includes(file)))
      expect([file, settings]).toEqual([
        file,
        expect.stringMatching(
          file.startsWith('admin') ? /^(operator\.|rest\.)?clients$/ : /^(MAIL_|JOB_)?CLIENT_SETTINGS$/,
        ),
      ]);
  });
});

describe('the credentials of a container', () => {
  /** The AWS SDK's process: jest gives tests a copy. */
  const process = loadOnce<NodeJS.Process>('node:process');
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, ...others } = process.env;
  const before = process.env;
  const endpoint = createServer((_request, response) =>
    response.end(
      JSON.stringify({
        AccessKeyId: 'a',
        SecretAccessKey: 's',
        Token: 't',
        Expiration: new Date(Date.now() + 3_600_000),
      }),
    ),
  );
  beforeAll(() => listenHere(endpoint));
  afterAll(() => {
    process.env = before;
    endpoint.closeAllConnections();
    endpoint.close();
  });

  it('a client gets the credentials of its container with the settings of functions', async () => {
    const url = `${originOf(endpoint)}/`;
    process.env = { ...others, AWS_CONTAINER_CREDENTIALS_FULL_URI: url, AWS_EC2_METADATA_DISABLED: 'true' };
    const client = new DynamoDBClient({ ...CLIENT_SETTINGS, region: 'eu-north-1' });
    expect(await client.config.credentials()).toMatchObject({ accessKeyId: 'a', sessionToken: 't' });
  });
});
