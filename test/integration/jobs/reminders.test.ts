/** @behaviour dynamodb.conditions */

import { DAY, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
}, 90_000);
afterAll(() => stage.close());

const REMINDER = /^Reminder:/;
const reminders = (email = '') => stage.mails(email, REMINDER).length;
const remind = () => stage.service.runSchedule('remind');

/** Advances the clock and runs the job three times concurrently, to find duplicates. */
async function advanceDays(days: number): Promise<void> {
  stage.service.advance(days * DAY);
  await Promise.all([remind(), remind(), remind()]);
}

/** Runs the job while SES takes none of its mails. */
async function remindWhilePaused(): Promise<void> {
  for (let after = 1; after <= 20; after += 1)
    stage.service.fault({
      service: 'ses',
      operation: 'SendEmail',
      function: 'remind',
      after,
      effect: 'error',
      error_code: 'AccountSendingPausedException',
    });
  await remind();
  stage.service.cloud.services.clearFaults();
}

describe('reminders', () => {
  it('a signer who has not signed is reminded after three days and after seven, and never again', async () => {
    const { id, signers } = await stage.send();
    const email = signers[0]?.email;
    stage.service.advance(3 * DAY - 60_000);
    await remind();
    expect(reminders(email)).toBe(0);
    stage.service.advance(61_000);
    await Promise.all([remind(), remind(), remind()]);
    expect(reminders(email)).toBe(1);
    await advanceDays(3);
    expect(reminders(email)).toBe(1);
    await advanceDays(1);
    expect(reminders(email)).toBe(2);
    for (let week = 0; week < 3; week += 1) await advanceDays(7);
    expect(reminders(email)).toBe(2);
    expect(await stage.countEvents(id, 'reminder_sent')).toBe(2);
    await stage.expectIntact(id);
    const [mail] = stage.mails(email ?? '', REMINDER);
    expect(mail?.text).toContain(`/sign/${signers[0]?.access_token}`);
    expect(mail?.text).not.toMatch(/\b\d{6}\b/);
  });

  it('a signer gets one reminder for all those that were due during an outage', async () => {
    const { signers } = await stage.send();
    await advanceDays(9);
    expect(reminders(signers[0]?.email)).toBe(1);
    await advanceDays(1);
    expect(reminders(signers[0]?.email)).toBe(1);
  });

  it('only signers who have not signed are reminded, and none after the request ends', async () => {
    const half = await stage.send(2);
    await (await stage.verifiedLate(half, 0)).sign();
    const cancelled = await stage.send();
    await stage.cancel(cancelled.id);
    await advanceDays(3);
    expect(half.signers.map(({ email }) => reminders(email))).toEqual([0, 1]);
    expect(reminders(cancelled.signers[0]?.email)).toBe(0);
    await stage.cancel(half.id);
    await advanceDays(4);
    expect(half.signers.map(({ email }) => reminders(email))).toEqual([0, 1]);
  });

  it('no signer is reminded if the request or the organization turned reminders off', async () => {
    const without = await stage.send(1, { reminders: false });
    const organization = await stage.service.client();
    const before = await stage.send(1, {}, organization);
    await stage.service.admin('org', 'update', organization.ownerId, '--reminders', 'off');
    const after = await stage.send(1, {}, organization);
    await advanceDays(3);
    await advanceDays(4);
    for (const { signers } of [without, before, after]) expect(reminders(signers[0]?.email)).toBe(0);
  });

  it('a reminder due while the organization has reminders off is skipped, not postponed', async () => {
    const organization = await stage.service.client();
    const { signers } = await stage.send(1, {}, organization);
    const email = signers[0]?.email;
    await stage.service.admin('org', 'update', organization.ownerId, '--reminders', 'off');
    await advanceDays(3);
    await stage.service.admin('org', 'update', organization.ownerId, '--reminders', 'on');
    await advanceDays(1);
    expect(reminders(email)).toBe(0);
    await advanceDays(3);
    expect(reminders(email)).toBe(1);
    await advanceDays(7);
    expect(reminders(email)).toBe(1);
  });

  it('a reminder that SES cannot take keeps nobody from asking for a code, and is mailed by the next run', async () => {
    const { signers, id } = await stage.send();
    stage.service.advance(3 * DAY + 30_000);
    await remindWhilePaused();
    expect(reminders(signers[0]?.email)).toBe(0);
    const answer = await stage.service.signer(signers[0]?.access_token ?? '').sendCode();
    expect(answer).toMatchObject({ status: 200, body: { sent: true } });
    await advanceDays(1);
    expect(reminders(signers[0]?.email)).toBe(1);
    expect(await stage.countEvents(id, 'reminder_failed')).toBe(0);
  });

  it('a reminder lost in a crash is sent again, and twice only if the crash was after the mail', async () => {
    for (const [effect, expected] of [
      ['kill', 1],
      ['kill-after', 2],
    ] as const) {
      const { signers, id } = await stage.send();
      stage.service.advance(3 * DAY - 30_000);
      await remind();
      stage.service.fault({ service: 'ses', operation: 'SendEmail', function: 'remind', after: 1, effect });
      stage.service.advance(31_000);
      await remind().catch(() => undefined);
      stage.service.advance(60_000);
      await remind();
      await remind();
      expect(reminders(signers[0]?.email)).toBe(expected);
      expect(await stage.countEvents(id, 'reminder_sent')).toBe(1);
    }
  });
});
