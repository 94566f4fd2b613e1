import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCertificate } from '../../shared/sealing/certificate.ts';
import { contextTag } from '../../shared/sealing/der.ts';
import { encode, integer, octetString, oid, sequence } from '../../shared/sealing/der-encode.ts';
import { type DemoIdentity, pem, signatureAlgorithm, signed } from '../support/demo-keys.ts';
import { encodeTime } from '../support/encode-time.ts';

const CRL_NUMBER = '2.5.29.20';
const DAY = 86_400_000;

/**
 * A folder that tells the judges whom to trust: the roots (*.crt, and all of them in roots.pem) and, since a judge
 * wants to know that nothing was revoked, an empty revocation list of every CA (*.crl).
 */
export function writeTrust(
  folder: string,
  roots: readonly DemoIdentity[],
  others: readonly DemoIdentity[],
  now: Date,
): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  roots.forEach(({ certificate }, index) => {
    writeFileSync(join(folder, `root-${index}.crt`), certificate);
  });
  writeFileSync(join(folder, 'roots.pem'), roots.map(({ certificate }) => pem(certificate)).join(''));
  [...roots, ...others].forEach((ca, index) => {
    writeFileSync(join(folder, `ca-${index}.crl`), emptyRevocationList(ca, now));
  });
}

function emptyRevocationList(ca: DemoIdentity, now: Date): Buffer {
  const number = sequence(oid(CRL_NUMBER), octetString(integer(1)));
  return signed(
    sequence(
      integer(1),
      signatureAlgorithm(ca.privateKey),
      readCertificate(ca.certificate).subject,
      encodeTime(new Date(now.getTime() - DAY / 24)),
      encodeTime(new Date(now.getTime() + DAY)),
      encode(contextTag(0), sequence(number)),
    ),
    ca.privateKey,
  );
}
