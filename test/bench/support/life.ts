import { requestPartition } from '../../../shared/store/keys.ts';
import { Table } from '../../../shared/store/table.ts';
import type { SigningStage } from '../../support/signing-stage.ts';
import { until } from '../../support/until.ts';
import { type Tally, tally } from './calls.ts';
import { operatorTable } from './operator-table.ts';
import { untilQuiet } from './quiet.ts';

/**
 * The whole life of a request with three signers and a webhook endpoint, as most go: created, looked at twice, opened,
 * read and signed by each, sealed, told, fetched by the sender. From it the costs are computed.
 */

export interface FunctionShare {
  invocations: number;
  cost: Tally;
}

export interface Life {
  signers: number;
  documentBytes: number;
  sealedBytes: number;
  /** Bytes of items that stay in the table, indexes not counted. */
  storedBytes: number;
  events: number;
  mails: number;
  functions: Record<string, FunctionShare>;
}

const SIGNERS = 3;

export async function measureLife(stage: SigningStage): Promise<Life> {
  await live(stage);
  const { services } = stage.service.cloud;
  services.clearCalls();
  const { id, sealedBytes, called } = await live(stage);
  const calls = services.calls();
  const events = stage.receiver.eventsOf(id).length;
  const jobs: Record<string, number> = {
    seal: 1,
    'complete-mail': 2,
    'publish-event': events,
    'deliver-webhook': events,
  };
  const functions = Object.fromEntries(
    Object.entries({ ...called, ...jobs }).map(([name, invocations]) => {
      const own = calls.filter((call) => call.function === stage.service.functionName(name));
      return [name, { invocations, cost: tally(own) }] as const;
    }),
  );
  const mails = calls.filter(({ operation }) => operation.startsWith('Send') && operation.endsWith('Email'));
  return {
    signers: SIGNERS,
    documentBytes: stage.pdf.length,
    sealedBytes,
    storedBytes: await storedBytes(stage, id),
    events,
    mails: mails.length,
    functions,
  };
}

async function live(stage: SigningStage) {
  const called: Record<string, number> = {};
  const count = <T>(name: string, answer: T): T => {
    called[name] = (called[name] ?? 0) + 1;
    return answer;
  };
  const { id, signers } = count('create-signature', await stage.send(SIGNERS));
  await untilTold(stage, id, 'signature_request.sent');
  for (const { access_token, email } of signers) {
    const signer = stage.service.signer(access_token);
    count('open-link', await signer.open());
    count('verify-code', await signer.verify(stage.service.code(email)));
    count('get-original', await signer.call('GET', '/document'));
    count('get-request', undefined);
    const { status } = count('sign', await signer.sign());
    if (status !== 200) throw new Error(`The signature was refused: ${status}.`);
  }
  // The sender looks when it is told; how often a test here looks must not count.
  await untilTold(stage, id, 'signature_request.completed');
  await untilQuiet(stage.service);
  count('get-signature', await stage.get(id));
  count('get-signature', await stage.get(id));
  const sealed = count('get-document', await stage.sealedDocument(id));
  return { id, sealedBytes: sealed.length, called };
}

const untilTold = (stage: SigningStage, id: string, type: string) =>
  until(() => stage.told(id, type).length > 0, `the event ${type}`, 40);

async function storedBytes(stage: SigningStage, id: string): Promise<number> {
  const { client, name } = operatorTable(stage.service.cloud);
  const items = await new Table(client, name).queryAll({ pk: requestPartition(id) });
  return items.reduce((sum: number, item) => sum + Buffer.byteLength(JSON.stringify(item)), 0);
}
