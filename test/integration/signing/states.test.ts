/** @behaviour dynamodb.conditions */

import { newAccessToken } from '../../../shared/verification/code.ts';
import { first, type Invited, type Sent, SigningStage } from '../../support/signing-stage.ts';

/** Section 3.2 of the interface: the effect of each action on the signers, and its events. */

let stage: SigningStage;
beforeAll(async () => {
  stage = await SigningStage.open();
}, 120_000);
afterAll(() => stage?.close());

async function sendToThree(): Promise<{ request: Sent; one: Invited; two: Invited; last: Invited }> {
  const request = await stage.send(3);
  const [one, two, last] = request.signers;
  if (!one || !two || !last) throw new Error('Three signers were asked for.');
  return { request, one, two, last };
}

/** Returns the distinct refusals of all calls with a link. */
async function refusalsOf(signer: ReturnType<SigningStage['linkOf']>) {
  const answers = [
    await signer.open(),
    await signer.sendCode(),
    await signer.verify('000000'),
    await signer.view(),
    await signer.call('GET', '/document'),
    await signer.call('GET', '/sealed-document'),
    await signer.decline(),
    await signer.call('POST', '/sign', {}),
  ];
  const refusals = new Set(answers.map(({ status, body }) => `${status} ${body.error}`));
  // A link that exists tells its signer's language, for the page; one that does not exist tells nothing.
  for (const { status, body } of answers)
    expect(Object.keys(body).sort()).toEqual([
      'error',
      ...(status === 404 ? [] : ['locale']),
      'message',
      'request_id',
    ]);
  return [...refusals];
}

describe('open', () => {
  it('opening a link changes the signer to opened, and the request sends one opened event', async () => {
    const { request, one, two } = await sendToThree();
    expect(await stage.statuses(request.id)).toEqual(['sent', 'sent', 'sent']);
    await Promise.all([1, 2, 3].map(() => stage.linkOf(one).open()));
    await stage.linkOf(two).open();
    expect(await stage.statuses(request.id)).toEqual(['opened', 'opened', 'sent']);
    expect(await stage.get(request.id)).toMatchObject({ status: 'opened' });
    await stage.cancel(request.id);
    await stage.untilTold(request.id, 'signature_request.cancelled');
    const [event, ...more] = stage.told(request.id, 'signature_request.opened');
    expect(event).toMatchObject({ signer_id: one.id, signer_email: one.email, signer_name: one.name });
    expect(more).toEqual([]);
    expect(await stage.trail(request.id, 'link_opened')).toHaveLength(2);
  });

  it('loading the page does not open the link, since mail scanners follow links', async () => {
    const request = await stage.send();
    const { access_token } = first(request.signers);
    for (const method of ['GET', 'HEAD'])
      await fetch(`${stage.service.baseUrl}/sign/${access_token}`, { method });
    expect(await stage.statuses(request.id)).toEqual(['sent']);
    expect(await stage.trail(request.id, 'link_opened')).toEqual([]);
  });

  it('opening a link returns only the signer’s state before a code is verified', async () => {
    const { body } = await stage.linkOf(first((await stage.send()).signers)).open();
    expect(body).toEqual({
      signer_status: 'opened',
      locale: 'en',
      code_expires_at: expect.stringMatching(/Z$/),
      attempts_left: 5,
      locked_until: null,
      code_entry_ended: false,
    });
  });

  it('a signature without an open call is recorded as opened too', async () => {
    const request = await stage.send();
    const signer = stage.linkOf(first(request.signers));
    await signer.verify(stage.service.code(first(request.signers).email));
    expect((await signer.sign()).status).toBe(200);
    await stage.untilTold(request.id, 'signature_request.opened');
    expect(await stage.trail(request.id, 'link_opened')).toHaveLength(1);
  });
});

