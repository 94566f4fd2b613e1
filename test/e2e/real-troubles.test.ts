import { DAY } from '../../shared/runtime/time.ts';
import { first, wrongCode } from '../support/signing-stage.ts';
import { axeFindings, DESKTOP, PHONE, SMALL_PHONE } from './browser.ts';
import { look, realStage, toDocument, toSigning, type Visitor } from './real-stage.ts';

/** What goes otherwise than planned, before the whole service. */

const at = realStage();
const LONG = 120_000;

/** The end of a link: its words, no findings, and the same again after a reload. */
async function isOver(visitor: Visitor, reason: keyof Visitor['signer']['texts']['ended'], name: string) {
  const { signer, visit } = visitor;
  await signer.sees(signer.texts.ended[reason].heading);
  await look(visitor, name);
  expect(await axeFindings(visit.page)).toEqual([]);
  await visit.page.reload();
  await signer.sees(signer.texts.ended[reason].heading);
  expect(visit.complaints).toEqual([]);
}

it(
  'one declines with a reason: the request ends for the other, too',
  async () => {
    const request = await at.stage.send(2);
    const [one, two] = request.signers;
    if (!one || !two) throw new Error('Two signers were asked for.');
    const [declining, other] = [await at.receive(one), await at.receive(two, 'en', DESKTOP)];
    await toSigning(other);
    await toDocument(declining);
    const { signer, visit } = declining;
    await signer.toDecline();
    const reason = 'The rent is not <b>the agreed one</b>.';
    await visit.page.getByLabel(signer.texts.decline.reason).fill(reason);
    await look(declining, 'decline-3');
    expect(await axeFindings(visit.page)).toEqual([]);
    // Also here pressing twice does nothing twice.
    await visit.page.getByRole('button', { name: signer.texts.decline.submit }).dblclick();
    await isOver(declining, 'link_declined', 'decline-5');
    await other.signer.agree();
    await other.signer.press(other.signer.texts.sign.submit);
    await isOver(other, 'link_invalidated', 'decline-5-other');
    const [told] = await at.stage.untilTold(request.id, 'signature_request.declined');
    expect(told).toMatchObject({ decline_reason: reason, signer_email: one.email });
    expect(await at.stage.statuses(request.id)).toEqual(['declined', 'invalidated']);
  },
  LONG,
);

it(
  'a cancel while the page is open is said at the next step, and nothing is signed',
  async () => {
    const request = await at.stage.send();
    const visitor = await at.receive(first(request.signers));
    await toSigning(visitor);
    await visitor.signer.agree();
    expect((await at.stage.cancel(request.id)).status).toBe(200);
    await visitor.signer.press(visitor.signer.texts.sign.submit);
    await isOver(visitor, 'link_cancelled', 'cancelled-5');
    expect(await at.stage.trail(request.id, 'signer_signed')).toEqual([]);
  },
  LONG,
);

it(
  'a cancel is seen by one who comes back to the tab',
  async () => {
    const request = await at.stage.send();
    const visitor = await at.receive(first(request.signers));
    await toDocument(visitor);
    await at.stage.cancel(request.id);
    await visitor.visit.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await visitor.signer.sees(visitor.signer.texts.ended.link_cancelled.heading);
  },
  LONG,
);

it(
  'five wrong codes lock the link, and the sender’s resend opens it again',
  async () => {
    const request = await at.stage.send();
    const person = first(request.signers);
    const visitor = await at.receive(person, 'en', SMALL_PHONE);
    const { signer, visit, link, code } = visitor;
    await signer.open(link);
    for (const left of [4, 3, 2, 1]) {
      await signer.enterCode(wrongCode(code));
      await signer.seesText(signer.texts.code.wrong(left));
    }
    await look(visitor, 'locked-1-last-try');
    await signer.enterCode(wrongCode(code));
    await signer.sees(signer.texts.code.lockedHeading);
    await look(visitor, 'locked-1');
    expect(await axeFindings(visit.page)).toEqual([]);
    await visit.page.reload();
    await signer.sees(signer.texts.code.lockedHeading);
    expect((await at.stage.resend(request.id, person.id)).status).toBe(200);
    await signer.press(signer.texts.code.lockedCheck);
    await signer.sees(signer.texts.code.heading);
    await signer.enterCode(at.mailTo(person).code);
    await signer.readDocument();
    expect(visit.complaints).toEqual([]);
  },
  LONG,
);

