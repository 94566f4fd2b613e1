import { DAY, HOUR, MINUTE, SECOND } from '../../../shared/runtime/time.ts';
import { endpointKey, outboxKey, signerKey } from '../../../shared/store/keys.ts';
import { claimObject } from '../../../shared/store/object-claims.ts';
import { evidenceKey, sealedKey } from '../../../shared/store/objects.ts';
import { sealOutboxId } from '../../../shared/store/outbox.ts';
import { AppClient } from '../../support/app-client.ts';
import { bucket, output, replaceObject, tableOf } from '../../support/aws.ts';
import { withOlderLink } from '../../support/older-link.ts';
import { makePdfOfSize } from '../../support/pdf.ts';
import type { ApiClient } from '../../support/service.ts';
import { drawnSignature } from '../../support/signature-input.ts';
import { first, type Invited, type Sent, type SigningStage } from '../../support/signing-stage.ts';
import { until } from '../../support/until.ts';
import { renewedInArchive } from './renewed-in-archive.ts';

/** Makes every function do everything it can once, including rare cases, so that all used permissions are seen. */

const PATH = '/api/v1/signatures';

/** Refuses the next calls of an operation by a function. */
function refuseCalls({ service }: SigningStage, name: string, by: string, operation: string, calls: number) {
  for (let call = 0; call < calls; call += 1)
    service.fault({
      service: by,
      operation,
      function: name,
      after: 1,
      effect: 'error',
      error_code: 'AccessDenied',
    });
}

async function signsDrawn({ service }: SigningStage, { access_token: token, email }: Invited): Promise<void> {
  const signer = await service.verifiedSigner(token, email);
  expect((await signer.call('GET', '/document')).status).toBe(200);
  const png = Buffer.from(drawnSignature()).toString('base64');
  expect((await signer.sign({ signature: { type: 'drawn', png_base64: png } })).status).toBe(200);
}

/** A request with two signers, one of them late, that is sealed at the second attempt. */
async function sealed(stage: SigningStage): Promise<Sent> {
  const { service, client } = stage;
  const request = await stage.send(2);
  const [ann, ben] = request.signers;
  if (!ann || !ben) throw new Error('Two signers were asked for.');
  await signsDrawn(stage, ann);
  await stage.resend(request.id, ben.id);
  const link = service.signer(ben.access_token);
  await link.verify('000000');
  service.advance(31 * SECOND);
  await link.sendCode();
  // The first attempt stores the sealed file and fails at the evidence file, at each try of the SDK. The second looks for both.
  for (const after of [2, 3, 4])
    service.fault({
      service: 's3',
      operation: 'PutObject',
      function: 'seal',
      after,
      effect: 'error',
      error_code: 'InternalError',
    });
  await signsDrawn(stage, ben);
  const isPutOff = () =>
    service.cloud.services
      .calls()
      .some(
        (call) =>
          call.function === service.functionName('seal') && call.operation === 'ChangeMessageVisibility',
      );
  await until(isPutOff, 'the first attempt of the seal');
  // Later the sweep would send the job once more, and that message would not know of the first attempt.
  service.advance(31 * SECOND);
  await stage.untilStatus(request.id, 'signed');
  for (const what of ['', '/document', '/evidence.pdf', '/audit-trail.pdf', '/signers', '/events'])
    expect((await client.get(`${PATH}/${request.id}${what}`)).status).toBe(200);
  const again = await stage.verified(ann, { freshCode: true });
  for (const what of ['/sealed-document', '/evidence'])
    expect((await again.call('GET', what)).status).toBe(200);
  const token = await stage.copyToken(ann);
  for (const what of ['/copy', '/sealed-document', '/evidence'])
    expect((await stage.withCopyLink(token, what)).status).toBe(200);
  return request;
}

/** An already sealed document gets no signature page: the audit trail contains its drawings. Its signer has an older link. */
async function sealedTwice(stage: SigningStage, id: string): Promise<Sent> {
  const content = (await stage.sealedDocument(id)).toString('base64');
  const request = await stage.send(1, { document: { content_base64: content } });
  await signsDrawn(stage, await withOlderLink(stage, request));
  await stage.untilStatus(request.id, 'signed');
  expect((await stage.client.get(`${PATH}/${request.id}/audit-trail.pdf`)).status).toBe(200);
  return request;
}

