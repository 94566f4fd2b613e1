import { randomUUID } from 'node:crypto';
import type { Tally } from '../../../docs/cost/measured.ts';
import type { CallRecord } from '../../../local/ports.ts';
import { MINUTE } from '../../../shared/runtime/time.ts';
import { first, type Sent, type SigningStage } from '../../support/signing-stage.ts';
import { steps, tally } from './calls.ts';

/** Measures every endpoint in warm functions: each call runs once to warm up, then measured. */

interface EndpointCost {
  label: string;
  function: string;
  /** Calls at the same time are one step. */
  steps: number;
  cost: Tally;
}

interface Case {
  label: string;
  function: string;
  /** Prepares the data and returns the call to measure. */
  prepare: () => Promise<() => Promise<{ status: number }>>;
}

const PATH = '/api/v1/signatures';
const ENDPOINTS_PATH = '/api/v1/webhook-endpoints';

const testCase = (name: string, label: string, prepare: Case['prepare']): Case => ({
  function: name,
  label,
  prepare,
});

/** Endpoints registered by one case, for the deletion case to delete. */
const endpointsToDelete: string[] = [];

function clientCases(stage: SigningStage): Case[] {
  const { client, pdf } = stage;
  let number = 0;
  const body = () => {
    number += 1;
    return {
      title: 'Contract',
      signers: [0, 1, 2].map((n) => ({ email: `bench${number}-${n}@example.com`, name: `Signer ${n}` })),
      document: { filename: 'contract.pdf', content_base64: pdf.toString('base64') },
    };
  };
  const key = () => ({ 'idempotency-key': randomUUID() });
  const firstEndpointId = async () => (await client.get(ENDPOINTS_PATH)).body.data[0].id as string;
  const withRequest = (call: (sent: Sent) => Promise<{ status: number }>) => async () => {
    const sent = await stage.send(3);
    return () => call(sent);
  };
  const withSealed = (call: (id: string) => Promise<{ status: number }>) => async () => {
    const id = await sealed(stage);
    return () => call(id);
  };
  const now = async (call: () => Promise<{ status: number }>) => call;
  return [
    testCase('create-signature', 'create, 3 signers', () => now(() => client.post(PATH, body()))),
    testCase('create-signature', 'create, 3 signers, with an idempotency key', () =>
      now(() => client.post(PATH, body(), key())),
    ),
    testCase('create-signature', 'create, repeated', async () => {
      const [sent, headers] = [body(), key()];
      await client.post(PATH, sent, headers);
      return () => client.post(PATH, sent, headers);
    }),
    testCase('list-signatures', 'list, a page of 20', () => now(() => client.get(PATH))),
    testCase(
      'get-signature',
      'get, 3 signers',
      withRequest(({ id }) => client.get(`${PATH}/${id}`)),
    ),
    testCase(
      'cancel-signature',
      'cancel, 3 signers',
      withRequest(({ id }) => stage.cancel(id)),
    ),
    testCase(
      'get-document',
      'get the sealed document',
      withSealed((id) => client.get(`${PATH}/${id}/document`)),
    ),
    testCase(
      'get-audit-trail',
      'get the audit trail as PDF',
      withSealed((id) => client.get(`${PATH}/${id}/audit-trail.pdf`)),
    ),
    testCase(
      'list-signers',
      'list the signers',
      withRequest(({ id }) => client.get(`${PATH}/${id}/signers`)),
    ),
    testCase(
      'resend-invitation',
      'resend an invitation',
      withRequest(({ id, signers }) => stage.resend(id, first(signers).id)),
    ),
    testCase('create-upload', 'begin an upload', () => now(() => client.post('/api/v1/uploads'))),
    testCase('list-webhook-endpoints', 'list webhook endpoints', () => now(() => client.get(ENDPOINTS_PATH))),
    testCase('create-webhook-endpoint', 'register a webhook endpoint', () =>
      now(async () => {
        const answer = await client.post(ENDPOINTS_PATH, { url: stage.receiver.url });
        if (answer.status === 201) endpointsToDelete.push(answer.body.id);
        return answer;
      }),
    ),
    testCase('get-webhook-endpoint', 'get a webhook endpoint', async () => {
      const id = await firstEndpointId();
      return () => client.get(`${ENDPOINTS_PATH}/${id}`);
    }),
    testCase('update-webhook-endpoint', 'change a webhook endpoint', async () => {
      const id = await firstEndpointId();
      // Another each time: what changes nothing is not written.
      return () => client.call('PATCH', `${ENDPOINTS_PATH}/${id}`, { description: randomUUID() });
    }),
    testCase('delete-webhook-endpoint', 'remove a webhook endpoint', async () => {
      const id = endpointsToDelete.pop();
      return () => client.call('DELETE', `${ENDPOINTS_PATH}/${id}`);
    }),
    testCase('test-webhook-endpoint', 'test a webhook endpoint', async () => {
      const id = await firstEndpointId();
      return () => client.post(`${ENDPOINTS_PATH}/${id}/test`);
    }),
    testCase('list-webhook-deliveries', 'list deliveries', async () => {
      const id = await firstEndpointId();
      return () => client.get(`${ENDPOINTS_PATH}/${id}/deliveries`);
    }),
    testCase('health', 'health', () => now(() => client.get('/api/health'))),
    testCase('get-openapi', 'OpenAPI document', () => now(() => client.get('/api/v1/openapi.json'))),
  ];
}

