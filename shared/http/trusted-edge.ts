import { timingSafeEqual } from 'node:crypto';
import type { Visitor } from '../requests/model.ts';
import { setting } from '../runtime/config.ts';
import { readSecret } from '../runtime/secrets.ts';
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
let readAt = Number.NEGATIVE_INFINITY;

async function readDigests(): Promise<void> {
  const { current, previous } = JSON.parse(await readSecret(setting('ORIGIN_SECRET_ARN'))) as {
    current: string;
    previous?: string;
  };
  digests = [current, previous].filter((value): value is string => Boolean(value)).map(sha256Hex);
  readAt = performance.now();
}

const matches = (given: string) =>
  digests.some((digest) => timingSafeEqual(Buffer.from(digest), Buffer.from(sha256Hex(given))));

export async function assertThroughEdge(event: HttpEvent): Promise<void> {
  const given = header(event, ORIGIN_SECRET_HEADER) ?? '';
  if (matches(given)) return;
  // The secret may have been rotated since it was read; strangers cannot make us read it again and again.
  if (performance.now() - readAt > MINUTE) {
    await readDigests();
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
