import type { Life } from '../../../docs/cost/measured.ts';
import { requestPartition } from '../../../shared/store/keys.ts';
import { tableOf } from '../../support/aws.ts';
import type { SigningStage } from '../../support/signing-stage.ts';
import { until } from '../../support/until.ts';
import { tally } from './calls.ts';

/**
 * Measures the whole life of a typical request with three signers and a webhook endpoint: created, read twice, opened,
 * viewed and signed by each, sealed, notified and downloaded by the sender. The cost page is computed from it.
 */

const SIGNERS = 3;

export async function measureLife(stage: SigningStage): Promise<Life> {
  await runLife(stage);
  const { services } = stage.service.cloud;
  services.clearCalls();
  const { id, sealedBytes, counts } = await runLife(stage);
  const calls = services.calls();
  const events = stage.receiver.eventsOf(id).length;
  const jobs: Record<string, number> = {
    seal: 1,
    'complete-mail': 1,
    'publish-event': events,
    'deliver-webhook': events,
  };
  const functions = Object.fromEntries(
    Object.entries({ ...counts, ...jobs }).map(([name, invocations]) => {
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

async function runLife(stage: SigningStage) {
  const counts: Record<string, number> = {};
  const count = <T>(name: string, answer: T): T => {
    counts[name] = (counts[name] ?? 0) + 1;
    return answer;
  };
  const { id, signers } = count('create-signature', await stage.send(SIGNERS));
  await untilTold(stage, id, 'signature_request.sent');
  for (const { access_token, email } of signers) {
    const signer = stage.service.signer(access_token);
    count('open-link', await signer.open());
    // A delivery's entry in the audit trail may meet one of the signer's, and one of the two is then written again.
    await stage.service.untilQueuesEmpty();
    count('verify-code', await signer.verify(stage.service.code(email)));
    count('get-original', await signer.call('GET', '/document'));
    count('get-request', undefined);
    const { status } = count('sign', await signer.sign());
    if (status !== 200) throw new Error(`The signature was refused: ${status}.`);
  }
  // The sender reads the request after the event; polling by this benchmark must not count.
  await untilTold(stage, id, 'signature_request.completed');
  await stage.service.untilQueuesEmpty();
  count('get-signature', await stage.get(id));
  count('get-signature', await stage.get(id));
  const sealed = count('get-document', await stage.sealedDocument(id));
  return { id, sealedBytes: sealed.length, counts };
}

const untilTold = (stage: SigningStage, id: string, type: string) =>
  until(() => stage.told(id, type).length > 0, `the event ${type}`);

async function storedBytes(stage: SigningStage, id: string): Promise<number> {
  const table = tableOf(stage.service);
  const items = await table.queryAll({ pk: requestPartition(id) });
  return items.reduce((sum: number, item) => sum + Buffer.byteLength(JSON.stringify(item)), 0);
}