function signerCases(stage: SigningStage): Case[] {
  const newSigner = async (signers = 3) => first((await stage.send(signers)).signers);
  const verified = async (signers = 3) => stage.verified(await newSigner(signers));
  return [
    testCase('open-link', 'open a link', async () => {
      const signer = stage.linkOf(await newSigner());
      return () => signer.open();
    }),
    testCase('open-link', 'open it again', async () => {
      const signer = stage.linkOf(await newSigner());
      await signer.open();
      return () => signer.open();
    }),
    testCase('send-code', 'ask for a new code', async () => {
      const signer = stage.linkOf(await newSigner());
      await signer.open();
      stage.service.advance(2 * MINUTE);
      return () => signer.sendCode();
    }),
    testCase('verify-code', 'type the code', async () => {
      const person = await newSigner();
      const signer = stage.linkOf(person);
      await signer.open();
      return () => signer.verify(stage.service.code(person.email));
    }),
    testCase('get-request', 'see the request', async () => {
      const signer = await verified();
      return () => signer.view();
    }),
    testCase('get-original', 'see the document, first time', async () => {
      const signer = await verified();
      return () => signer.call('GET', '/document');
    }),
    testCase('get-original', 'see it again', async () => {
      const signer = await verified();
      await signer.call('GET', '/document');
      return () => signer.call('GET', '/document');
    }),
    testCase('sign', 'sign, one of three', async () => {
      const signer = await verified();
      return () => signer.sign();
    }),
    testCase('sign', 'sign, the last', async () => {
      const signer = await verified(1);
      return () => signer.sign();
    }),
    testCase('decline', 'decline', async () => {
      const signer = await verified();
      return () => signer.decline('No');
    }),
    testCase('get-sealed-document', 'get the sealed document, as a signer', async () => {
      const sent = await stage.send(1);
      const signer = await stage.verified(first(sent.signers));
      await signer.sign();
      await stage.untilStatus(sent.id, 'signed');
      return () => signer.call('GET', '/sealed-document');
    }),
  ];
}

async function sealed(stage: SigningStage): Promise<string> {
  const sent = await stage.send(1);
  await stage.sign(first(sent.signers));
  await stage.untilStatus(sent.id, 'signed');
  return sent.id;
}

/** Calls at the same time overlap if each takes so long. */
const SLOW_MS = 40;

/** Makes the function's next calls slow, if they are like these. */
function slowDown({ service }: SigningStage, name: string, calls: CallRecord[]): void {
  const counts = new Map<string, number>();
  for (const { service: of, operation } of calls) {
    const after = (counts.get(`${of}.${operation}`) ?? 0) + 1;
    counts.set(`${of}.${operation}`, after);
    service.fault({ service: of, operation, function: name, after, effect: 'delay', ms: SLOW_MS });
  }
}

async function measure(stage: SigningStage, { label, function: name, prepare }: Case): Promise<EndpointCost> {
  const round = async (before: () => void = () => undefined): Promise<CallRecord[]> => {
    const call = await prepare();
    await stage.service.untilQueuesEmpty();
    before();
    return stage.service.callsOf(name, async () => {
      const { status } = await call();
      if (status >= 300) throw new Error(`${label} answered ${status}.`);
    });
  };
  await round();
  const calls = await round();
  const slow = await round(() => slowDown(stage, name, calls));
  stage.service.cloud.services.clearFaults();
  return { label, function: name, steps: steps(slow), cost: tally(calls) };
}

const sealing = (stage: SigningStage): Case =>
  testCase('seal', 'seal a document', async () => {
    const { id, signers } = await stage.send(3);
    const verified = [];
    for (const signer of signers) verified.push(await stage.verified(signer));
    const last = verified.pop();
    for (const signer of verified) await signer.sign();
    return async () => {
      const answer = await last?.sign();
      await stage.untilStatus(id, 'signed');
      await stage.service.untilQueuesEmpty();
      return answer ?? { status: Number.NaN };
    };
  });

export interface EndpointCosts {
  client: EndpointCost[];
  signer: EndpointCost[];
  seal: EndpointCost;
}

export async function measureEndpoints(stage: SigningStage): Promise<EndpointCosts> {
  const all = async (cases: Case[]) => {
    const costs: EndpointCost[] = [];
    for (const each of cases) costs.push(await measure(stage, each));
    return costs;
  };
  return {
    client: await all(clientCases(stage)),
    signer: await all(signerCases(stage)),
    seal: await measure(stage, sealing(stage)),
  };
}
