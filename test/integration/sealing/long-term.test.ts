import { rmSync } from 'node:fs';
import { readExpected, verifyPdf } from '../../../client/verifier/index.ts';
import { withSecret } from '../../support/aws.ts';
import { assemblyWith } from '../../support/changed-assembly.ts';
import { pem, toPkcs12 } from '../../support/demo-keys.ts';
import { makePdf } from '../../support/pdf.ts';
import { Pki } from '../../support/pki/pki.ts';
import { type ApiClient, Service } from '../../support/service.ts';

/** The stack as `-c sealLevel=B-LT` deploys it, with certificates of authorities that answer for them. */

let assembly: string;
let service: Service;
let client: ApiClient;
let first: Pki;
let second: Pki;

beforeAll(async () => {
  assembly = assemblyWith(({ Type, Properties }) => {
    const { Variables } = (Properties?.Environment ?? {}) as { Variables?: Record<string, unknown> };
    if (Type !== 'AWS::Lambda::Function' || Variables?.SEAL_LEVEL === undefined) return false;
    Variables.SEAL_LEVEL = 'B-LT';
    return true;
  });
  service = await Service.start({ assembly });
  client = await service.client();
  [first, second] = await Promise.all([Pki.open(new Date(), 'First '), Pki.open(new Date(), 'Second ')]);
}, 120_000);
afterAll(async () => {
  await Promise.all([first, second].map((pki) => pki?.close()));
  await service?.stop();
  rmSync(assembly, { recursive: true, force: true });
});

const authorityOf = (pki: Pki) => ({ url: pki.stampUrl, ca_pem: pem(pki.root.certificate) });

/** The sealed document of a request whose only signer has signed. */
async function sealed() {
  const { body } = await client.post('/api/v1/signatures', {
    title: 'Contract',
    signers: [{ email: 'ann@example.com' }],
    document: { content_base64: (await makePdf('A contract', 1)).toString('base64') },
  });
  await (await service.verifiedSigner(body.token, 'ann@example.com')).sign();
  await service.untilStatus(client, body.id, 'signed');
  return (await client.get(`/api/v1/signatures/${body.id}/document`)).bytes;
}

it('a seal at B-LT takes the next timestamp authority if the first cannot be proved, and contains the proofs', async () => {
  first.setStanding(first.authority, 'unknown');
  first.break('timestamps', 'list', { status: 503 });
  const key = { p12_base64: toPkcs12(second.seal, 'secret').toString('base64'), passphrase: 'secret' };
  await withSecret(service, 'SealSecretArn', key, () =>
    withSecret(service, 'TimestampSecretArn', { authorities: [first, second].map(authorityOf) }, async () => {
      const bytes = await sealed();
      // The first authority is asked last for the evidence file, and each proof is asked for once.
      expect(first.counts.get('stamp')).toBe(1);
      expect(Object.fromEntries(second.counts)).toMatchObject({
        stamp: 2,
        'timestamps/ocsp': 1,
        'seals/ocsp': 1,
      });
      const expected = await readExpected(pem(second.root.certificate) + pem(second.seal.certificate));
      const { verdict, signatures } = await verifyPdf(bytes, { expected, now: new Date() });
      expect({ verdict, signatures }).toMatchObject({
        verdict: 'green',
        signatures: [
          {
            lasting: { level: 'B-LT' },
            timestamp: { authority: { issuer: expect.stringContaining('Second Timestamp CA') } },
          },
        ],
      });
    }),
  );
});
