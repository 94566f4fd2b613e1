import { first, type Invited, type Sent, SigningStage } from '../../support/signing-stage.ts';

/** Section 3.2 of the interface: what each act does to the signers, and whom it tells. */

let stage: SigningStage;
beforeAll(async () => {
  stage = await SigningStage.open();
}, 120_000);
afterAll(() => stage?.close());

async function three(): Promise<{ request: Sent; one: Invited; two: Invited; three: Invited }> {
  const request = await stage.send(3);
  const [one, two, last] = request.signers;
  if (!one || !two || !last) throw new Error('Three signers were asked for.');
  return { request, one, two, three: last };
}

/** Why a link no longer works, as each of its calls says it. */
async function deathOf(signer: ReturnType<SigningStage['linkOf']>) {
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
  const said = new Set(answers.map(({ status, body }) => `${status} ${body.error}`));
  for (const { body } of answers) expect(Object.keys(body).sort()).toEqual(['error', 'message']);
  return [...said];
}

describe('opening', () => {
  it('makes the signer opened and is told once for the request, however often and whoever opens', async () => {
    const { request, one, two } = await three();
    expect(await stage.statuses(request.id)).toEqual(['sent', 'sent', 'sent']);
    await Promise.all([1, 2, 3].map(() => stage.linkOf(one).open()));
    await stage.linkOf(two).open();
    expect(await stage.statuses(request.id)).toEqual(['opened', 'opened', 'sent']);
    expect(await stage.get(request.id)).toMatchObject({ status: 'opened' });
    await stage.cancel(request.id);
    await stage.untilTold(request.id, 'signature_request.cancelled');
    const [told, ...more] = stage.told(request.id, 'signature_request.opened');
    expect(told).toMatchObject({ signer_id: one.id, signer_email: one.email, signer_name: one.name });
    expect(more).toEqual([]);
    expect(await stage.trail(request.id, 'link_opened')).toHaveLength(2);
  });

  it('is not done by loading the page, since mail scanners follow links', async () => {
    const request = await stage.send();
    const { access_token } = first(request.signers);
    for (const method of ['GET', 'HEAD'])
      await fetch(`${stage.service.baseUrl}/sign/${access_token}`, { method });
    expect(await stage.statuses(request.id)).toEqual(['sent']);
    expect(await stage.trail(request.id, 'link_opened')).toEqual([]);
  });

  it('tells nothing before the code but where the signer stands', async () => {
    const { body } = await stage.linkOf(first((await stage.send()).signers)).open();
    expect(body).toEqual({
      signer_status: 'opened',
      locale: 'en',
      code_expires_at: expect.stringMatching(/Z$/),
      attempts_left: 5,
      locked_until: null,
    });
  });

  it('is counted for one who signs without it', async () => {
    const request = await stage.send();
    const signer = stage.linkOf(first(request.signers));
    await signer.verify(stage.service.code(first(request.signers).email));
    expect((await signer.sign()).status).toBe(200);
    await stage.untilTold(request.id, 'signature_request.opened');
    expect(await stage.trail(request.id, 'link_opened')).toHaveLength(1);
  });
});

describe('signing', () => {
  it('makes each signer signed and counts down who remains, and the last one leads to the seal', async () => {
    const { request, one, two, three: last } = await three();
    const answers: Record<string, unknown>[] = [];
    // In an order of their own: the position is that of the list alone.
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
    const told = await stage.untilTold(request.id, 'signer.signed', 3);
    const byRemaining = told.sort(
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
      expect(mail.text).toContain(sign_url);
      // Where to go, and nothing that would open it.
      expect(mail.text).not.toMatch(/\b\d{6}\b/);
    }
  });

  it('is undone by nothing: after a cancel, a decline or the end the signer keeps the link and the state', async () => {
    const { request, one, two, three: last } = await three();
    const signer = await stage.verified(one);
    await signer.sign();
    await (await stage.verified(two)).decline();
    expect(await stage.statuses(request.id)).toEqual(['signed', 'declined', 'invalidated']);
    expect((await stage.linkOf(one).open()).body).toMatchObject({ signer_status: 'signed' });
    expect((await signer.view()).body.request.status).toBe('declined');
    expect((await signer.decline()).body.error).toBe('already_signed');
    expect(await deathOf(stage.linkOf(last))).toEqual(['409 link_invalidated']);
  });
});

