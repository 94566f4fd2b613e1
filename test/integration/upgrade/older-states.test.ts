/** @behaviour dynamodb.conditions s3.conditional-puts secrets.versions sqs.visibility */

import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { sha256Hex } from '../../../shared/runtime/hash.ts';
import { DAY } from '../../../shared/runtime/time.ts';
import { AppClient } from '../../support/app-client.ts';
import { bucket, database, output, secretsOf } from '../../support/aws.ts';
import {
  type OlderRequest,
  type OlderState,
  olderVersions,
  readOlderState,
  signingSecretArn,
} from '../../support/older-state.ts';
import type { Receiver } from '../../support/receiver.ts';
import { ApiClient, Service } from '../../support/service.ts';
import { IS_THOROUGH } from '../../support/thorough.ts';
import { until } from '../../support/until.ts';

/** The data of older versions goes on under this one, as after an update of a deployed stack. */

const REQUESTS = '/api/v1/signatures';

/** Stores it as the SDK does it, at the time when it was recorded. */
async function startWith(state: OlderState): Promise<Service> {
  const service = await Service.startAt(Date.parse(state.recordedAt));
  const dynamo = database(service);
  for (const Item of state.items)
    await dynamo.send(new PutItemCommand({ TableName: output(service, 'TableName'), Item }));
  const s3 = bucket(service);
  for (const [Key, base64] of Object.entries(state.documents)) {
    const Body = Buffer.from(base64, 'base64');
    await s3.send(
      new PutObjectCommand({ Bucket: output(service, 'DocumentsBucket'), Key, Body, IfNoneMatch: '*' }),
    );
  }
  const secrets = secretsOf(service);
  for (const [SecretId, SecretString] of [
    [signingSecretArn(service.dir), state.secrets.signing],
    [output(service, 'SealSecretArn'), state.secrets.seal],
    [output(service, 'TestSealSecretArn'), state.secrets.testSeal],
  ] as const)
    await secrets.send(new PutSecretValueCommand({ SecretId, SecretString }));
  await service.useItsTimestampAuthority(state.timestampRoots);
  return service;
}

/** In the session of that time, if it still counts: those of the first version do not, since they could not be ended. */
async function signAs(
  service: Service,
  { token, email, code, cookie }: OlderRequest['signers'][number],
  wantsNewCode: boolean,
): Promise<void> {
  const signer = service.signer(token);
  if (cookie) signer.cookie = cookie;
  const isVerified = cookie !== null && (await signer.view()).status !== 401;
  if (!isVerified) {
    const asksForCode = wantsNewCode || cookie !== null;
    expect((await signer.open()).status).toBe(200);
    service.advance(31_000);
    if (asksForCode) expect((await signer.sendCode()).status).toBe(200);
    expect((await signer.verify(asksForCode ? service.code(email) : code)).status).toBe(200);
  }
  expect((await signer.sign()).status).toBe(200);
}

