/**
 * Seals every PDF of the list on standard input in one process, and says what became of each: one JSON line a file.
 * Apart from the tests so that a crash, a hang or too much memory is seen for what it is.
 * Arguments: the folder for sealed files (named by their number in the list), the folder for trust.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspectPdf } from '../../shared/sealing/intake.ts';
import { pkcs12Key } from '../../shared/sealing/keys/pkcs12.ts';
import { HashedOriginal } from '../../shared/sealing/original.ts';
import { seal } from '../../shared/sealing/seal.ts';
import { makeSignaturePage } from '../../shared/stamping/signature-page.ts';
import { makeDemoCa, makeDemoSealIdentity, pem, toPkcs12 } from '../support/demo-keys.ts';
import { pageInput } from '../support/signature-input.ts';
import { makeTestAuthority, timestamperOf } from '../support/timestamp-authority.ts';
import { writeTrust } from './trust.ts';

export interface Outcome {
  number: number;
  /** "sealed", or the code of the refusal. */
  result: string;
  signed: boolean;
  pages: number;
  prefixKept: boolean;
  milliseconds: number;
  /** The most memory that the process has had so far. */
  peakMegabytes: number;
}

const [, , folder = '', trust = ''] = process.argv;
const now = new Date();
const ca = makeDemoCa(now, 'Demo CA', { algorithm: 'rsa' });
const tsa = makeTestAuthority({ now, algorithm: 'rsa' });
const identity = makeDemoSealIdentity(ca, { now, algorithm: 'rsa' });
const key = pkcs12Key(toPkcs12(identity, 'x'), 'x');
const timestamp = timestamperOf(tsa);
const signaturePage = await makeSignaturePage(pageInput());
const signaturePages = 1;
writeTrust(trust, [ca, tsa.ca], [], now);
// For the verifier, which trusts a signer by its own certificate.
writeFileSync(join(trust, 'expected.pem'), pem(identity.certificate) + pem(tsa.ca.certificate));

const files = readFileSync(0, 'utf8').split('\n').filter(Boolean);
for (const [number, file] of files.entries()) {
  const original = readFileSync(file);
  const begun = performance.now();
  const outcome = { number, result: '', signed: false, pages: 0, prefixKept: true };
  const inspection = inspectPdf(original);
  if (inspection.ok) {
    const { bytes } = await seal({
      original: new HashedOriginal(original),
      signaturePage,
      key,
      timestamp,
      now,
    });
    outcome.result = 'sealed';
    outcome.signed = inspection.signed;
    outcome.pages = inspection.pageCount + (inspection.signed ? 0 : signaturePages);
    outcome.prefixKept = bytes.subarray(0, original.length).equals(original);
    writeFileSync(join(folder, `${number}.pdf`), bytes);
  } else {
    outcome.result = inspection.code;
  }
  const milliseconds = Math.round(performance.now() - begun);
  const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(JSON.stringify({ ...outcome, milliseconds, peakMegabytes } satisfies Outcome));
}
