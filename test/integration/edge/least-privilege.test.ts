import { ROWS } from '../../../infra/functions.ts';
import type { FunctionPlan } from '../../../local/assembly/plan.ts';
import type { PermissionUse, PolicyStatement } from '../../../local/ports.ts';
import { matchesWildcards } from '../../../local/wildcards.ts';
import { DAY, MINUTE, SECOND } from '../../../shared/runtime/time.ts';
import { makePdfOfSize } from '../../support/pdf.ts';
import { drawnSignature } from '../../support/signature-input.ts';
import { first, SigningStage } from '../../support/signing-stage.ts';
import { until } from '../../support/until.ts';

/** Every function does all that it is for; what its role allows and it never needed is listed here with the reason. */

const path = '/api/v1/signatures';

/** What AWS itself does in a function's name, so that no call of the function's is seen; and what only words a refusal. */
const DONE_BY_AWS: Record<string, string> = {
  'logs:CreateLogStream': 'Lambda writes the log',
  'logs:PutLogEvents': 'Lambda writes the log',
  'sqs:ReceiveMessage': 'the event source mapping polls the queue',
  's3:ListBucket': 'S3 says that an object is missing only to those who may list',
  'sqs:DeleteMessage': 'the event source mapping polls the queue',
  'sqs:GetQueueAttributes': 'the event source mapping polls the queue',
};

/** What is needed in cases that a run on time, on a small table, does not come to. */
const NOT_MET: Record<string, string> = {
  'lambda:InvokeFunction of expire': 'starts itself again when its ten minutes are over',
  'lambda:InvokeFunction of purge': 'starts itself again when its ten minutes are over',
  'lambda:InvokeFunction of remind': 'starts itself again when its ten minutes are over',
  'dynamodb:DeleteItem of create-signature': 'gives an Idempotency-Key back whose create was refused',
  'dynamodb:UpdateItem of seal':
    'the way a change is written covers the signers, which a seal leaves as they are',
  'dynamodb:Query of sweep': 'loads a request whose seal has no job',
  's3:GetObject of get-audit-trail':
    'shows drawings where the document came signed, and so got no page for them',
  'secretsmanager:GetSecretValue of seal': 'test requests have a certificate of their own',
  'sqs:SendMessage to DeadLetters': 'Lambda puts there what a schedule started in vain',
};

let stage: SigningStage;

interface Grant {
  action: string;
  resource: string;
}

const list = <T>(value: T | T[] | undefined): T[] => [value ?? []].flat() as T[];

const grantsOf = (statements: readonly PolicyStatement[]): Grant[] =>
  statements.flatMap(({ Action, Resource }) =>
    list(Action).flatMap((action) => list(Resource).map((resource) => ({ action, resource }))),
  );

const isUsed = ({ action, resource }: Grant, uses: readonly PermissionUse[]) =>
  uses.some(
    (use) => use.action === action && use.resources.some((named) => matchesWildcards(resource, named)),
  );

/** As the lists above name it. */
const reasonFor = (name: string, { action, resource }: Grant): string | undefined =>
  DONE_BY_AWS[action] ??
  NOT_MET[`${action} of ${name}`] ??
  (/schedule\w*-dead-letters|SchedulesDeadLetters/i.test(resource)
    ? NOT_MET[`${action} to DeadLetters`]
    : undefined) ??
  // The sender is known to SES by its address or by its domain; which of them the deployer chooses.
  (action === 'ses:SendEmail' ? 'one of the two names of the sender' : undefined);

const plans = (): Pick<FunctionPlan, 'name' | 'role'>[] => {
  const functions = Object.keys(ROWS).map((name) => {
    const plan = stage.service.cloud.functions.find(name);
    if (!plan) throw new Error(`There is no function ${name}.`);
    return plan;
  });
  return functions;
};

async function signsDrawn(token: string, email: string): Promise<void> {
  const signer = await stage.service.verifiedSigner(token, email);
  expect((await signer.call('GET', '/document')).status).toBe(200);
  const png = Buffer.from(drawnSignature()).toString('base64');
  expect((await signer.sign({ signature: { type: 'drawn', png_base64: png } })).status).toBe(200);
}

