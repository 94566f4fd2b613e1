import { PDFDocument } from 'pdf-lib';
import { HashedOriginal } from '../../../shared/sealing/original.ts';
import { type Seal, type SealRequest, seal } from '../../../shared/sealing/seal.ts';
import { loadOnce } from '../../support/load-once.ts';
import { timestamperOf } from '../../support/timestamp-authority.ts';
import type * as demo from './demo-certificates.ts';

export const now = new Date('2026-11-21T10:00:00Z');

export const demoSealing = () =>
  loadOnce<typeof demo>(new URL('demo-certificates.ts', import.meta.url)).demoCertificates(now);

export function sealIt(
  original: Uint8Array,
  options: Partial<Omit<SealRequest, 'original'>> = {},
): Promise<Seal> {
  const { key, tsa } = demoSealing();
  const timestamp = timestamperOf(tsa, () => now);
  return seal({ original: new HashedOriginal(original), key, timestamp, now, ...options });
}

export async function signaturePage(pages = 1): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (let i = 0; i < pages; i += 1)
    document.addPage([500, 700]).drawText(`Signature page ${i + 1}`, { x: 50, y: 600 });
  return document.save();
}