async function sealedInTestMode({ service, pdf }: SigningStage): Promise<void> {
  const client: ApiClient = await service.client({ test: true });
  const { status, body } = await client.post(PATH, {
    title: 'A trial',
    signers: [{ email: 'tester@example.com', name: 'Tess' }],
    document: { content_base64: pdf.toString('base64') },
  });
  expect(status).toBe(200);
  const signer = await service.verifiedSigner(body.signers[0].access_token, 'tester@example.com');
  expect((await signer.sign()).status).toBe(200);
  await service.untilStatus(client, body.id, 'signed');
}

async function declinedAndCancelled(stage: SigningStage): Promise<void> {
  const declined = await stage.send();
  await (await stage.verified(first(declined.signers))).decline('No');
  const cancelled = await stage.send();
  expect((await stage.cancel(cancelled.id)).status).toBe(200);
  expect((await stage.client.call('DELETE', `${PATH}/${cancelled.id}/document`)).status).toBe(200);
}

/** Mails that fail in each way, and the end of code entry: the sender is told of all. */
async function failures(stage: SigningStage): Promise<void> {
  const { service } = stage;
  const { id, signers } = await stage.send(1, { signers: [{ email: 'reject@example.com', name: 'Rea' }] });
  const signer = first(signers);
  expect((await stage.resend(id, signer.id)).body.email_sent).toBe(false);
  const corrected = await stage.correct(id, signer, { name: 'Rhea' });
  expect(corrected).toMatchObject({ email_sent: false });
  const link = service.signer(corrected.access_token);
  expect((await link.sendCode()).status).toBe(502);
  const table = tableOf(service);
  const wrongCodes = Array(19).fill(new Date(service.cloud.clock.now()).toISOString());
  await table.update(signerKey(id, 0), { wrongCodes });
  expect((await link.verify('000000')).body.error).toBe('locked');
  await until(async () => (await stage.trail(id, 'invitation_failed')).length === 1, 'the failed invitation');
}

/** An invitation that bounces. */
async function bounced(stage: SigningStage): Promise<void> {
  const { id } = await stage.send(1, { signers: [{ email: 'bounce@simulator.amazonses.com' }] });
  await until(async () => (await stage.trail(id, 'mail_bounced')).length === 1, 'the bounce', 40);
}

async function otherCreations(stage: SigningStage): Promise<void> {
  const { client } = stage;
  const { body: form } = await client.post('/api/v1/uploads');
  const body = {
    title: 'Once',
    signers: [{ email: 'once@example.com' }],
    document: { upload_id: form.upload_id },
  };
  const key = { 'idempotency-key': 'the-same' };
  const refused = await client.post(PATH, body, key);
  expect([refused.status, refused.body.error]).toEqual([400, 'invalid_upload']);
  const fields = new FormData();
  for (const [name, value] of Object.entries<string>(form.fields)) fields.append(name, value);
  fields.append('file', new Blob([new Uint8Array(stage.pdf)], { type: 'application/pdf' }));
  expect((await fetch(form.url, { method: 'POST', body: fields })).ok).toBe(true);
  for (const _ of [1, 2]) expect((await client.post(PATH, body, key)).status).toBe(200);
  const large = await makePdfOfSize(5 * 1024 * 1024);
  await stage.send(1, { document: { content_base64: large.toString('base64') } });
}

async function webhooks({ service, client, receiver }: SigningStage): Promise<void> {
  const hooks = '/api/v1/webhook-endpoints';
  const { body: made } = await client.post(hooks, { url: receiver.url });
  expect((await client.call('PATCH', `${hooks}/${made.id}`, { description: 'Ours' })).status).toBe(200);
  for (const what of ['', `/${made.id}`, `/${made.id}/deliveries`])
    expect((await client.get(`${hooks}${what}`)).status).toBe(200);
  expect((await client.post(`${hooks}/${made.id}/test`)).status).toBeLessThan(300);
  const [delivered] = await until(async () => {
    const { data } = (await client.get(`${hooks}/${made.id}/deliveries?include=bodies`)).body;
    return data.length > 0 && data;
  }, 'a delivery');
  expect(delivered.request_body).toContain(delivered.event_id);
  const again = `${hooks}/${made.id}/deliveries/${delivered.event_id}/redeliver`;
  expect((await client.post(again)).status).toBe(200);
  // An endpoint that hung recovers from the slow queue.
  const table = tableOf(service);
  const key = endpointKey(client.ownerId, 'live', made.id);
  await table.update(key, { timeouts: 3 });
  expect((await client.post(`${hooks}/${made.id}/test`)).status).toBeLessThan(300);
  await until(async () => (await table.get(key))?.timeouts === undefined, 'the recovery');
  expect((await client.call('DELETE', `${hooks}/${made.id}`)).status).toBe(200);
  // The newest endpoint is gone, which the next one asks for in its transaction.
  const { body: next } = await client.post(hooks, { url: receiver.url });
  expect((await client.call('DELETE', `${hooks}/${next.id}`)).status).toBe(200);
}

