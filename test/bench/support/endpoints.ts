import { randomUUID } from 'node:crypto';
import type { CallRecord } from '../../../local/ports.ts';
import { MINUTE } from '../../../shared/runtime/time.ts';
import { first, type Sent, type SigningStage } from '../../support/signing-stage.ts';
import { type Tally, tally } from './calls.ts';
import { untilQuiet } from './quiet.ts';

/** What every endpoint costs in warm functions: each call is made once unmeasured, then measured. */

export interface EndpointCost {
  label: string;
  function: string;
  cost: Tally;
}

interface Case {
  label: string;
  function: string;
  /** Brings about what the call needs, and gives the call. */
  prepare: () => Promise<() => Promise<{ status: number }>>;
}

const path = '/api/v1/signatures';
const hooks = '/api/v1/webhook-endpoints';

const of = (name: string, label: string, prepare: Case['prepare']): Case => ({
  function: name,
  label,
  prepare,
});

/** Endpoints that were registered to be removed again. */
const unwanted: string[] = [];

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
  const hook = async () => (await client.get(hooks)).body.data[0].id as string;
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
    of('create-signature', 'create, 3 signers', () => now(() => client.post(path, body()))),
    of('create-signature', 'create, 3 signers, with an idempotency key', () =>
      now(() => client.post(path, body(), key())),
    ),
    of('create-signature', 'create, repeated', async () => {
      const [sent, headers] = [body(), key()];
      await client.post(path, sent, headers);
      return () => client.post(path, sent, headers);
    }),
    of('list-signatures', 'list, a page of 20', () => now(() => client.get(path))),
    of(
      'get-signature',
      'get, 3 signers',
      withRequest(({ id }) => client.get(`${path}/${id}`)),
    ),
    of(
      'cancel-signature',
      'cancel, 3 signers',
      withRequest(({ id }) => stage.cancel(id)),
    ),
    of(
      'get-document',
      'get the sealed document',
      withSealed((id) => client.get(`${path}/${id}/document`)),
    ),
    of(
      'get-audit-trail',
      'get the audit trail as PDF',
      withSealed((id) => client.get(`${path}/${id}/audit-trail.pdf`)),
    ),
    of(
      'list-signers',
      'list the signers',
      withRequest(({ id }) => client.get(`${path}/${id}/signers`)),
    ),
    of(
      'resend-invitation',
      'resend an invitation',
      withRequest(({ id, signers }) => stage.resend(id, first(signers).id)),
    ),
    of('create-upload', 'begin an upload', () => now(() => client.post('/api/v1/uploads'))),
    of('list-webhook-endpoints', 'list webhook endpoints', () => now(() => client.get(hooks))),
    of('create-webhook-endpoint', 'register a webhook endpoint', () =>
      now(async () => {
        const answer = await client.post(hooks, { url: stage.receiver.url });
        if (answer.status === 201) unwanted.push(answer.body.id);
        return answer;
      }),
    ),
    of('get-webhook-endpoint', 'get a webhook endpoint', async () => {
      const id = await hook();
      return () => client.get(`${hooks}/${id}`);
    }),
    of('update-webhook-endpoint', 'change a webhook endpoint', async () => {
      const id = await hook();
      return () => client.call('PATCH', `${hooks}/${id}`, { url: stage.receiver.url });
    }),
    of('delete-webhook-endpoint', 'remove a webhook endpoint', async () => {
      const id = unwanted.pop();
      return () => client.call('DELETE', `${hooks}/${id}`);
    }),
    of('test-webhook-endpoint', 'test a webhook endpoint', async () => {
      const id = await hook();
      return () => client.post(`${hooks}/${id}/test`);
    }),
    of('list-webhook-deliveries', 'list deliveries', async () => {
      const id = await hook();
      return () => client.get(`${hooks}/${id}/deliveries`);
    }),
    of('health', 'health', () => now(() => client.get('/api/health'))),
  ];
}

function signerCases(stage: SigningStage): Case[] {
  const invited = async (signers = 3) => first((await stage.send(signers)).signers);
  const verified = async (signers = 3) => stage.verified(await invited(signers));
  return [
    of('open-link', 'open a link', async () => {
      const signer = stage.linkOf(await invited());
      return () => signer.open();
    }),
    of('open-link', 'open it again', async () => {
      const signer = stage.linkOf(await invited());
      await signer.open();
      return () => signer.open();
    }),
    of('send-code', 'ask for a new code', async () => {
      const signer = stage.linkOf(await invited());
      await signer.open();
      stage.service.advance(2 * MINUTE);
      return () => signer.sendCode();
    }),
    of('verify-code', 'type the code', async () => {
      const person = await invited();
      const signer = stage.linkOf(person);
      await signer.open();
      return () => signer.verify(stage.service.code(person.email));
    }),
    of('get-request', 'see the request', async () => {
      const signer = await verified();
      return () => signer.view();
    }),
    of('get-original', 'see the document, first time', async () => {
      const signer = await verified();
      return () => signer.call('GET', '/document');
    }),
    of('get-original', 'see it again', async () => {
      const signer = await verified();
      await signer.call('GET', '/document');
      return () => signer.call('GET', '/document');
    }),
    of('sign', 'sign, one of three', async () => {
      const signer = await verified();
      return () => signer.sign();
    }),
    of('sign', 'sign, the last', async () => {
      const signer = await verified(1);
      return () => signer.sign();
    }),
    of('decline', 'decline', async () => {
      const signer = await verified();
      return () => signer.decline('No');
    }),
    of('get-sealed-document', 'get the sealed document, as a signer', async () => {
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

async function measure(stage: SigningStage, { label, function: name, prepare }: Case): Promise<EndpointCost> {
  let calls: CallRecord[] = [];
  for (const round of ['warming', 'measuring']) {
    const call = await prepare();
    await untilQuiet(stage.service);
    calls = await stage.service.callsOf(name, async () => {
      const { status } = await call();
      if (status >= 300) throw new Error(`${label} (${round}) answered ${status}.`);
    });
  }
  return { label, function: name, cost: tally(calls) };
}

export async function measureEndpoints(
  stage: SigningStage,
): Promise<{ client: EndpointCost[]; signer: EndpointCost[] }> {
  const all = async (cases: Case[]) => {
    const costs: EndpointCost[] = [];
    for (const each of cases) costs.push(await measure(stage, each));
    return costs;
  };
  return { client: await all(clientCases(stage)), signer: await all(signerCases(stage)) };
}
