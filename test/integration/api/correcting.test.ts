/** @behaviour dynamodb.conditions */

import { LIMITS } from '../../../shared/contract/limits.ts';
import { correctSigner } from '../../../shared/contract/signatures.ts';
import { first, type Invited, SigningStage } from '../../support/signing-stage.ts';
import { rounds } from '../../support/thorough.ts';
import { until } from '../../support/until.ts';

let stage: SigningStage;
beforeAll(async () => {
  stage = await SigningStage.open();
}, 120_000);
afterAll(() => stage?.close());

const PATH = '/api/v1/signatures';
let people = 0;
const newAddress = () => {
  people += 1;
  return `corrected${people}@example.com`;
};
const correct = (id: string, signer: Invited, body: unknown, client = stage.client) =>
  client.call('PATCH', `${PATH}/${id}/signers/${signer.id}`, body);
const found = async (signer_email: string) =>
  (await stage.client.get(`${PATH}?signer_email=${signer_email}`)).body.data.map(({ id }: Invited) => id);
const untilInvited = (id: string) =>
  until(async () => (await stage.trail(id, 'invitation_sent')).length === 1, 'the report of the invitation');
const isIntact = async (id: string) => (await stage.service.admin('request', 'verify-audit', id)).intact;

it('a corrected signer is invited at the new address and signs, and the old link is dead', async () => {
  const { id, signers } = await stage.send(2);
  const [wrong, other] = signers as [Invited, Invited];
  const before = await stage.verified(wrong);
  const email = newAddress();
  const { status, body } = await correct(id, wrong, { email, name: 'Right Person' });
  expect(status).toBe(200);
  expect(correctSigner.answer.parse(body)).toEqual(body);
  expect(body).toMatchObject({
    id: wrong.id,
    email,
    name: 'Right Person',
    status: 'sent',
    opened_at: null,
    email_sent: true,
    email_error: null,
  });
  expect(body.access_token).not.toBe(wrong.access_token);

  const [mail] = stage.service.mails(email);
  expect(mail?.text).toContain(body.sign_url);
  expect(mail?.text).not.toContain(wrong.access_token);
  expect((await stage.linkOf(wrong).open()).status).toBe(404);
  expect((await before.sign()).status).toBe(404);
  expect([await found(wrong.email), await found(email)]).toEqual([[], [id]]);

  await stage.sign(body);
  await stage.sign(other);
  await stage.untilStatus(id, 'signed');
  expect(await isIntact(id)).toBe(true);
  const [corrected] = await stage.trail(id, 'signer_corrected');
  expect(corrected).toMatchObject({ signer_id: wrong.id, details: { email, name: 'Right Person' } });
});

it('a body without values, with wrong ones, or with another signer’s address is refused with its field', async () => {
  const { id, signers } = await stage.send(2);
  const [one, two] = signers as [Invited, Invited];
  const refusals = await Promise.all(
    [
      {},
      { name: ' ' },
      { email: 'nobody' },
      { email: newAddress(), name: 'x'.repeat(LIMITS.nameLength + 1) },
      { email: two.email.toUpperCase() },
    ].map(async (body) => {
      const answer = await correct(id, one, body);
      return [answer.status, answer.body.error, answer.body.field];
    }),
  );
  expect(refusals).toEqual([
    [400, 'invalid_request', undefined],
    [400, 'invalid_request', undefined],
    [400, 'invalid_signer_email', '/email'],
    [400, 'invalid_signer_name', '/name'],
    [409, 'duplicate_signer', '/email'],
  ]);
  expect((await stage.linkOf(one).open()).status).toBe(200);
});

it('signers who have signed, ended requests and strangers’ requests cannot be corrected', async () => {
  const { id, signers } = await stage.send(2);
  const [one, two] = signers as [Invited, Invited];
  await stage.sign(one);
  const outcome = async (...args: Parameters<typeof correct>) => {
    const { status, body } = await correct(...args);
    return [status, body.error];
  };
  const body = { email: newAddress() };
  expect(await outcome(id, one, body)).toEqual([409, 'signer_not_active']);
  expect(await outcome(id, two, body, await stage.service.client())).toEqual([404, 'not_found']);
  await stage.cancel(id);
  expect(await outcome(id, two, body)).toEqual([409, 'signer_not_active']);
});

it('a correction whose mail fails keeps the new address, and a resend reaches it', async () => {
  const { id, signers } = await stage.send();
  await untilInvited(id);
  // Notices of the tests before may still be on their way.
  stage.service.refuseMail('correct-signer');
  const { body } = await correct(id, first(signers), { email: newAddress() });
  expect(body).toMatchObject({ status: 'pending', email_sent: false });
  expect((await stage.resend(id, body.id)).body.email_sent).toBe(true);
  await stage.sign(body);
  await stage.untilStatus(id, 'signed');
  expect(await isIntact(id)).toBe(true);
});

it('a correction that dies before its mail is mailed by the sweep, once', async () => {
  const { id, signers } = await stage.send();
  await untilInvited(id);
  stage.service.fault({
    service: 'ses',
    operation: 'SendEmail',
    function: 'correct-signer',
    after: 1,
    effect: 'kill',
  });
  const email = newAddress();
  expect((await correct(id, first(signers), { email })).status).toBeGreaterThanOrEqual(500);
  expect(stage.service.mails(email)).toEqual([]);
  stage.service.advance(2 * 60_000);
  await stage.service.runSchedule('sweep');
  await stage.untilMail(email, /Contract/);
  await until(async () => (await stage.statuses(id))[0] === 'sent', 'the record of the mail');
  stage.service.advance(2 * 60_000);
  await stage.service.runSchedule('sweep');
  expect(stage.service.mails(email)).toHaveLength(1);
  expect(await isIntact(id)).toBe(true);
});

it('of a signature and a correction at the same time exactly one wins', async () => {
  const outcomes = new Set<string>();
  for (let round = 0; round < rounds(12); round += 1) {
    const { id, signers } = await stage.send();
    const signer = first(signers);
    const page = await stage.verified(signer);
    await untilInvited(id);
    const [signed, corrected] = await Promise.all([
      page.sign(),
      correct(id, signer, { email: newAddress() }),
    ]);
    outcomes.add(`${signed.status} ${corrected.status}`);
    expect(await isIntact(id)).toBe(true);
  }
  // Whoever comes second is refused: the signature has no link any more, or the signer has signed.
  expect([...outcomes].filter((outcome) => !['200 409', '404 200'].includes(outcome))).toEqual([]);
}, 120_000);
