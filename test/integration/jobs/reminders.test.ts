import { DAY, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
}, 90_000);
afterAll(() => stage.close());

const REMINDER = /^Reminder:/;
const reminders = (email = '') => stage.mails(email, REMINDER).length;
const remind = () => stage.service.runSchedule('remind');

/** Moves the clock past a day's run of the job, and runs it more often than anybody would. */
async function nextDays(days: number): Promise<void> {
  stage.service.advance(days * DAY);
  await Promise.all([remind(), remind(), remind()]);
}

describe('a signer who has not signed', () => {
  it('is reminded after three days and after seven, and never again', async () => {
    const { id, signers } = await stage.create();
    const email = signers[0]?.email;
    stage.service.advance(3 * DAY - 60_000);
    await remind();
    expect(reminders(email)).toBe(0);
    stage.service.advance(61_000);
    await Promise.all([remind(), remind(), remind()]);
    expect(reminders(email)).toBe(1);
    await nextDays(3);
    expect(reminders(email)).toBe(1);
    await nextDays(1);
    expect(reminders(email)).toBe(2);
    for (let week = 0; week < 3; week += 1) await nextDays(7);
    expect(reminders(email)).toBe(2);
    expect(await stage.trail(id, 'reminder_sent')).toBe(2);
    await stage.intact(id);
    const [mail] = stage.mails(email ?? '', REMINDER);
    expect(mail?.text).toContain(`/sign/${signers[0]?.access_token}`);
    expect(mail?.text).not.toMatch(/\b\d{6}\b/);
  }, 60_000);

  it('hears once of reminders that a standstill let pass', async () => {
    const { signers } = await stage.create();
    await nextDays(9);
    expect(reminders(signers[0]?.email)).toBe(1);
    await nextDays(1);
    expect(reminders(signers[0]?.email)).toBe(1);
  }, 60_000);

  it('is reminded alone: who has signed is left in peace, and nobody is after the end', async () => {
    const half = await stage.create(2);
    await (await stage.verified(half, 0)).sign();
    const cancelled = await stage.create();
    await stage.cancel(cancelled.id);
    await nextDays(3);
    expect(half.signers.map(({ email }) => reminders(email))).toEqual([0, 1]);
    expect(reminders(cancelled.signers[0]?.email)).toBe(0);
    await stage.cancel(half.id);
    await nextDays(4);
    expect(half.signers.map(({ email }) => reminders(email))).toEqual([0, 1]);
  }, 60_000);

  it('is not reminded where the request or the organization does without', async () => {
    const without = await stage.create(1, { reminders: false });
    const organization = await stage.service.client();
    const begun = await stage.create(1, {}, organization);
    await stage.service.admin('org', 'update', organization.ownerId, '--reminders', 'off');
    const after = await stage.create(1, {}, organization);
    await nextDays(3);
    await nextDays(4);
    for (const { signers } of [without, begun, after]) expect(reminders(signers[0]?.email)).toBe(0);
  }, 60_000);

  it('misses the reminder of a day on which the organization did without, and gets the next', async () => {
    const organization = await stage.service.client();
    const { signers } = await stage.create(1, {}, organization);
    const email = signers[0]?.email;
    await stage.service.admin('org', 'update', organization.ownerId, '--reminders', 'off');
    await nextDays(3);
    await stage.service.admin('org', 'update', organization.ownerId, '--reminders', 'on');
    await nextDays(1);
    expect(reminders(email)).toBe(0);
    await nextDays(3);
    expect(reminders(email)).toBe(1);
    await nextDays(7);
    expect(reminders(email)).toBe(1);
  }, 60_000);

  it('gets the mail that a crash swallowed, and a second one at most where it struck after the mail', async () => {
    for (const [effect, expected] of [
      ['kill', 1],
      ['kill-after', 2],
    ] as const) {
      const { signers, id } = await stage.create();
      stage.service.advance(3 * DAY - 30_000);
      await remind();
      stage.service.fault({ service: 'ses', operation: 'SendEmail', function: 'remind', after: 1, effect });
      stage.service.advance(31_000);
      await remind().catch(() => undefined);
      stage.service.advance(60_000);
      await remind();
      await remind();
      expect(reminders(signers[0]?.email)).toBe(expected);
      expect(await stage.trail(id, 'reminder_sent')).toBe(1);
    }
  }, 60_000);
});
