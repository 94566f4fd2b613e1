import { timingSafeEqual } from 'node:crypto';
import { ApiError } from '../contract/api-error.ts';
import type { Visitor } from '../requests/model.ts';
import { setting } from '../runtime/config.ts';
import { wholeStart } from '../runtime/graphemes.ts';
import { sha256Hex } from '../runtime/hash.ts';
import { errorFields, log } from '../runtime/log.ts';
import { readSecret, type SecretStage } from '../runtime/secrets.ts';
import { HOUR, SECOND } from '../runtime/time.ts';
import { type HttpEvent, header } from './call.ts';

export const ORIGIN_SECRET_HEADER = 'x-origin-secret';
export const VIEWER_ADDRESS_HEADER = 'x-viewer-address';

/** An old value of the secret is accepted for at most this time. */
export const SECRET_CACHE_MS = HOUR;
/** Limits re-reads caused by unauthenticated calls; a rotation must wait this long. */
export const MIN_REREAD_INTERVAL_MS = 5 * SECOND;

/**
 * API Gateway's own URL is public too. A secret that only the CloudFront distribution sends proves that a call came
 * through it, so that the viewer address in its header can be trusted.
 */
let digests: string[] = [];
let readAt = Number.NEGATIVE_INFINITY;
let rereadAt = Number.NEGATIVE_INFINITY;

async function readDigest(stage: SecretStage): Promise<string[]> {
  try {
    return [sha256Hex(await readSecret(setting('ORIGIN_SECRET_ARN'), stage))];
  } catch (error) {
    const noRotation =
      stage === 'AWSPREVIOUS' && error instanceof Error && error.name === 'ResourceNotFoundException';
    if (noRotation) return [];
    throw error;
  }
}

async function refresh(...stages: SecretStage[]): Promise<void> {
  digests = (await Promise.all(stages.map(readDigest))).flat();
  readAt = Date.now();
}

const matches = (secret: string) =>
  digests.some((digest) => timingSafeEqual(Buffer.from(digest), Buffer.from(sha256Hex(secret))));

export async function assertThroughEdge(event: HttpEvent): Promise<void> {
  const secret = header(event, ORIGIN_SECRET_HEADER);
  if (!secret) throw new ApiError('forbidden');
  if (digests.length === 0) await refresh('AWSCURRENT');
  const isFresh = matches(secret) && Date.now() - readAt <= SECRET_CACHE_MS;
  if (!isFresh && Date.now() - rereadAt > MIN_REREAD_INTERVAL_MS) {
    rereadAt = Date.now();
    // During a rotation the distribution may send the old value or the new one.
    await refresh('AWSCURRENT', 'AWSPREVIOUS').catch((error: unknown) => {
      if (!matches(secret)) throw error;
      log.warn('Re-reading the origin secret failed', errorFields(error));
    });
  }
  if (!matches(secret)) throw new ApiError('forbidden');
}

const MAX_USER_AGENT = 256;

/** The visitor as CloudFront saw it, never from a header that a client can set. */
export const visitorOf = (event: HttpEvent): Visitor => ({
  ipAddress: header(event, VIEWER_ADDRESS_HEADER) ?? null,
  userAgent: wholeStart(header(event, 'user-agent')?.toWellFormed() ?? '', MAX_USER_AGENT) || null,
});