const killAtTransaction = ({ service }: SigningStage, name: string) =>
  service.fault({
    service: 'dynamodb',
    operation: 'TransactWriteItems',
    function: name,
    after: 1,
    effect: 'kill',
  });

/** A run of the seal has stored its files after their purge. */
async function sealedTooLate({ service, client, pdf }: SigningStage, id: string): Promise<void> {
  expect((await client.call('DELETE', `${PATH}/${id}/document`)).status).toBe(200);
  const table = tableOf(service);
  for (const Key of [sealedKey(id), evidenceKey(id)]) {
    await replaceObject(bucket(service), { Bucket: output(service, 'DocumentsBucket'), Key, Body: pdf });
    await claimObject(table, Key, new Date(service.cloud.clock.now()));
  }
}

/** Calls that die after they stored an object: repeated, they find it; left alone, the sweep removes it. */
async function foundObjects(stage: SigningStage): Promise<void> {
  const { service, client } = stage;
  const body = {
    title: 'Repeated',
    signers: [{ email: 'repeated@example.com', name: 'Rita' }],
    document: { content_base64: stage.pdf.toString('base64') },
  };
  const key = { 'idempotency-key': 'repeated' };
  killAtTransaction(stage, 'create-signature');
  expect((await client.post(PATH, body, key)).status).toBeGreaterThan(499);
  service.advance(61 * SECOND);
  const { status, body: sent } = await client.post<Sent>(PATH, body, key);
  expect(status).toBe(200);
  const signer = first(sent.signers);
  killAtTransaction(stage, 'sign');
  await expect(signsDrawn(stage, signer)).rejects.toThrow();
  await service.signer(signer.access_token).sendCode();
  await signsDrawn(stage, signer);
  await stage.untilStatus(sent.id, 'signed');

  killAtTransaction(stage, 'create-signature');
  expect((await client.post(PATH, body)).status).toBeGreaterThan(499);
  const signing = await stage.verified(first((await stage.send()).signers));
  killAtTransaction(stage, 'sign');
  const png_base64 = Buffer.from(drawnSignature()).toString('base64');
  const died = await signing.sign({ signature: { type: 'drawn', png_base64 } });
  expect(died.status).toBeGreaterThan(499);
  await sealedTooLate(stage, sent.id);
  service.advance(HOUR + MINUTE);
  await service.runSchedule('sweep');
}

/** The cases for the sweep: a create that crashes at its first mail, unsent messages, a seal without a job. */
async function interrupted(stage: SigningStage): Promise<void> {
  const { service } = stage;
  service.fault({
    service: 'ses',
    operation: 'SendEmail',
    function: 'create-signature',
    after: 1,
    effect: 'kill',
  });
  await stage.send().catch(() => undefined);
  for (const name of ['create-signature', 'sign']) refuseCalls(stage, name, 'sqs', 'SendMessageBatch', 6);
  const requests = [await stage.send(), await stage.send()];
  for (const { signers } of requests) await signsDrawn(stage, first(signers));
  service.cloud.services.clearFaults();
  const table = tableOf(service);
  await table.delete(outboxKey(sealOutboxId(requests[0]?.id ?? '')));
  service.advance(6 * MINUTE);
  await service.runSchedule('sweep');
  for (const { id } of requests) await stage.untilStatus(id, 'signed');
}

async function lists({ client }: SigningStage): Promise<void> {
  for (const query of ['', '?status=signed', '?limit=1', '?title_prefix=Contract'])
    expect((await client.get(`${PATH}${query}`)).status).toBe(200);
  expect((await client.get('/api/health')).status).toBe(200);
  expect((await client.get('/api/v1/openapi.json')).status).toBe(200);
  expect((await client.get(`/api/signing/v1/logos/${'0'.repeat(64)}`)).status).toBe(404);
}

const advanceTo = ({ service }: SigningStage, time: number) =>
  service.advance(time - service.cloud.clock.now());

/** Moves to noon, when no scheduled daily job can interfere with the runs here. */
function atNoon(stage: SigningStage): void {
  const now = stage.service.cloud.clock.now();
  advanceTo(stage, Math.ceil((now - 12 * HOUR) / DAY) * DAY + 12 * HOUR);
}

