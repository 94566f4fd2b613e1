import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';

/** A one-time code: six digits, every one as likely. */
export const newCode = (random: (max: number) => number = randomInt): string =>
  String(random(1_000_000)).padStart(6, '0');

/** Bound to its request and signer, under a pepper that the database does not hold: six digits alone are soon guessed. */
export const codeHash = (pepper: Buffer, requestId: string, signerId: string, code: string): string =>
  createHmac('sha256', pepper).update(`${requestId}:${signerId}:${code}`).digest('hex');

export const sameHash = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
