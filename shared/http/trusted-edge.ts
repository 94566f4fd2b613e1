import { timingSafeEqual } from 'node:crypto';
import { ApiError } from '../contract/api-error.ts';
import type { Visitor } from '../requests/model.ts';
import { setting } from '../runtime/config.ts';
import { wholeStart } from '../runtime/graphemes.ts';
import { sha256Hex } from '../runtime/hash.ts';
import { errorFields, log } from '../runtime/log.ts';
import { readSecret, type SecretStage } from '../runtime/secrets.ts';
import { HOUR, MINUTE, SECOND } from '../runtime/time.ts';
import { type HttpEvent, header } from './call.ts';

export const ORIGIN_SECRET_HEADER = 'x-origin-secret';
export const VIEWER_ADDRESS_HEADER = 'x-viewer-address';

/** An old value of the secret is accepted for at most this time, longer only while Secrets Manager cannot be read. */
export const SECRET_CACHE_MS = HOUR;
/** Limits re-reads caused by unauthenticated calls; a rotation must wait this long. */
export const MIN_REREAD_INTERVAL_MS = 5 * SECOND;
/** A re-read that hangs delays a call whose value is cached by at most this, and not again for a minute. */
const CACHED_REREAD_TIMEOUT_MS = 2 * SECOND;
const CACHED_REREAD_INTERVAL_MS = MINUTE;

async function readDigest(stage: SecretStage, abortSignal: AbortSignal | undefined): Promise<string[]> {
  try {
    return [sha256Hex(await readSecret(setting('ORIGIN_SECRET_ARN'), stage, { abortSignal }))];
  } catch (error) {
    const noRotation =
      stage === 'AWSPREVIOUS' && error instanceof Error && error.name === 'ResourceNotFoundException';
    if (noRotation) return [];
    throw error;
  }
}

/**
 * API Gateway's own URL is public too. A secret that only the CloudFront distribution sends proves that a call came
 * through it, so that the viewer address in its header can be trusted.
 */
export class OriginSecret {
  #digests: string[] = [];
  #readAt = 0;
  #rereadAt = 0;

  async assertThroughEdge(event: HttpEvent): Promise<void> {
    const secret = header(event, ORIGIN_SECRET_HEADER);
    if (!secret) throw new ApiError('forbidden');
    if (this.#digests.length === 0) await this.#refresh(['AWSCURRENT']);
    const isCached = this.#matches(secret);
    if (!isCached || Date.now() - this.#readAt > SECRET_CACHE_MS) await this.#reread(isCached);
    if (!this.#matches(secret)) throw new ApiError('forbidden');
  }

  async #refresh(stages: SecretStage[], abortSignal?: AbortSignal): Promise<void> {
    this.#digests = (await Promise.all(stages.map((stage) => readDigest(stage, abortSignal)))).flat();
    this.#readAt = Date.now();
  }

  #matches(secret: string): boolean {
    return this.#digests.some((digest) =>
      timingSafeEqual(Buffer.from(digest), Buffer.from(sha256Hex(secret))),
    );
  }

  /** Reads the secret again, unless that was tried a moment ago. A cached value stays valid while reading fails. */
  async #reread(isCached: boolean): Promise<void> {
    const interval = isCached ? CACHED_REREAD_INTERVAL_MS : MIN_REREAD_INTERVAL_MS;
    if (Date.now() - this.#rereadAt <= interval) return;
    this.#rereadAt = Date.now();
    try {
      // During a rotation the distribution may send the old value or the new one.
      await this.#refresh(
        ['AWSCURRENT', 'AWSPREVIOUS'],
        isCached ? AbortSignal.timeout(CACHED_REREAD_TIMEOUT_MS) : undefined,
      );
    } catch (error) {
      if (!isCached) throw error;
      log.warn('Re-reading the origin secret failed', errorFields(error));
    }
  }
}

const MAX_USER_AGENT = 256;

/** The visitor as CloudFront saw it, never from a header that a client can set. */
export const visitorOf = (event: HttpEvent): Visitor => ({
  ipAddress: header(event, VIEWER_ADDRESS_HEADER) ?? null,
  userAgent: wholeStart(header(event, 'user-agent')?.toWellFormed() ?? '', MAX_USER_AGENT) || null,
});
