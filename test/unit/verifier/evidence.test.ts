import { PDFDocument } from 'pdf-lib';
import { makeDemoSealIdentity, pem, toPkcs12 } from '../../../admin/demo-keys.ts';
import { readExpected } from '../../../client/verifier/certificates.ts';
import { verifyEvidence } from '../../../client/verifier/evidence.ts';
import { verifyPdf } from '../../../client/verifier/verify.ts';
import { pkcs12Key } from '../../../shared/sealing/keys/pkcs12.ts';
import { craft, ONE_PAGE } from '../sealing/craft.ts';
import { demoSealing, now, sealIt } from '../sealing/sealing-kit.ts';

const { identity, tsa, ca } = demoSealing();
const other = makeDemoSealIdentity(ca, { now });

async function options() {
  const trusted = pem(identity.certificate) + pem(other.certificate) + tsa.authority.caPem;
  return { expected: await readExpected(trusted), now };
}

async function evidence(record: string | null, key = demoSealing().key): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage();
  if (record !== null) await document.attach(Buffer.from(record), 'evidence.json');
  return (await sealIt(await document.save(), { key })).bytes;
}

const sealedDocument = async () =>
  verifyPdf((await sealIt(craft({ objects: ONE_PAGE }))).bytes, await options());

it('evidence that names the document’s hash, by the same signer, is green', async () => {
  const document = await sealedDocument();
  const file = await evidence(JSON.stringify({ sealedSha256: document.sha256 }));
  expect(await verifyEvidence(file, document, await options())).toMatchObject({
    verdict: 'green',
    findings: [{ code: 'covers_all' }, { code: 'evidence_fits' }],
  });
});

it('evidence by another signer is amber', async () => {
  const document = await sealedDocument();
  const file = await evidence(
    JSON.stringify({ sealedSha256: document.sha256 }),
    pkcs12Key(toPkcs12(other, 'x'), 'x'),
  );
  expect(await verifyEvidence(file, document, await options())).toMatchObject({
    verdict: 'amber',
    findings: [{ code: 'evidence_by_other' }, { code: 'covers_all' }],
  });
});

it.each([
  ['about another document', JSON.stringify({ sealedSha256: '0'.repeat(64) }), 'evidence_of_other'],
  ['without a record', null, 'evidence_missing'],
  ['with a record that is no JSON', '{"sealedSha256": ', 'evidence_missing'],
  ['with a record that names no hash', '[]', 'evidence_missing'],
])('evidence %s is red', async (_, record, code) => {
  const document = await sealedDocument();
  expect(await verifyEvidence(await evidence(record), document, await options())).toMatchObject({
    verdict: 'red',
    findings: [{ code }, { code: 'covers_all' }],
  });
});

it('evidence that was changed is red', async () => {
  const document = await sealedDocument();
  const file = Buffer.from(await evidence(JSON.stringify({ sealedSha256: document.sha256 })));
  file[200] = (file[200] ?? 0) ^ 1;
  expect(await verifyEvidence(file, document, await options())).toMatchObject({ verdict: 'red' });
});