describe('declining', () => {
  it('ends the request for all who have not signed, and says who and why', async () => {
    const { request, one, two } = await three();
    const [declining, other] = [await stage.verified(one), await stage.verified(two)];
    const { status, body } = await declining.decline('The rent is not the agreed one.');
    expect([status, body]).toEqual([200, { status: 'declined', declined_at: expect.any(String) }]);
    const after = await stage.get(request.id);
    expect(after.status).toBe('declined');
    expect(after.signers[0]).toMatchObject({
      status: 'declined',
      declined_at: body.declined_at,
      decline_reason: 'The rent is not the agreed one.',
    });
    expect(await stage.statuses(request.id)).toEqual(['declined', 'invalidated', 'invalidated']);
    const [told] = await stage.untilTold(request.id, 'signature_request.declined');
    expect(told).toMatchObject({
      signer_id: one.id,
      signer_email: one.email,
      signer_name: one.name,
      decline_reason: 'The rent is not the agreed one.',
    });
    // Sessions that were open die with their links.
    expect(await deathOf(declining)).toEqual(['409 link_declined']);
    expect(await deathOf(other)).toEqual(['409 link_invalidated']);
  });

  it('takes no reason, and refuses one of 501 characters', async () => {
    const request = await stage.send();
    const signer = await stage.verified(first(request.signers));
    expect((await signer.decline('x'.repeat(501))).body.error).toBe('invalid_reason');
    expect(await stage.statuses(request.id)).toEqual(['opened']);
    expect((await signer.call('POST', '/decline')).status).toBe(200);
    expect((await stage.get(request.id)).signers[0].decline_reason).toBeNull();
  });

  it('of two at once has one winner', async () => {
    const { request, one, two } = await three();
    const signers = [await stage.verified(one), await stage.verified(two)];
    const answers = await Promise.all(signers.map((signer) => signer.decline()));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await stage.statuses(request.id)).sort()).toEqual(['declined', 'invalidated', 'invalidated']);
    await stage.untilTold(request.id, 'signature_request.declined');
  });
});

it('a cancel invalidates who has not signed, with the session that was open', async () => {
  const { request, one, two } = await three();
  const [signed, open] = [await stage.verified(one), await stage.verified(two)];
  await signed.sign();
  expect((await stage.cancel(request.id)).status).toBe(200);
  expect(await stage.statuses(request.id)).toEqual(['signed', 'invalidated', 'invalidated']);
  expect(await deathOf(open)).toEqual(['409 link_cancelled']);
  expect((await stage.linkOf(one).open()).status).toBe(200);
  await stage.untilTold(request.id, 'signature_request.cancelled');
});

it('a resend leaves the signer’s state as it is', async () => {
  const { request, one, two } = await three();
  await stage.linkOf(one).open();
  for (const { id } of [one, two]) expect((await stage.resend(request.id, id)).status).toBe(200);
  expect(await stage.statuses(request.id)).toEqual(['opened', 'sent', 'sent']);
});

it('after thirty days every call says that the link has expired, an open session’s too, before the daily job and after it', async () => {
  const request = await stage.send(2);
  const [one, two] = request.signers;
  if (!one || !two) throw new Error('Two signers were asked for.');
  const { service } = stage;
  service.advance(Date.parse(request.expires_at) - service.cloud.clock.now() - 60_000);
  const open = await stage.verified(one, { freshCode: true });
  expect((await open.view()).status).toBe(200);
  service.advance(120_000);
  expect(await deathOf(open)).toEqual(['410 link_expired']);
  expect(await stage.statuses(request.id)).toEqual(['opened', 'sent']);
  await service.runSchedule('expir');
  expect(await deathOf(open)).toEqual(['410 link_expired']);
  expect(await deathOf(stage.linkOf(two))).toEqual(['410 link_expired']);
  // The contract names no state for them.
  expect(await stage.statuses(request.id)).toEqual(['opened', 'sent']);
  await stage.untilTold(request.id, 'signature_request.expired');
});

it('a link that no one was sent is not found, by each of its calls', async () => {
  for (const token of ['nothing', 'A'.repeat(43), 'x'.repeat(2_000), '../../api', '%00']) {
    expect(await deathOf(stage.service.signer(token))).toEqual(['404 not_found']);
  }
});