/** Lets the time limit of a job pass at its first item, so that it invokes itself again for the rest. */
async function runBeyondTimeLimit(stage: SigningStage, job: string, dueAt: number): Promise<void> {
  const { service } = stage;
  advanceTo(stage, dueAt - MINUTE);
  await service.runSchedule(job);
  service.advance(2 * MINUTE);
  const name = service.functionName(job);
  service.fault({
    service: 'dynamodb',
    operation: 'TransactWriteItems',
    function: name,
    after: 1,
    effect: 'delay',
    ms: 1_500,
  });
  const run = service.runSchedule(job);
  await until(() => service.cloud.services.faults().length === 0, `the first item of ${job}`);
  service.advance(10 * MINUTE);
  await run;
}

/** A purge that crashes after deleting the objects: downloads must report that they are gone. */
async function halfPurged(stage: SigningStage, once: Sent, twice: Sent): Promise<void> {
  const { service, client } = stage;
  refuseCalls(stage, 'purge', 'dynamodb', 'TransactWriteItems', 100);
  service.advance(5 * DAY);
  await service.runSchedule('purge');
  for (const what of ['/document', '/evidence.pdf'])
    expect((await client.get(`${PATH}/${once.id}${what}`)).status).toBe(410);
  const signer = await stage.verified(first(once.signers), { freshCode: true });
  for (const what of ['/sealed-document', '/evidence', '/document'])
    expect((await signer.call('GET', what)).status).toBe(410);
  expect((await client.get(`${PATH}/${twice.id}/audit-trail.pdf`)).status).toBe(200);
  service.cloud.services.clearFaults();
  await service.runSchedule('purge');
}

/** Signing in, right and wrong, and everything that an admin may do. */
async function onTheDashboard({ service }: SigningStage): Promise<void> {
  const { organization_id: organizationId } = await service.admin('org', 'create', '--name', 'Dash');
  const email = 'dash@example.com';
  await service.admin('user', 'create', '--email', email, '--org', organizationId, '--role', 'admin');
  const stranger = new AppClient(service);
  await stranger.call('POST', '/sign-in', { email });
  expect((await stranger.call('POST', '/sign-in/verify', { code: '000000' })).status).toBe(401);
  await stranger.mailedCode(email);
  const app = await AppClient.signedIn(service, email);
  await app.signIn(email);
  app.owner = organizationId;
  const { body: key } = await app.call('POST', '/api-keys', { name: 'Key' });
  const { body: member } = await app.call('POST', '/members', { email: 'new@example.com', role: 'member' });
  await app.call('PATCH', '/brand', { display_name: 'Dash' });
  const calls: [method: string, path: string, body?: unknown][] = [
    ['GET', '/api-keys'],
    ['DELETE', `/api-keys/${key.key_id}`],
    ['DELETE', `/members/${member.user_id}`],
    ['GET', '/sessions'],
    ['PATCH', '/me', { locale: 'fi' }],
    ['POST', '/sign-out'],
  ];
  for (const [method, path, body] of calls)
    expect([path, (await app.call(method, path, body)).status]).toEqual([path, 200]);
}

export async function runWholeLife(stage: SigningStage): Promise<void> {
  atNoon(stage);
  // Moves the clock, which would end the calls of anything beside it.
  const once = await sealed(stage);
  await Promise.all([
    sealedInTestMode(stage),
    declinedAndCancelled(stage),
    otherCreations(stage),
    webhooks(stage),
    onTheDashboard(stage),
  ]);
  await failures(stage);
  await bounced(stage);
  const twice = await sealedTwice(stage, once.id);
  await interrupted(stage);
  await foundObjects(stage);
  await lists(stage);
  await stage.service.runSchedule('certificates');
  await stage.service.runSchedule('gather-revocation');
  await renewedInArchive(stage.service);
  // Enough requests for more than one shard of the due index.
  const unsigned: Sent[] = [];
  while (unsigned.length < 12) unsigned.push(await stage.send());
  const sentAt = stage.service.cloud.clock.now();
  // One reminder is refused, of which the sender is told.
  const table = tableOf(stage.service);
  await table.update(signerKey(first(unsigned).id, 0), { email: 'reject@example.com' });
  await runBeyondTimeLimit(stage, 'remind', sentAt + 3 * DAY);
  await halfPurged(stage, once, twice);
  await runBeyondTimeLimit(stage, 'expire', sentAt + 30 * DAY);
  for (const { id } of unsigned) await stage.untilStatus(id, 'expired');
  await runBeyondTimeLimit(stage, 'purge', stage.service.cloud.clock.now() + 7 * DAY);
}
