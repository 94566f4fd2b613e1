/** @behaviour s3.conditional-puts */

import { requestView, sign as signEndpoint } from '../../../shared/contract/signing.ts';
import { sha256Hex } from '../../../shared/runtime/hash.ts';
import { DAY, MINUTE } from '../../../shared/runtime/time.ts';
import { objectClaimKey } from '../../../shared/store/keys.ts';
import { drawnSignatureKey } from '../../../shared/store/objects.ts';
import { CONSENT_TEXTS, CONSENT_VERSIONS } from '../../../shared/texts/languages.ts';
import { redraw } from '../../../shared/verification/drawn-signature.ts';
import { tableOf } from '../../support/aws.ts';
import { readPages } from '../../support/pdf-pages.ts';
import type { SigningClient } from '../../support/service.ts';
import { drawnSignature } from '../../support/signature-input.ts';
import { first, refusal, type Sent, SigningStage } from '../../support/signing-stage.ts';

let stage: SigningStage;
beforeAll(async () => {
  stage = await SigningStage.open();
}, 120_000);
afterAll(() => stage?.close());

async function atSigning(signers = 1): Promise<{ request: Sent; signer: SigningClient }> {
  const request = await stage.send(signers);
  return { request, signer: await stage.verified(first(request.signers)) };
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const drawn = (png: Uint8Array) => ({ signature: { type: 'drawn', png_base64: base64(png) } });

describe('view', () => {
  it('a signer’s view contains exactly the contract’s fields', async () => {
    const { request, signer } = await atSigning(3);
    const { body } = await signer.view();
    expect(requestView.parse(body)).toEqual(body);
    const person = first(request.signers);
    expect(body).toEqual({
      request: {
        id: request.id,
        title: 'Contract',
        message: '',
        sender_name: 'Acme Oy',
        status: 'opened',
        expires_at: request.expires_at,
        return_url: null,
      },
      signer: {
        id: person.id,
        name: person.name,
        email: person.email,
        status: 'opened',
        locale: 'en',
        representing_as_invited: null,
      },
      others: { total: 2, signed: 0 },
      document: { filename: 'contract.pdf', size: stage.pdf.length, sha256: sha256Hex(stage.pdf) },
      consent: { version: expect.any(String), locale: 'en', text: expect.stringMatching(/\S{3}/) },
    });
  });

  it('a signer’s view marks a test request', async () => {
    const client = await stage.service.client({ test: true });
    const { body } = await client.post('/api/v1/signatures', {
      title: 'Test',
      signers: [{ email: 'tester@example.com' }],
      document: { content_base64: base64(stage.pdf) },
    });
    const signer = await stage.service.verifiedSigner(body.signers[0].access_token, 'tester@example.com');
    const { body: view } = await signer.view();
    expect(view.request.test).toBe(true);
    expect(view.signer.name).toBe('tester@example.com');
  });

  it('a signer’s view counts the other signers and their signatures', async () => {
    const request = await stage.send(3);
    const [one, two, three] = request.signers;
    if (!one || !two || !three) throw new Error('Three signers were asked for.');
    const signer = await stage.verified(one);
    for (const [other, signed] of [
      [two, 1],
      [three, 2],
    ] as const) {
      await stage.sign(other);
      expect((await signer.view()).body.others).toEqual({ total: 2, signed });
    }
    await signer.sign();
    expect((await signer.view()).body).toMatchObject({
      others: { total: 2, signed: 2 },
      signer: { status: 'signed' },
    });
  });

  it('a signer gets the original file, the sender’s text and the consent in the signer’s language', async () => {
    const request = await stage.send(1, {
      title: 'Mietvertrag',
      message: 'Bitte bis Freitag.\nDanke!',
      locale: 'de',
      document: { filename: 'Überlassung „A“.pdf', content_base64: base64(stage.pdf) },
    });
    const signer = await stage.verified(first(request.signers));
    const { body } = await signer.view();
    expect(body.request).toMatchObject({ title: 'Mietvertrag', message: 'Bitte bis Freitag.\nDanke!' });
    expect([body.signer.locale, body.consent.locale]).toEqual(['de', 'de']);
    const document = await signer.call('GET', '/document');
    expect(document.bytes.equals(stage.pdf)).toBe(true);
    expect(document.headers.get('content-type')).toBe('application/pdf');
    expect(document.headers.get('content-disposition')).toContain(
      `filename*=UTF-8''${encodeURIComponent('Überlassung „A“.pdf')}`,
    );
    await signer.call('GET', '/document');
    expect(await stage.trail(request.id, 'document_viewed')).toHaveLength(1);
  });
});

it('a download that broke goes on where it was, if it is of the same file', async () => {
  const request = await stage.send();
  const person = first(request.signers);
  const signer = await stage.verified(person);
  const whole = await signer.call('GET', '/document');
  const etag = whole.headers.get('etag') ?? '';
  const restOf = (path: string, ifRange: string, from = 100) =>
    signer.call('GET', path, undefined, { range: `bytes=${from}-`, 'if-range': ifRange });

  const rest = await restOf('/document', etag);
  expect([rest.status, rest.headers.get('etag')]).toEqual([206, etag]);
  const { length } = whole.bytes;
  expect(rest.headers.get('content-range')).toBe(`bytes 100-${length - 1}/${length}`);
  expect(rest.bytes.equals(whole.bytes.subarray(100))).toBe(true);
  for (const { status, bytes } of [
    await restOf('/document', `"${'0'.repeat(64)}"`),
    await restOf('/document', etag, length),
  ])
    expect([status, bytes.equals(whole.bytes)]).toEqual([200, true]);
  expect(await stage.trail(request.id, 'document_viewed')).toHaveLength(1);

  await signer.sign();
  await stage.untilStatus(request.id, 'signed');
  for (const path of ['/sealed-document', '/evidence']) {
    const sealed = await signer.call('GET', path);
    const { status, bytes } = await restOf(path, sealed.headers.get('etag') ?? '');
    expect([status, bytes.equals(sealed.bytes.subarray(100))]).toEqual([206, true]);
  }
});

describe('repeated signatures', () => {
  it('a repeated signature returns the first response, whatever its input', async () => {
    const { request, signer } = await atSigning(2);
    const answer = await signer.sign({ name: 'First Name' });
    expect(signEndpoint.answer.parse(answer.body)).toEqual(answer.body);
    await stage.sign(request.signers[1] ?? first(request.signers));
    for (const other of [
      { name: 'Second Name' },
      { document_sha256: 'f'.repeat(64) },
      { consent_version: 'older' },
      drawn(drawnSignature()),
    ]) {
      const again = await signer.sign(other);
      expect([again.status, again.body]).toEqual([200, answer.body]);
    }
    await stage.untilStatus(request.id, 'signed');
    expect(await stage.trail(request.id, 'signer_signed')).toHaveLength(2);
    expect((await stage.get(request.id)).signers[0].status).toBe('signed');
    await stage.untilTold(request.id, 'signer.signed', 2);
  });

  it('concurrent signatures of one signer are recorded once, with the same response', async () => {
    const { request, signer } = await atSigning();
    const answers = await Promise.all([1, 2, 3, 4, 5].map((n) => signer.sign({ name: `Name ${n}` })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    await stage.untilStatus(request.id, 'signed');
    expect(await stage.trail(request.id, 'signer_signed')).toHaveLength(1);
    expect(await stage.trail(request.id, 'document_sealed')).toHaveLength(1);
    await stage.untilTold(request.id, 'signature_request.completed');
    expect(stage.told(request.id, 'signer.signed')).toHaveLength(1);
  });
});

it('two last signers who sign concurrently cause one seal and one completed event', async () => {
  for (let round = 0; round < 5; round += 1) {
    const request = await stage.send(2);
    const signers = await Promise.all(request.signers.map((person) => stage.verified(person)));
    const answers = await Promise.all(signers.map((signer) => signer.sign()));
    expect(answers.map(({ body }) => body.remaining_pending_signers).sort()).toEqual([0, 1]);
    await stage.untilStatus(request.id, 'signed');
    await stage.untilTold(request.id, 'signer.signed', 2);
    await stage.untilTold(request.id, 'signature_request.completed');
    for (const type of ['seal_queued', 'document_sealed'])
      expect([type, (await stage.trail(request.id, type)).length]).toEqual([type, 1]);
  }
});

it('a signer in Swedish agrees to the Swedish consent, in a version of its own', async () => {
  const request = await stage.send(2, {
    signers: [
      { email: 'svea@sv.example', name: 'Svea Lind', locale: 'sv' },
      { email: 'plain@sv.example', name: 'Aino Virtanen' },
    ],
  });
  // A client that does not ask for the language gets the same answers as before it.
  expect(request.signers.map(({ locale }) => locale)).toEqual(['sv', 'en']);
  const [svea, aino] = await Promise.all(request.signers.map((person) => stage.verified(person)));
  const consents = await Promise.all(
    [svea, aino].map(async (signer) => (await signer?.view())?.body.consent),
  );
  expect(consents).toEqual(
    (['sv', 'en'] as const).map((locale) => ({
      locale,
      version: CONSENT_VERSIONS[locale],
      text: CONSENT_TEXTS[locale],
    })),
  );
  const crossed = await svea?.sign({ consent_version: CONSENT_VERSIONS.en });
  expect(crossed && refusal(crossed)).toEqual([409, 'consent_outdated']);
  expect((await svea?.sign())?.status).toBe(200);
  const [entry] = await stage.trail(request.id, 'signer_signed');
  expect(entry?.details).toMatchObject({ consent_locale: 'sv', consent_version: CONSENT_VERSIONS.sv });
});

describe('refused signatures', () => {
  it('a signature of another document or an outdated consent is refused and not recorded', async () => {
    const { request, signer } = await atSigning();
    expect(refusal(await signer.sign({ document_sha256: 'f'.repeat(64) }))).toEqual([
      409,
      'document_mismatch',
    ]);
    expect(refusal(await signer.sign({ consent_version: '2000-01' }))).toEqual([409, 'consent_outdated']);
    // No drawing is read before the rest is right.
    const unreadable = drawn(Buffer.from('no picture'));
    const wrongDocument = await signer.sign({ document_sha256: 'f'.repeat(64), ...unreadable });
    expect(refusal(wrongDocument)).toEqual([409, 'document_mismatch']);
    expect(refusal(await signer.sign(unreadable))).toEqual([400, 'invalid_signature']);
    for (const document_sha256 of ['', 'F'.repeat(64), 'f'.repeat(63), null])
      expect(refusal(await signer.sign({ document_sha256 }))).toEqual([400, 'invalid_request']);
    expect(refusal(await signer.sign({ consent_locale: 'xx' }))).toEqual([400, 'invalid_locale']);
    expect(await stage.statuses(request.id)).not.toContain('signed');
    expect(await stage.trail(request.id, 'signer_signed')).toEqual([]);
    expect((await signer.sign()).status).toBe(200);
  });

  it('a signature without a valid name is refused', async () => {
    const { signer } = await atSigning();
    for (const name of ['', '   ', 'x'.repeat(201), 'two\nlines', 'a\u0000b', 7, null])
      expect([name, ...refusal(await signer.sign({ name }))]).toEqual([name, 400, 'invalid_name']);
    for (const representing of [{ name: '' }, { name: 'Oy', role: 'x'.repeat(201) }])
      expect(refusal(await signer.sign({ representing }))).toEqual([400, 'invalid_name']);
  });

  it('a signature without a valid drawing or text is refused', async () => {
    const { signer } = await atSigning();
    const png = drawnSignature(200, 100);
    const interlaced = Uint8Array.from(png);
    interlaced[28] = 1;
    const signatures = {
      nothing: null,
      'an unknown kind': { type: 'clicked' },
      'a blank one': { type: 'typed', text: '  ' },
      'one too long': { type: 'typed', text: 'x'.repeat(201) },
      'no picture': { type: 'drawn' },
      'no base64': { type: 'drawn', png_base64: 'not base64 at all!' },
      'another kind of picture': { type: 'drawn', png_base64: base64(Buffer.from('\xff\xd8\xff\xe0JFIF')) },
      'a page of HTML': { type: 'drawn', png_base64: base64(Buffer.from('<svg onload=alert(1)>')) },
      'a cut file': { type: 'drawn', png_base64: base64(png.subarray(0, png.length / 2)) },
      'an interlaced one': { type: 'drawn', png_base64: base64(interlaced) },
      'one too wide': { type: 'drawn', png_base64: base64(drawnSignature(2_001, 50)) },
      'one too large': { type: 'drawn', png_base64: 'A'.repeat(400_001) },
    };
    for (const [what, signature] of Object.entries(signatures))
      expect([what, ...refusal(await signer.sign({ signature }))]).toEqual([what, 400, 'invalid_signature']);
    expect((await signer.sign(drawn(png))).status).toBe(200);
  });

  it('a drawing that the sweep is removing can be signed with once it is gone', async () => {
    const { request, signer } = await atSigning();
    const png = drawnSignature();
    const { sha256 } = redraw(base64(png));
    const key = drawnSignatureKey(request.id, first(request.signers).id, sha256);
    const table = tableOf(stage.service);
    const removalUntil = new Date(stage.service.cloud.clock.now() + MINUTE).toISOString();
    await table.put({ ...objectClaimKey(key), id: key, removalUntil });
    const refused = await signer.sign(drawn(png));
    expect([...refusal(refused), refused.headers.get('retry-after')]).toEqual([409, 'conflict', '3']);
    await table.delete(objectClaimKey(key));
    expect((await signer.sign(drawn(png))).status).toBe(200);
  });
});

it('a role or an id that is empty is none', async () => {
  const { request, signer } = await atSigning();
  expect((await signer.sign({ representing: { name: 'Oy', role: '', entity_id: ' ' } })).status).toBe(200);
  const { body } = await stage.client.get(`/api/v1/signatures/${request.id}/signers`);
  const none = { representing_role: null, representing_entity_id: null };
  expect(body.data[0]).toMatchObject({ representing_as_signed: 'Oy', ...none });
});

it('the signer’s details are in the record and on the signature page', async () => {
  const { request, signer } = await atSigning();
  const { status } = await signer.sign({
    name: ' Aino Maria Virtanen ',
    representing: { name: 'Kotilinna Oy', role: 'CEO', entity_id: '1234567-8' },
    ...drawn(drawnSignature()),
  });
  expect(status).toBe(200);
  const { body } = await stage.client.get(`/api/v1/signatures/${request.id}/signers`);
  expect(body.data[0]).toMatchObject({
    name_as_invited: first(request.signers).name,
    name_as_signed: 'Aino Maria Virtanen',
    representing_as_signed: 'Kotilinna Oy',
    representing_role: 'CEO',
    representing_entity_id: '1234567-8',
  });
  const [entry] = await stage.trail(request.id, 'signer_signed');
  expect(entry?.details).toMatchObject({
    name: 'Aino Maria Virtanen',
    document_sha256: sha256Hex(stage.pdf),
    signature_type: 'drawn',
  });
  await stage.untilStatus(request.id, 'signed');
  const pages = await readPages(new Uint8Array(await stage.sealedDocument(request.id)));
  const words = pages.at(-1)?.words ?? '';
  for (const expected of ['Aino Maria Virtanen', 'Kotilinna Oy', 'CEO']) expect(words).toContain(expected);
});

describe('sealed document', () => {
  it('a signer can download the sealed document with the recorded hash once all have signed', async () => {
    const request = await stage.send(2);
    const [one, two] = request.signers;
    if (!one || !two) throw new Error('Two signers were asked for.');
    const signer = await stage.verified(one);
    await signer.sign();
    expect(refusal(await signer.call('GET', '/sealed-document'))).toEqual([409, 'not_yet_signed']);
    await stage.sign(two);
    const { document_hash } = await stage.untilStatus(request.id, 'signed');
    const copy = await signer.call('GET', '/sealed-document');
    expect([copy.status, copy.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(copy.headers.get('content-disposition')).toMatch(/^attachment; filename="contract-signed.pdf"/);
    expect(sha256Hex(copy.bytes)).toBe(document_hash);
    expect(copy.bytes.subarray(0, stage.pdf.length).equals(stage.pdf)).toBe(true);
    expect(copy.bytes.equals(await stage.sealedDocument(request.id))).toBe(true);
  });

  it('the sealed document is purged after a week, and the response contains the time', async () => {
    const request = await stage.send();
    const person = first(request.signers);
    await stage.sign(person);
    await stage.untilStatus(request.id, 'signed');
    stage.service.advance(8 * DAY);
    await stage.service.runSchedule('purge');
    const signer = await stage.verified(person, { freshCode: true });
    for (const path of ['/sealed-document', '/document']) {
      const { status, body } = await signer.call('GET', path);
      expect([status, body.error]).toEqual([410, 'document_purged']);
      expect(Math.abs(Date.parse(body.purged_at) - stage.service.cloud.clock.now())).toBeLessThan(DAY);
    }
  });
});
