import { timingSafeEqual } from 'node:crypto';
import type { Visitor } from '../requests/model.ts';
import { setting } from '../runtime/config.ts';
import { readSecret, type SecretStage } from '../runtime/secrets.ts';
import { MINUTE } from '../runtime/time.ts';
import { sha256Hex } from '../store/keys.ts';
import { ApiError } from './api-error.ts';
import { type HttpEvent, header } from './call.ts';

export const ORIGIN_SECRET_HEADER = 'x-origin-secret';
export const VIEWER_ADDRESS_HEADER = 'x-viewer-address';

/**
 * The API has a public address of its own beside the distribution's. A secret that only the distribution sends tells
 * the two apart: without it a call is refused, so that the viewer address in its header can be believed.
 */
let digests: string[] = [];
let searchedAt = Number.NEGATIVE_INFINITY;

async function read(stage: SecretStage): Promise<string[]> {
  try {
    return [sha256Hex(await readSecret(setting('ORIGIN_SECRET_ARN'), stage))];
  } catch (error) {
    const neverRotated =
      stage === 'AWSPREVIOUS' && error instanceof Error && error.name === 'ResourceNotFoundException';
    if (neverRotated) return [];
    throw error;
  }
}

const matches = (given: string) =>
  digests.some((digest) => timingSafeEqual(Buffer.from(digest), Buffer.from(sha256Hex(given))));

export async function assertThroughEdge(event: HttpEvent): Promise<void> {
  const given = header(event, ORIGIN_SECRET_HEADER) ?? '';
  if (digests.length === 0) digests = await read('AWSCURRENT');
  if (matches(given)) return;
  // It may be rotated just now, the distribution still on the old value or already on the new one.
  // Strangers cannot make us look again and again.
  if (given && performance.now() - searchedAt > MINUTE) {
    searchedAt = performance.now();
    digests = (await Promise.all([read('AWSCURRENT'), read('AWSPREVIOUS')])).flat();
    if (matches(given)) return;
  }
  throw new ApiError('forbidden');
}

const MAX_USER_AGENT = 512;

/** Who is there, as the edge saw it: never from a header that a client can write. */
export const visitorOf = (event: HttpEvent): Visitor => ({
  ipAddress: header(event, VIEWER_ADDRESS_HEADER) ?? null,
  userAgent: header(event, 'user-agent')?.slice(0, MAX_USER_AGENT) ?? null,
});