async function sealed(): Promise<void> {
  const { service, client } = stage;
  const request = await stage.send(2);
  const [ann, ben] = request.signers;
  if (!ann || !ben) throw new Error('Two signers were asked for.');
  await signsDrawn(ann.access_token, ann.email);
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
  await signsDrawn(ben.access_token, ben.email);
  await until(() => service.cloud.services.faults().length === 0, 'the first try of the seal');
  service.advance(MINUTE);
  await stage.untilStatus(request.id, 'signed');
  for (const what of ['', '/document', '/audit-trail.pdf', '/signers'])
    expect((await client.get(`${path}/${request.id}${what}`)).status).toBe(200);
  const again = await stage.verified(ann, { freshCode: true });
  expect((await again.call('GET', '/sealed-document')).status).toBe(200);
  await stage.untilMail(ann.email, /./);
}

async function endedOtherwise(): Promise<void> {
  const declined = await stage.send();
  await (await stage.verified(first(declined.signers))).decline('No');
  const cancelled = await stage.send();
  expect((await stage.cancel(cancelled.id)).status).toBe(200);
}

async function otherWaysIn(): Promise<void> {
  const { client } = stage;
  const { body: form } = await client.post('/api/v1/uploads');
  const fields = new FormData();
  for (const [name, value] of Object.entries<string>(form.fields)) fields.append(name, value);
  fields.append('file', new Blob([new Uint8Array(stage.pdf)], { type: 'application/pdf' }));
  expect((await fetch(form.url, { method: 'POST', body: fields })).ok).toBe(true);
  await stage.send(1, { document: { upload_id: form.upload_id } });
  const large = await makePdfOfSize(5 * 1024 * 1024);
  await stage.send(1, { document: { content_base64: large.toString('base64') } });
  const key = { 'idempotency-key': 'the-same' };
  const body = {
    title: 'Once',
    signers: [{ email: 'once@example.com' }],
    document: { content_base64: stage.pdf.toString('base64') },
  };
  for (const _ of [1, 2]) expect((await client.post(path, body, key)).status).toBe(200);
}

async function webhooks(): Promise<void> {
  const { client } = stage;
  const hooks = '/api/v1/webhook-endpoints';
  const { body: made } = await client.post(hooks, { url: stage.receiver.url });
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

/** A create that dies at its first mail, and messages that never leave: what the sweep is for. */
async function interrupted(): Promise<void> {
  const { service } = stage;
  service.fault({
    service: 'ses',
    operation: 'SendEmail',
    function: 'create-signature',
    after: 1,
    effect: 'kill',
  });
  await stage.send().catch(() => undefined);
  for (const caller of ['create-signature', 'sign']) {
    for (const after of [1, 2, 3])
      service.fault({
        service: 'sqs',
        operation: 'SendMessageBatch',
        function: caller,
        after,
        effect: 'error',
        error_code: 'AccessDenied',
      });
  }
  const request = await stage.send();
  const { access_token: token, email } = first(request.signers);
  await signsDrawn(token, email);
  service.cloud.services.clearFaults();
  service.advance(3 * MINUTE);
  await service.runSchedule('sweep');
  await stage.untilStatus(request.id, 'signed');
}

async function lists(): Promise<void> {
  const { client } = stage;
  for (const query of ['', '?status=signed', '?limit=1'])
    expect((await client.get(`${path}${query}`)).status).toBe(200);
  expect((await client.get('/api/health')).status).toBe(200);
}

async function daysPass(): Promise<void> {
  const { service } = stage;
  await service.runSchedule('certificates');
  for (const days of [4, 27, 8]) {
    service.advance(days * DAY);
    await service.runSchedule('remind');
    await service.runSchedule('expir');
    await service.runSchedule('purge');
  }
}

beforeAll(async () => {
  stage = await SigningStage.open();
  const lives = [sealed(), endedOtherwise(), otherWaysIn(), webhooks()];
  await Promise.all(lives);
  await interrupted();
  await lists();
  await daysPass();
}, 120_000);
afterAll(() => stage?.close());

it('every function’s role allows what the function used, and nothing else without a reason', () => {
  const uses = stage.service.cloud.services.permissionUses();
  const unused = plans().flatMap((plan) => {
    const name = plan.name.replace(`${stage.service.cloud.stackName}-`, '');
    const own = uses.filter((use) => use.function === plan.name);
    return grantsOf(plan.role.statements)
      .filter((grant) => !isUsed(grant, own) && reasonFor(name, grant) === undefined)
      .map(({ action, resource }) => `${name}: ${action} on ${resource}`);
  });
  expect(unused).toEqual([]);
});
