import { DAY, HOUR, MINUTE, SECOND } from '../../../shared/runtime/time.ts';
import { outboxKey } from '../../../shared/store/keys.ts';
import { sealOutboxId } from '../../../shared/store/outbox.ts';
import { Table } from '../../../shared/store/table.ts';
import { database, output } from '../../support/aws.ts';
import { makePdfOfSize } from '../../support/pdf.ts';
import type { ApiClient } from '../../support/service.ts';
import { drawnSignature } from '../../support/signature-input.ts';
import { first, type Invited, type Sent, type SigningStage } from '../../support/signing-stage.ts';
import { until } from '../../support/until.ts';

/** All that the functions are for, the rare cases too: each is met here once, so that it is seen what it needs. */

const path = '/api/v1/signatures';

/** As many calls as are made are refused, until the faults are cleared. */
function refuses({ service }: SigningStage, name: string, by: string, operation: string, calls: number) {
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

/** By two signers, one of them late; its seal comes at the second try. */
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
  // The first try of the seal finds the store closed, and comes back.
  for (const after of [1, 2, 3])
    service.fault({
      service: 's3',
      operation: 'GetObject',
      function: 'seal',
      after,
      effect: 'error',
      error_code: 'InternalError',
    });
  await signsDrawn(stage, ben);
  await until(() => service.cloud.services.faults().length === 0, 'the first try of the seal');
  service.advance(MINUTE);
  await stage.untilStatus(request.id, 'signed');
  for (const what of ['', '/document', '/audit-trail.pdf', '/signers'])
    expect((await client.get(`${path}/${request.id}${what}`)).status).toBe(200);
  const again = await stage.verified(ann, { freshCode: true });
  expect((await again.call('GET', '/sealed-document')).status).toBe(200);
  await stage.untilMail(ann.email, /./);
  return request;
}

/** A document that came sealed gets no page: its drawings stand in the audit trail. */
async function sealedTwice(stage: SigningStage, id: string): Promise<Sent> {
  const content = (await stage.sealedDocument(id)).toString('base64');
  const request = await stage.send(1, { document: { content_base64: content } });
  await signsDrawn(stage, first(request.signers));
  await stage.untilStatus(request.id, 'signed');
  expect((await stage.client.get(`${path}/${request.id}/audit-trail.pdf`)).status).toBe(200);
  return request;
}

async function sealedInTestMode({ service, pdf }: SigningStage): Promise<void> {
  const client: ApiClient = await service.client({ test: true });
  const { status, body } = await client.post(path, {
    title: 'A try',
    signers: [{ email: 'tester@example.com', name: 'Tess' }],
    document: { content_base64: pdf.toString('base64') },
  });
  expect(status).toBe(200);
  const signer = await service.verifiedSigner(body.signers[0].access_token, 'tester@example.com');
  expect((await signer.sign()).status).toBe(200);
  await service.untilStatus(client, body.id, 'signed');
}

async function endedOtherwise(stage: SigningStage): Promise<void> {
  const declined = await stage.send();
  await (await stage.verified(first(declined.signers))).decline('No');
  const cancelled = await stage.send();
  expect((await stage.cancel(cancelled.id)).status).toBe(200);
}

async function otherWaysIn(stage: SigningStage): Promise<void> {
  const { client } = stage;
  const { body: form } = await client.post('/api/v1/uploads');
  const body = {
    title: 'Once',
    signers: [{ email: 'once@example.com' }],
    document: { upload_id: form.upload_id },
  };
  const key = { 'idempotency-key': 'the-same' };
  const refused = await client.post(path, body, key);
  expect([refused.status, refused.body.error]).toEqual([400, 'invalid_upload']);
  const fields = new FormData();
  for (const [name, value] of Object.entries<string>(form.fields)) fields.append(name, value);
  fields.append('file', new Blob([new Uint8Array(stage.pdf)], { type: 'application/pdf' }));
  expect((await fetch(form.url, { method: 'POST', body: fields })).ok).toBe(true);
  for (const _ of [1, 2]) expect((await client.post(path, body, key)).status).toBe(200);
  const large = await makePdfOfSize(5 * 1024 * 1024);
  await stage.send(1, { document: { content_base64: large.toString('base64') } });
}