it(
  'a new code replaces the one in the invitation',
  async () => {
    const person = first((await at.stage.send()).signers);
    const visitor = await at.receive(person);
    const { signer, visit, link } = visitor;
    await signer.open(link);
    await signer.press(signer.texts.code.sendAgain);
    await signer.seesText(signer.texts.code.sent);
    const again = visit.page.getByRole('button', { name: /New code possible in \d\d? s/ });
    expect(await again.isDisabled()).toBe(true);
    await look(visitor, 'new-code-1');
    expect(at.stage.service.mails(person.email)).toHaveLength(2);
    await signer.enterCode(at.mailTo(person).code);
    await signer.readDocument();
  },
  LONG,
);

describe('a connection that is lost at signing', () => {
  it(
    'before the call arrives is said, and mended with one signature',
    async () => {
      const request = await at.stage.send();
      const visitor = await at.receive(first(request.signers));
      const { signer, visit } = visitor;
      const { page } = visit;
      await toSigning(visitor);
      await page.getByLabel(signer.texts.sign.name).fill('Aino Maria');
      await signer.agree();
      await page.context().setOffline(true);
      await signer.press(signer.texts.sign.submit);
      await signer.seesText(signer.texts.connection.lost);
      await look(visitor, 'offline-3');
      expect(await axeFindings(page)).toEqual([]);
      expect(await at.stage.trail(request.id, 'signer_signed')).toEqual([]);
      await page.context().setOffline(false);
      await signer.sees(signer.texts.done.heading);
      const entries = await at.stage.trail(request.id, 'signer_signed');
      expect(entries.map(({ details }) => details.name)).toEqual(['Aino Maria']);
    },
    LONG,
  );

  it(
    'after the call has arrived signs once all the same',
    async () => {
      const request = await at.stage.send();
      const visitor = await at.receive(first(request.signers), 'en', DESKTOP);
      const { signer, visit } = visitor;
      await toSigning(visitor);
      await signer.agree();
      let lost = 0;
      await visit.page.route('**/api/signing/v1/sign', async (route) => {
        const answer = await route.fetch();
        lost += 1;
        if (lost > 2) return route.fulfill({ response: answer });
        return route.abort('connectionreset');
      });
      await signer.press(signer.texts.sign.submit);
      await signer.seesText(signer.texts.connection.lost);
      await signer.sees(signer.texts.done.heading);
      expect(lost).toBe(3);
      await at.stage.untilStatus(request.id, 'signed');
      expect(await at.stage.trail(request.id, 'signer_signed')).toHaveLength(1);
      expect(await at.stage.trail(request.id, 'document_sealed')).toHaveLength(1);
      await at.stage.untilTold(request.id, 'signer.signed');
      await at.stage.untilTold(request.id, 'signature_request.completed');
    },
    LONG,
  );
});

it(
  'a session that ended asks for a code and leads back with everything that was entered',
  async () => {
    const person = first((await at.stage.send()).signers);
    const visitor = await at.receive(person);
    const { signer, visit } = visitor;
    const { page } = visit;
    await toSigning(visitor);
    await page.getByLabel(signer.texts.sign.name).fill('Aino Maria');
    await signer.agree();
    await page.context().clearCookies();
    await signer.press(signer.texts.sign.submit);
    await signer.sees(signer.texts.code.headingAgain);
    await look(visitor, 'again-1-code');
    await signer.press(signer.texts.code.send);
    await signer.seesText(signer.texts.code.sent);
    await signer.enterCode(at.mailTo(person).code);
    await signer.sees(signer.texts.sign.heading);
    expect(await page.getByLabel(signer.texts.sign.name).inputValue()).toBe('Aino Maria');
    await signer.sign();
  },
  LONG,
);

it(
  'a link that was cut short in the mail leads nowhere, and says so',
  async () => {
    const visitor = await at.receive(first((await at.stage.send()).signers));
    await visitor.signer.open(visitor.link.slice(0, -3));
    await isOver(visitor, 'not_found', 'not-found-5');
  },
  LONG,
);

// The last one: it moves the clock.
it(
  'after thirty days the link has expired, whether or not the daily job has run',
  async () => {
    const request = await at.stage.send(2);
    const [one, two] = request.signers;
    if (!one || !two) throw new Error('Two signers were asked for.');
    const [open, late] = [await at.receive(one), await at.receive(two, 'en', PHONE)];
    await toSigning(open);
    await open.signer.agree();
    at.stage.service.advance(31 * DAY);
    await open.signer.press(open.signer.texts.sign.submit);
    await isOver(open, 'link_expired', 'expired-5-open');
    await at.stage.service.runSchedule('expir');
    await late.signer.open(late.link);
    await isOver(late, 'link_expired', 'expired-5');
    expect(await at.stage.get(request.id)).toMatchObject({ status: 'expired' });
  },
  LONG,
);
