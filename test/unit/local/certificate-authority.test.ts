import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateAuthority } from '../../../local/certificate-authority/authority.ts';
import { LocalClock } from '../../../local/clock.ts';
import { TimestampAuthority } from '../../../local/timestamp-authority/authority.ts';
import { certificatesOfPem, readCertificate, sha256 } from '../../../shared/sealing/certificate.ts';
import { addressesOf } from '../../../shared/sealing/long-term/addresses.ts';
import { prover } from '../../../shared/sealing/long-term/prove.ts';
import { RetrievalFault } from '../../../shared/sealing/long-term/retrieve.ts';
import { timestamper } from '../../../shared/sealing/timestamp.ts';

const folder = mkdtempSync(join(tmpdir(), 'authority-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ['ocsp', ['issuer', 'ocsp']],
  ['crl', ['issuer', 'ocsp', 'list']],
])(
  'the certificate of a local timestamp is proved unrevoked by the addresses in it: %s',
  async (kind, addresses) => {
    const clock = new LocalClock();
    const root = new CertificateAuthority(join(folder, 'ca'), clock);
    root.listensAt('http://localhost:3001/ca');
    const authority = new TimestampAuthority(join(folder, 'timestamps'), clock, root);
    const stamp = await timestamper(
      [{ url: 'http://localhost:3001/timestamp', caPem: readFileSync(authority.caFile, 'utf8') }],
      {
        fetch: async (_url, init) => new Response(new Uint8Array(authority.answer(init?.body as Uint8Array))),
      },
    )(sha256(Buffer.from('data')));

    const asked: string[] = [];
    const prove = prover(
      async (url, post) => {
        asked.push(url);
        if (url.endsWith('/issuer')) return root.certificate;
        if (!post) return root.revocationList();
        if (kind === 'crl') throw new RetrievalFault('no answer');
        return root.answerOcsp(post.body);
      },
      () => new Date(clock.now()),
    );
    const { chain, proofs } = await prove({ certificates: stamp.chain.certificates, anchors: [] });
    expect(chain).toHaveLength(2);
    expect(proofs.map((proof) => proof.kind)).toEqual([kind]);
    expect(asked).toEqual(addresses.map((name) => `http://localhost:3001/ca/${name}`));
    expect(addressesOf(chain[0] ?? readCertificate(root.certificate)).lists).toEqual([
      'http://localhost:3001/ca/list',
    ]);
    expect(certificatesOfPem(readFileSync(root.caFile, 'utf8'))).toHaveLength(1);
  },
);
