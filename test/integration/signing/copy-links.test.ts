/** @behaviour dynamodb.conditions */

import { sha256Hex } from '../../../shared/runtime/hash.ts';
import { DAY, MINUTE } from '../../../shared/runtime/time.ts';
import { copyKey } from '../../../shared/store/keys.ts';
import { tableOf } from '../../support/aws.ts';
import { first, type Invited, refusal, type Sent, SigningStage } from '../../support/signing-stage.ts';

/** The link in the mail with the sealed document. */

let stage: SigningStage;
beforeAll(async () => {
  stage = await SigningStage.open();
}, 120_000);
afterAll(() => stage?.close());

interface Sealed {
  request: Sent;
  signer: Invited;
  token: string;
}

async function sealed(locale = 'en'): Promise<Sealed> {
  const request = await stage.send(1, { locale });
  const signer = first(request.signers);
  await stage.sign(signer);
  await stage.untilStatus(request.id, 'signed');
  const mail = await stage.untilMail(signer.email, /seal|versiegelt|sinetöity|scellé/);
  await stage.untilRecorded(request.id, signer, 'completed');
  const token = /copy#([\w-]+)/.exec(mail.text)?.[1] ?? '';
  return { request, signer, token };
}

const advanceTo = (time: number) => stage.service.advance(time - stage.service.cloud.clock.now());

describe('the link in the mail with the sealed document', () => {
  it('downloads the sealed document and the evidence without a code, and changes nothing', async () => {
    const { request, signer, token } = await sealed();
    // The trail is still added to by what follows from the seal.
    const record = async () => ({ ...(await stage.get(request.id)), audit_trail: null });
    const before = await record();
    const copy = await stage.withCopyLink(token, '/copy');
    expect(copy.body).toEqual({
      title: 'Contract',
      sender_name: expect.any(String),
      filename: 'contract.pdf',
      locale: 'en',
      available_until: before.retention.pdf_available_until,
      evidence: true,
    });
    expect(copy.headers.get('referrer-policy')).toBe('no-referrer');
    expect(copy.headers.get('cache-control')).toBe('no-store');
    const document = await stage.withCopyLink(token, '/sealed-document');
    expect([document.status, sha256Hex(document.bytes)]).toEqual([200, before.document_hash]);
    const evidence = await stage.withCopyLink(token, '/evidence');
    expect([evidence.status, evidence.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(await record()).toEqual(before);
    expect(await stage.trail(request.id, 'document_downloaded')).toEqual([]);
    expect(signer.access_token).not.toBe(token);
  });

  it('is stored as a hash alone', async () => {
    const { token, signer } = await sealed();
    const table = tableOf(stage.service);
    const item = await table.get(copyKey(token));
    expect(item).toMatchObject({ signerId: signer.id });
    expect(JSON.stringify(item)).not.toContain(token);
  });

  it('opens nothing else: not the request, not the original, not the signing page', async () => {
    const { token } = await sealed();
    const asSigner = stage.service.signer(token);
    for (const [method, path] of [
      ['POST', '/open'],
      ['POST', '/code'],
      ['GET', '/request'],
      ['GET', '/document'],
    ] as const)
      expect([path, ...refusal(await asSigner.call(method, path))]).toEqual([path, 404, 'not_found']);
    for (const path of ['/request', '/document'])
      expect(refusal(await stage.withCopyLink(token, path))).toEqual([404, 'not_found']);
  });

  it('is accepted in its header only, and a signing link’s token is none', async () => {
    const { token, signer } = await sealed();
    const bare = stage.service.signer('');
    for (const path of [`/copy?token=${token}`, `/copy?X-Copy-Token=${token}`, `/copy/${token}`])
      expect(refusal(await bare.call('GET', path))).toEqual([404, 'not_found']);
    const cookie = await bare.call('GET', '/copy', undefined, { cookie: `X-Copy-Token=${token}` });
    expect(refusal(cookie)).toEqual([404, 'not_found']);
    for (const wrong of [signer.access_token, token.slice(1), `${token}x`, 'x'.repeat(5_000)])
      for (const path of ['/copy', '/sealed-document', '/evidence'])
        expect(refusal(await stage.withCopyLink(wrong, path))).toEqual([404, 'not_found']);
  });

  it('ends with the purge, which its answer tells in the signer’s language', async () => {
    const { request, token } = await sealed('fi');
    const { retention } = await stage.get(request.id);
    advanceTo(Date.parse(retention.pdf_available_until) + MINUTE);
    await stage.service.runSchedule('purge');
    const { retention: purged } = await stage.get(request.id);
    const answer = await stage.withCopyLink(token, '/copy');
    expect(refusal(answer)).toEqual([410, 'document_purged']);
    expect(answer.body).toMatchObject({ locale: 'fi', purged_at: purged.pdf_purged_at });
    for (const path of ['/sealed-document', '/evidence'])
      expect(refusal(await stage.withCopyLink(token, path))).toEqual([410, 'document_purged']);
  });

  it('ends after 30 days, even if the document is kept in the archive', async () => {
    await stage.service.admin('org', 'update', stage.client.ownerId, '--archive', 'on');
    const { request, token } = await sealed('de');
    const { retention, signed_at: signedAt } = await stage.get(request.id);
    expect(retention.pdf_available_until).toBeNull();
    const end = Date.parse(signedAt) + 30 * DAY;
    const { body } = await stage.withCopyLink(token, '/copy');
    expect(Date.parse(body.available_until)).toBe(end);
    advanceTo(end - MINUTE);
    expect((await stage.withCopyLink(token, '/sealed-document')).status).toBe(200);
    advanceTo(end + MINUTE);
    for (const path of ['/copy', '/sealed-document', '/evidence']) {
      const answer = await stage.withCopyLink(token, path);
      expect(refusal(answer)).toEqual([410, 'link_expired']);
      expect(answer.body.locale).toBe('de');
    }
  });

  it('ends when its signer is erased', async () => {
    const { signer, token } = await sealed();
    await stage.service.admin('person', 'erase', '--email', signer.email, '--purge', '--yes');
    for (const path of ['/copy', '/sealed-document', '/evidence'])
      expect(refusal(await stage.withCopyLink(token, path))).toEqual([410, 'link_expired']);
  });
});
