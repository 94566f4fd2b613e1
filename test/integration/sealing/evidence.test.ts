/** @behaviour s3.conditional-puts */

import { verifyEvidenceRecord } from '../../../shared/requests/evidence.ts';
import { sha256Hex } from '../../../shared/runtime/hash.ts';
import { DAY } from '../../../shared/runtime/time.ts';
import { inspectPdf } from '../../../shared/sealing/intake.ts';
import { readEvidence } from '../../../shared/stamping/verify-evidence.ts';
import { metaKey } from '../../../shared/store/keys.ts';
import { evidenceKey } from '../../../shared/store/objects.ts';
import { bucket, output, replaceObject, tableOf } from '../../support/aws.ts';
import { makePdfWithFiles } from '../../support/pdf.ts';
import { readPages } from '../../support/pdf-pages.ts';
import { first, refusal, type Sent, SigningStage } from '../../support/signing-stage.ts';

let stage: SigningStage;
beforeAll(async () => {
  stage = await SigningStage.open();
}, 120_000);
afterAll(() => stage?.close());

const evidenceOf = (id: string) => stage.client.get(`/api/v1/signatures/${id}/evidence.pdf`);

async function signed(): Promise<Sent> {
  const request = await stage.send(1, { locale: 'fr' });
  await stage.sign(first(request.signers));
  await stage.untilStatus(request.id, 'signed');
  return request;
}

describe('the evidence file', () => {
  it('is there as soon as the request is signed, for the sender and for its signers', async () => {
    const request = await stage.send(2, { locale: 'fr' });
    const [one, two] = request.signers;
    if (!one || !two) throw new Error('Two signers were asked for.');
    const signer = await stage.verified(one);
    await signer.sign();
    expect(refusal(await evidenceOf(request.id))).toEqual([409, 'not_yet_signed']);
    expect(refusal(await signer.call('GET', '/evidence'))).toEqual([409, 'not_yet_signed']);
    expect((await signer.view()).body.request.evidence).toBeUndefined();
    await stage.sign(two);
    const { document_hash } = await stage.untilStatus(request.id, 'signed');

    const evidence = await evidenceOf(request.id);
    expect([evidence.status, evidence.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(evidence.headers.get('content-disposition')).toContain('filename="contract-evidence.pdf"');
    expect(evidence.headers.get('etag')).toBe(`"${sha256Hex(evidence.bytes)}"`);
    expect((await signer.call('GET', '/evidence')).bytes.equals(evidence.bytes)).toBe(true);
    expect((await signer.view()).body.request.evidence).toBe(true);

    expect(inspectPdf(evidence.bytes)).toMatchObject({ ok: true, signed: true });
    const record = readEvidence(evidence.bytes);
    expect(verifyEvidenceRecord(record)).toMatchObject({
      valid: true,
      record: { requestId: request.id, originalSha256: sha256Hex(stage.pdf), sealedSha256: document_hash },
    });
    const words = (await readPages(new Uint8Array(evidence.bytes))).map((page) => page.words).join(' ');
    for (const text of ['PREUVE DE SIGNATURE', 'Acme Oy', one.name, two.name, two.email])
      expect(words).toContain(text);
  });

  it('names the files attached to the document, as page and audit trail do', async () => {
    const content_base64 = (await makePdfWithFiles(22)).toString('base64');
    const request = await stage.send(1, { document: { content_base64 } });
    const signer = await stage.verified(first(request.signers));
    const { attachments } = (await signer.view()).body.document;
    expect(attachments.count).toBe(22);
    expect(attachments.listed).toHaveLength(20);
    expect(attachments.listed[1]).toEqual({ filename: 'file-02.xml', size: 2 });
    await signer.sign();
    await stage.untilStatus(request.id, 'signed');
    const audit = await stage.client.get(`/api/v1/signatures/${request.id}/audit-trail.pdf`);
    for (const pdf of [audit.bytes, (await evidenceOf(request.id)).bytes]) {
      const words = (await readPages(new Uint8Array(pdf))).map((page) => page.words).join(' ');
      expect(words).toContain('Attached files file-01.xml, 1 byte file-02.xml, 2 bytes');
      expect(words).toContain('file-20.xml, 20 bytes and 2 more');
    }
  });

  it('is not there for a request from before', async () => {
    const { id, signers } = await signed();
    const table = tableOf(stage.service);
    // With another version, so that nothing under way writes the old state back.
    await table.update(metaKey(id), { evidenceHash: null, version: 1_000 });
    expect(refusal(await evidenceOf(id))).toEqual([404, 'evidence_unavailable']);
    const signer = await stage.verified(first(signers), { freshCode: true });
    expect(refusal(await signer.call('GET', '/evidence'))).toEqual([404, 'evidence_unavailable']);
  });

  it('that somebody planted is never taken for ours', async () => {
    const request = await stage.send();
    const s3 = bucket(stage.service);
    const planted = { Bucket: output(stage.service, 'DocumentsBucket'), Key: evidenceKey(request.id) };
    await replaceObject(s3, { ...planted, Body: (await evidenceOf((await signed()).id)).bytes });
    await stage.sign(first(request.signers));
    await stage.untilStatus(request.id, 'stamp_failed');
    expect((await stage.trail(request.id, 'seal_failed')).map(({ details }) => details.code)).toEqual([
      'foreign_seal',
    ]);
    s3.destroy();
  });

  it('is purged with the sealed document', async () => {
    const { id, signers } = await signed();
    stage.service.advance(8 * DAY);
    await stage.service.runSchedule('purge');
    expect(refusal(await evidenceOf(id))).toEqual([410, 'document_purged']);
    const signer = await stage.verified(first(signers), { freshCode: true });
    expect(refusal(await signer.call('GET', '/evidence'))).toEqual([410, 'document_purged']);
  });
});