describe('sign', () => {
  it('each signature reduces the number of pending signers, and the last one causes the seal', async () => {
    const { request, one, two, last } = await sendToThree();
    const answers: Record<string, unknown>[] = [];
    // Signing order is independent of the position in the list.
    for (const signer of [last, one, two]) answers.push((await stage.sign(signer)).body);
    expect(answers.map((answer) => [answer.status, answer.remaining_pending_signers])).toEqual([
      ['signed', 2],
      ['signed', 1],
      ['signed', 0],
    ]);
    expect(answers.map(({ request_status }) => request_status)).toEqual([
      'opened',
      'opened',
      'awaiting_stamp',
    ]);
    const sealed = await stage.untilStatus(request.id, 'signed');
    const events = await stage.untilTold(request.id, 'signer.signed', 3);
    const byRemaining = events.sort(
      (a, b) => Number(b.remaining_pending_signers) - Number(a.remaining_pending_signers),
    );
    expect(byRemaining).toEqual(
      [last, one, two].map((signer, index) => ({
        signature_request_id: request.id,
        signer_id: signer.id,
        signer_email: signer.email,
        signer_name: signer.name,
        signed_at: answers[index]?.signed_at,
        remaining_pending_signers: 2 - index,
      })),
    );
    const [completed] = await stage.untilTold(request.id, 'signature_request.completed');
    expect(completed).toMatchObject({ document_hash: sealed.document_hash, signed_at: sealed.signed_at });
    expect(await stage.untilTold(request.id, 'signature_request.signed')).toEqual([completed]);
    for (const { email, sign_url } of request.signers) {
      const mail = await stage.untilMail(email, /sealed/);
      // The mail contains a link of its own, and neither the signing link nor a code.
      expect(mail.text).toMatch(/\/sign\/copy#[\w-]{43}\n/);
      expect(mail.text).not.toContain(sign_url);
      expect(mail.text).not.toMatch(/\b\d{6}\b/);
    }
  });

  it('a signer who has signed keeps the link and the state after another one declines', async () => {
    const { request, one, two, last } = await sendToThree();
    const signer = await stage.verified(one);
    await signer.sign();
    await (await stage.verified(two)).decline();
    expect(await stage.statuses(request.id)).toEqual(['signed', 'declined', 'invalidated']);
    expect((await stage.linkOf(one).open()).body).toMatchObject({ signer_status: 'signed' });
    expect((await signer.view()).body.request.status).toBe('declined');
    expect((await signer.decline()).body.error).toBe('already_signed');
    expect(await refusalsOf(stage.linkOf(last))).toEqual(['409 link_invalidated']);
  });
});

describe('decline', () => {
  it('a decline whose answer could not be made was none', async () => {
    const { request, one } = await sendToThree();
    const declining = await stage.verified(one);
    // The sender, whom the answer says something about.
    stage.service.fault({
      service: 'dynamodb',
      operation: 'GetItem',
      function: 'decline',
      after: 1,
      effect: 'error',
      error_code: 'AccessDeniedException',
    });
    expect((await declining.decline()).status).toBe(500);
    expect((await stage.get(request.id)).status).toBe('opened');
    expect((await declining.decline()).status).toBe(200);
  });

  it('a decline ends the request for the pending signers and records who declined and why', async () => {
    const { request, one, two } = await sendToThree();
    const [declining, other] = [await stage.verified(one), await stage.verified(two)];
    const { status, body } = await declining.decline('The rent is not the agreed one.');
    expect([status, body]).toEqual([
      200,
      { status: 'declined', declined_at: expect.any(String), sender_notified: false },
    ]);
    const after = await stage.get(request.id);
    expect(after.status).toBe('declined');
    expect(after.signers[0]).toMatchObject({
      status: 'declined',
      declined_at: body.declined_at,
      decline_reason: 'The rent is not the agreed one.',
    });
    expect(await stage.statuses(request.id)).toEqual(['declined', 'invalidated', 'invalidated']);
    const [event] = await stage.untilTold(request.id, 'signature_request.declined');
    expect(event).toMatchObject({
      signer_id: one.id,
      signer_email: one.email,
      signer_name: one.name,
      decline_reason: 'The rent is not the agreed one.',
    });
    // Open sessions end with their links.
    expect(await refusalsOf(declining)).toEqual(['409 link_declined']);
    expect(await refusalsOf(other)).toEqual(['409 link_invalidated']);
  });

  it('a decline needs no reason, and refuses one of 501 characters', async () => {
    const request = await stage.send();
    const signer = await stage.verified(first(request.signers));
    expect((await signer.decline('x'.repeat(501))).body.error).toBe('invalid_reason');
    expect(await stage.statuses(request.id)).toEqual(['opened']);
    expect((await signer.call('POST', '/decline')).status).toBe(200);
    expect((await stage.get(request.id)).signers[0].decline_reason).toBeNull();
  });

  it('two concurrent declines have one winner', async () => {
    const { request, one, two } = await sendToThree();
    const signers = [await stage.verified(one), await stage.verified(two)];
    const answers = await Promise.all(signers.map((signer) => signer.decline()));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await stage.statuses(request.id)).sort()).toEqual(['declined', 'invalidated', 'invalidated']);
    await stage.untilTold(request.id, 'signature_request.declined');
  });
});

