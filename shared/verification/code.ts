import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** The secret of a link or a cookie: 256 random bits. */
export const newAccessToken = (): string => randomBytes(32).toString('base64url');

/** A one-time code of six uniformly random digits. */
export const newCode = (random: (max: number) => number = randomInt): string =>
  String(random(1_000_000)).padStart(6, '0');

/** The code that belongs to a seed: always the same, and unknown without the pepper. */
export const codeFrom = (pepper: Buffer, seed: string): string =>
  newCode((max) => createHmac('sha256', pepper).update(seed).digest().readUIntBE(0, 6) % max);

/** Hashes with a pepper that is not in the database, since six digits are quickly found by brute force. */
export const codeHash = (pepper: Buffer, requestId: string, signerId: string, code: string): string =>
  createHmac('sha256', pepper).update(`${requestId}:${signerId}:${code}`).digest('hex');

export const sameHash = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
