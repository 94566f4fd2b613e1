import { PDFDocument } from 'pdf-lib';
import { type DemoIdentity, makeDemoCa, makeDemoSealIdentity, toPkcs12 } from '../../../admin/demo-keys.ts';
import { pkcs12Key } from '../../../shared/sealing/keys/pkcs12.ts';
import type { SealKey } from '../../../shared/sealing/keys/port.ts';
import { HashedOriginal } from '../../../shared/sealing/original.ts';
import { type Seal, type SealRequest, seal } from '../../../shared/sealing/seal.ts';
import { timestamper } from '../../../shared/sealing/timestamp.ts';
import { fetchOf, makeTestAuthority, type TestAuthority } from '../../support/timestamp-authority.ts';

export const now = new Date('2026-11-21T10:00:00Z');

let demo: { ca: DemoIdentity; identity: DemoIdentity; key: SealKey; tsa: TestAuthority } | undefined;

/** One set of demo certificates for all tests of a file: making RSA keys takes time. */
export function demoSealing() {
  if (demo === undefined) {
    const ca = makeDemoCa(now);
    const identity = makeDemoSealIdentity(ca, { now });
    const key = pkcs12Key(toPkcs12(identity, 'secret'), 'secret');
    demo = { ca, identity, key, tsa: makeTestAuthority({ now }) };
  }
  return demo;
}

export function sealIt(
  original: Uint8Array,
  options: Partial<Omit<SealRequest, 'original'>> = {},
): Promise<Seal> {
  const { key, tsa } = demoSealing();
  const timestamp = timestamper([tsa.authority], { fetch: fetchOf(tsa), now: () => now });
  return seal({ original: new HashedOriginal(original), key, timestamp, now, ...options });
}

export async function signaturePage(pages = 1): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (let i = 0; i < pages; i += 1)
    document.addPage([500, 700]).drawText(`Signature page ${i + 1}`, { x: 50, y: 600 });
  return document.save();
}