it('a cancel invalidates the pending signers and their open sessions', async () => {
  const { request, one, two } = await sendToThree();
  const [signed, open] = [await stage.verified(one), await stage.verified(two)];
  await signed.sign();
  expect((await stage.cancel(request.id)).status).toBe(200);
  expect(await stage.statuses(request.id)).toEqual(['signed', 'invalidated', 'invalidated']);
  expect(await refusalsOf(open)).toEqual(['409 link_cancelled']);
  expect((await stage.linkOf(one).open()).status).toBe(200);
  await stage.untilTold(request.id, 'signature_request.cancelled');
});

it('a resend does not change the signer’s state', async () => {
  const { request, one, two } = await sendToThree();
  await stage.linkOf(one).open();
  for (const { id } of [one, two]) expect((await stage.resend(request.id, id)).status).toBe(200);
  expect(await stage.statuses(request.id)).toEqual(['opened', 'sent', 'sent']);
});

it('a link that has ended is refused in the language of its signer, and a wrong token in none', async () => {
  const request = await stage.send(1, {
    signers: [{ email: 'svea@ended.example', name: 'Svea Lind', locale: 'sv' }],
  });
  const person = first(request.signers);
  await stage.cancel(request.id);
  expect((await stage.linkOf(person).open()).body).toMatchObject({ error: 'link_cancelled', locale: 'sv' });
  const stranger = await stage.service.signer(`${person.access_token.slice(0, -1)}?`).open();
  expect(Object.keys(stranger.body).sort()).toEqual(['error', 'message', 'request_id']);
});

it('after thirty days every call is refused as expired, before and after the daily job', async () => {
  const request = await stage.send(2);
  const [one, two] = request.signers;
  if (!one || !two) throw new Error('Two signers were asked for.');
  const { service } = stage;
  service.advance(Date.parse(request.expires_at) - service.cloud.clock.now() - 60_000);
  const open = await stage.verified(one, { freshCode: true });
  expect((await open.view()).status).toBe(200);
  service.advance(120_000);
  expect(await refusalsOf(open)).toEqual(['410 link_expired']);
  expect(await stage.statuses(request.id)).toEqual(['opened', 'sent']);
  await service.runSchedule('expir');
  expect(await refusalsOf(open)).toEqual(['410 link_expired']);
  expect(await refusalsOf(stage.linkOf(two))).toEqual(['410 link_expired']);
  // The contract defines no signer state for expired requests.
  expect(await stage.statuses(request.id)).toEqual(['opened', 'sent']);
  await stage.untilTold(request.id, 'signature_request.expired');
});

it('every call with an unknown link is not found, one that names a request too', async () => {
  const { one } = await sendToThree();
  const guessed = one.access_token.slice(0, 22) + newAccessToken();
  for (const token of ['nothing', 'A'.repeat(43), guessed, 'x'.repeat(2_000), '../../api', '%00'])
    expect(await refusalsOf(stage.service.signer(token))).toEqual(['404 not_found']);
});