async function webhooks({ client, receiver }: SigningStage): Promise<void> {
  const hooks = '/api/v1/webhook-endpoints';
  const { body: made } = await client.post(hooks, { url: receiver.url });
  expect((await client.call('PATCH', `${hooks}/${made.id}`, { disabled: false })).status).toBe(200);
  for (const what of ['', `/${made.id}`, `/${made.id}/deliveries`])
    expect((await client.get(`${hooks}${what}`)).status).toBe(200);
  expect((await client.post(`${hooks}/${made.id}/test`)).status).toBeLessThan(300);
  await until(
    async () => (await client.get(`${hooks}/${made.id}/deliveries`)).body.data.length > 0,
    'a delivery',
  );
  expect((await client.call('DELETE', `${hooks}/${made.id}`)).status).toBe(200);
}

/** A create that dies at its first mail, messages that never leave, a seal that has no job: what the sweep is for. */
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
  for (const name of ['create-signature', 'sign']) refuses(stage, name, 'sqs', 'SendMessageBatch', 6);
  const requests = [await stage.send(), await stage.send()];
  for (const { signers } of requests) await signsDrawn(stage, first(signers));
  service.cloud.services.clearFaults();
  const table = new Table(database(service), output(service, 'TableName'));
  await table.delete(outboxKey(sealOutboxId(requests[0]?.id ?? '')));
  service.advance(6 * MINUTE);
  await service.runSchedule('sweep');
  for (const { id } of requests) await stage.untilStatus(id, 'signed');
}

async function lists({ client }: SigningStage): Promise<void> {
  for (const query of ['', '?status=signed', '?limit=1'])
    expect((await client.get(`${path}${query}`)).status).toBe(200);
  expect((await client.get('/api/health')).status).toBe(200);
}

const advanceTo = ({ service }: SigningStage, time: number) =>
  service.advance(time - service.cloud.clock.now());

/** At noon none of the daily jobs is near, which would come between those that are run here. */
function atNoon(stage: SigningStage): void {
  const now = stage.service.cloud.clock.now();
  advanceTo(stage, Math.ceil((now - 12 * HOUR) / DAY) * DAY + 12 * HOUR);
}

/** Ten minutes are over while a job works on the first of what is due: it starts itself again for the rest. */
async function overTime(stage: SigningStage, word: string, dueAt: number): Promise<void> {
  const { service } = stage;
  advanceTo(stage, dueAt - MINUTE);
  await service.runSchedule(word);
  service.advance(2 * MINUTE);
  const name = service.functionName(word);
  service.fault({
    service: 'dynamodb',
    operation: 'TransactWriteItems',
    function: name,
    after: 1,
    effect: 'delay',
    ms: 1_500,
  });
  const run = service.runSchedule(word);
  await until(() => service.cloud.services.faults().length === 0, `the first work of ${word}`);
  service.advance(10 * MINUTE);
  await run;
}

/** The documents are gone before the requests say so, for a purge can die in between: whoever asks then is told. */
async function halfPurged(stage: SigningStage, once: Sent, twice: Sent): Promise<void> {
  const { service, client } = stage;
  refuses(stage, 'purge', 'dynamodb', 'TransactWriteItems', 100);
  service.advance(5 * DAY);
  await service.runSchedule('purge');
  expect((await client.get(`${path}/${once.id}/document`)).status).toBe(410);
  const signer = await stage.verified(first(once.signers), { freshCode: true });
  for (const what of ['/sealed-document', '/document'])
    expect((await signer.call('GET', what)).status).toBe(410);
  expect((await client.get(`${path}/${twice.id}/audit-trail.pdf`)).status).toBe(200);
  service.cloud.services.clearFaults();
  await service.runSchedule('purge');
}

export async function live(stage: SigningStage): Promise<void> {
  atNoon(stage);
  const [once] = await Promise.all([
    sealed(stage),
    sealedInTestMode(stage),
    endedOtherwise(stage),
    otherWaysIn(stage),
    webhooks(stage),
  ]);
  const twice = await sealedTwice(stage, once.id);
  await interrupted(stage);
  await lists(stage);
  await stage.service.runSchedule('certificates');
  // Enough of them that they do not all lie in one shard of what is due.
  const unsigned: Sent[] = [];
  while (unsigned.length < 12) unsigned.push(await stage.send());
  const sentAt = stage.service.cloud.clock.now();
  await overTime(stage, 'remind', sentAt + 3 * DAY);
  await halfPurged(stage, once, twice);
  await overTime(stage, 'expire', sentAt + 30 * DAY);
  for (const { id } of unsigned) await stage.untilStatus(id, 'expired');
  await overTime(stage, 'purge', stage.service.cloud.clock.now() + 7 * DAY);
}
