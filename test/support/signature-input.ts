import { crc32, deflateSync } from 'node:zlib';
import type { SignerOnPage } from '../../shared/audit/signatures.ts';
import type { SignaturePageInput } from '../../shared/stamping/signature-page.ts';

export const SHA256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
export const REQUEST_ID = '3f2a8c1e-7b4d-4e0f-9a61-2c5d8e7f0a13';

export function signer(name: string, changes: Partial<SignerOnPage> = {}): SignerOnPage {
  return {
    nameAsSigned: name,
    email: 'signer@example.com',
    viewedAt: '2026-11-19T09:01:40Z',
    signedAt: '2026-11-19T09:05:07Z',
    ipAddress: '203.0.113.7',
    consent: { version: '2026-11-01', locale: 'en' },
    representing: null,
    signature: { type: 'typed', text: name },
    ...changes,
  };
}

export function pageInput(changes: Partial<SignaturePageInput> = {}): SignaturePageInput {
  return {
    language: 'en',
    test: false,
    requestId: REQUEST_ID,
    title: 'Lease agreement',
    sender: 'Kotilinna Oy',
    anchor: { sequence: 12, hash: [...SHA256].reverse().join('') },
    verifyUrl: 'https://sign.example.com/verify',
    timeZone: null,
    document: { filename: 'lease-agreement.pdf', sha256: SHA256 },
    signers: [signer('Aino Virtanen')],
    createdAt: '2026-11-19T09:05:07Z',
    ...changes,
  };
}

/** A transparent PNG with one dark bar. */
export function drawnSignature(width = 600, height = 200): Uint8Array {
  const row = width * 4 + 1;
  const pixels = Buffer.alloc(row * height);
  for (let x = 20; x < width - 20; x++) pixels.writeUInt32BE(0x142060ff, (height >> 1) * row + 1 + x * 4);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8);
  return new Uint8Array(
    Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
      pngChunk('IHDR', header),
      pngChunk('IDAT', deflateSync(pixels)),
      pngChunk('IEND', Buffer.alloc(0)),
    ]),
  );
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
