/** @behaviour sqs.visibility */

import type { Fault } from '../../../local/ports.ts';
import { NoticeStage } from '../../support/notice-stage.ts';
import { someOf } from '../../support/thorough.ts';
import { until } from '../../support/until.ts';

/** Kills the run of a notice at each of its calls, before and after the call took effect. */

const SENDER = 'office@example.com';

let stage: NoticeStage;
beforeAll(async () => {
  stage = await NoticeStage.openCold();
  await stage.notify(SENDER);
}, 90_000);
afterAll(() => stage.close());

const CALLS: [service: string, operation: string, calls: number][] = [
  ['dynamodb', 'GetItem', 2],
  ['dynamodb', 'Query', 1],
  ['ses', 'SendEmail', 2],
  // The lease, and the record of both mails.
  ['dynamodb', 'TransactWriteItems', 2],
];
const POINTS = CALLS.flatMap(([service, operation, calls]) =>
  Array.from({ length: calls }, (_, nth) =>
    (['kill', 'kill-after'] as const).map((effect): [string, string, number, Fault['effect']] => [
      service,
      operation,
      nth + 1,
      effect,
    ]),
  ).flat(),
);

it.each(someOf(POINTS, 3))(
  'a notice interrupted at %s %s number %i (%s) reaches everyone, and nobody more than twice',
  async (service, operation, after, effect) => {
    const title = `${operation} ${after} ${effect}`;
    const request = await stage.signing.send(2, { title });
    await stage.untilOutboxIsEmpty();
    const [declining, other] = request.signers;
    if (!declining || !other) throw new Error('Two signers were asked for.');
    const signer = await stage.signing.verified(declining);
    stage.service.fault({ service, operation, function: 'complete-mail', after, effect });
    expect((await signer.decline()).status).toBe(200);
    await until(() => stage.service.cloud.services.faults().length === 0, 'the fault');
    await stage.sweepUntilOutboxIsEmpty();

    const told = (to: string, subject: string) =>
      stage.service.mails(to).filter((mail) => mail.subject === `${subject}: “${title}”`).length;
    const counts = [told(SENDER, 'Declined'), told(other.email, 'Ended without a result')];
    const isRecord = operation === 'TransactWriteItems' && after === 2;
    const wereUnderWay = operation === 'SendEmail' || isRecord;
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...counts)).toBeLessThanOrEqual(wereUnderWay ? 2 : 1);
    // Both were mailed, and their record lost.
    if (isRecord && effect === 'kill') expect(counts).toEqual([2, 2]);
    for (const type of ['sender_notice_sent', 'signer_notice_sent'])
      expect(await stage.signing.trail(request.id, type)).toHaveLength(1);
  },
);

const LINK_POINTS = [
  ['dynamodb', 'TransactWriteItems', 1, 'kill'],
  ['dynamodb', 'TransactWriteItems', 1, 'kill-after'],
  ['dynamodb', 'TransactWriteItems', 2, 'kill-after'],
  ['ses', 'SendEmail', 2, 'kill'],
  ['ses', 'SendEmail', 2, 'kill-after'],
] as const;

it.each(someOf(LINK_POINTS, 2))(
  'every mailed link to the sealed document works, though the run was interrupted at %s %s number %i (%s)',
  async (service, operation, after, effect) => {
    const request = await stage.signing.send(2);
    for (const [place, signer] of request.signers.entries()) {
      const client = await stage.signing.verified(signer);
      if (place === 1) stage.service.fault({ service, operation, function: 'complete-mail', after, effect });
      expect((await client.sign()).status).toBe(200);
    }
    await stage.signing.untilStatus(request.id, 'signed');
    await until(() => stage.service.cloud.services.faults().length === 0, 'the fault');
    await stage.sweepUntilOutboxIsEmpty();
    const tokens = request.signers.map(({ email }) =>
      stage.service.mails(email).flatMap(({ text }) => /\/sign\/copy#([\w-]+)/.exec(text)?.[1] ?? []),
    );
    const copies = tokens.map(({ length }) => length);
    expect(Math.min(...copies)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...copies)).toBeLessThanOrEqual(2);
    for (const token of tokens.flat())
      expect((await stage.signing.withCopyLink(token, '/sealed-document')).status).toBe(200);
  },
);