// By day the one that differs most.
describe.each(olderVersions().slice(0, IS_THOROUGH ? undefined : 1))('the state of version %s', (version) => {
  const state = readOlderState(version);
  let service: Service;
  let client: ApiClient;
  let receiver: Receiver;
  beforeAll(async () => {
    service = await startWith(state);
    client = new ApiClient(service.baseUrl, state.apiKey);
    receiver = await service.receiver(client);
  }, 90_000);
  afterAll(() => service?.stop());

  const get = async ({ id }: OlderRequest) => (await client.get(`${REQUESTS}/${id}`)).body;
  const ofStatus = (...statuses: string[]) =>
    state.requests.filter(({ status }) => statuses.includes(status));
  const running = ofStatus('sent', 'opened');
  const ids = (requests: { id: string }[]) => requests.map(({ id }) => id).sort();

  async function expectSealed(request: OlderRequest): Promise<void> {
    const { document_hash: hash } = await service.untilStatus(client, request.id, 'signed');
    const { status, bytes } = await client.get(`${REQUESTS}/${request.id}/document`);
    expect([status, sha256Hex(bytes)]).toEqual([200, hash]);
    const evidence = await client.get(`${REQUESTS}/${request.id}/evidence.pdf`);
    expect([evidence.status, evidence.body?.error]).toEqual(
      evidence.status === 200 ? [200, undefined] : [404, 'evidence_unavailable'],
    );
    expect((await client.get(`${REQUESTS}/${request.id}/audit-trail.pdf`)).status).toBe(200);
    expect(await service.admin('request', 'verify-audit', request.id)).toMatchObject({ intact: true });
  }

  it('is answered and listed as it was', async () => {
    for (const request of state.requests) {
      expect(await get(request)).toMatchObject({ id: request.id, status: request.status });
      expect((await client.get(`${REQUESTS}/${request.id}/signers`)).body.data).toMatchObject(
        request.signers.map(({ email, token }) => ({ email, access_token: token })),
      );
      expect(await service.admin('request', 'verify-audit', request.id)).toMatchObject({ intact: true });
    }
    const { body } = await client.get(REQUESTS);
    expect(ids(body.data)).toEqual(ids(state.requests));
    const { key, body: again, id } = state.idempotent;
    const replayed = await client.post(REQUESTS, again, { 'idempotency-key': key });
    expect([replayed.status, replayed.body.id]).toEqual([200, id]);
  });

  it('has sealed documents that can be downloaded and verified', async () => {
    for (const request of ofStatus('signed')) await expectSealed(request);
  });

  it('is signed to the end: with the code of the old mail, a new one, or in an open session', async () => {
    for (const request of running) {
      const open = [...request.signers.entries()].filter(([, { signed }]) => !signed);
      for (const [place, signer] of open) await signAs(service, signer, place > 0);
      await expectSealed(request);
      const types = () => receiver.eventsOf(request.id).map(({ type }) => type);
      await until(() => types().includes('signature_request.completed'), 'the event');
    }
  }, 90_000);

  it('is sealed, where it waited for that or the seal had been given up', async () => {
    const failed = ofStatus('stamp_failed');
    expect(await service.admin('request', 'restamp', '--all-failed')).toEqual({ queued: failed.length });
    service.advance(3 * 60_000);
    await service.runSchedule('sweep');
    for (const request of [...failed, ...ofStatus('awaiting_stamp')]) await expectSealed(request);
  }, 90_000);

  it('is found by signer and title, once the operator has made the look-ups', async () => {
    await service.admin('person', 'index');
    for (const { id, signers } of state.requests)
      for (const { email } of signers) {
        const { body } = await client.get(`${REQUESTS}?signer_email=${encodeURIComponent(email)}`);
        expect(ids(body.data)).toEqual([id]);
      }
    const { body } = await client.get(`${REQUESTS}?title_prefix=half`);
    expect(body.data).toMatchObject([{ title: 'Half signed' }]);
  });

  it('is shown on the dashboard to a new member, and to users of that time', async () => {
    const { owner_id: ownerId } = await service.admin('request', 'show', state.idempotent.id);
    await service.admin('user', 'create', '--email', 'new@example.com', '--org', ownerId, '--role', 'admin');
    const app = await AppClient.signedIn(service, 'new@example.com');
    app.owner = ownerId;
    expect(ids((await app.call('GET', REQUESTS)).body.data)).toEqual(ids(state.requests));
    for (const { id } of ofStatus('signed')) {
      expect((await app.call('GET', `${REQUESTS}/${id}`)).status).toBe(200);
      expect((await app.call('GET', `${REQUESTS}/${id}/document`)).status).toBe(200);
    }
    const early = await AppClient.signedIn(service, state.user);
    expect((await early.call('GET', '/me')).body).toMatchObject({ user: { email: state.user } });
  });

  it('is purged when its time has come', async () => {
    service.advance(31 * DAY);
    for (const job of ['expire', 'purge']) await service.runSchedule(job);
    for (const request of state.requests)
      expect((await get(request)).retention).toMatchObject({ pdf_purged: true });
    for (const request of ofStatus('signed'))
      expect((await client.get(`${REQUESTS}/${request.id}/document`)).status).toBe(410);
    for (const { id } of state.requests)
      expect(await service.admin('request', 'verify-audit', id)).toMatchObject({ intact: true });
  });
});
