import { timingSafeEqual } from 'node:crypto';
import type { Visitor } from '../requests/model.ts';
import { setting } from '../runtime/config.ts';
import { errorFields, log } from '../runtime/log.ts';
import { readSecret, type SecretStage } from '../runtime/secrets.ts';
import { HOUR, SECOND } from '../runtime/time.ts';
import { sha256Hex } from '../store/keys.ts';
import { ApiError } from './api-error.ts';
import { type HttpEvent, header } from './call.ts';

export const ORIGIN_SECRET_HEADER = 'x-origin-secret';
export const VIEWER_ADDRESS_HEADER = 'x-viewer-address';

/** A value that the secret no longer holds is accepted this long at most. */
export const BELIEVED_FOR = HOUR;
/** Strangers cannot make us look again and again; who rotates the secret waits so long before the distribution sends it. */
export const LOOK_AGAIN_AFTER = 5 * SECOND;

/**
 * The API has a public address of its own beside the distribution's. A secret that only the distribution sends tells
 * the two apart: without it a call is refused, so that the viewer address in its header can be believed.
 */
let digests: string[] = [];
let readAt = Number.NEGATIVE_INFINITY;
let lookedAt = Number.NEGATIVE_INFINITY;

async function read(stage: SecretStage): Promise<string[]> {
  try {
    return [sha256Hex(await readSecret(setting('ORIGIN_SECRET_ARN'), stage))];
  } catch (error) {
    const noRotation =
      stage === 'AWSPREVIOUS' && error instanceof Error && error.name === 'ResourceNotFoundException';
    if (noRotation) return [];
    throw error;
  }
}

async function know(...stages: SecretStage[]): Promise<void> {
  digests = (await Promise.all(stages.map(read))).flat();
  readAt = Date.now();
}

const matches = (given: string) =>
  digests.some((digest) => timingSafeEqual(Buffer.from(digest), Buffer.from(sha256Hex(given))));

export async function assertThroughEdge(event: HttpEvent): Promise<void> {
  const given = header(event, ORIGIN_SECRET_HEADER);
  if (!given) throw new ApiError('forbidden');
  if (digests.length === 0) await know('AWSCURRENT');
  const isBelieved = matches(given) && Date.now() - readAt <= BELIEVED_FOR;
  if (!isBelieved && Date.now() - lookedAt > LOOK_AGAIN_AFTER) {
    lookedAt = Date.now();
    // While it is rotated the distribution may send the old value or the new one.
    await know('AWSCURRENT', 'AWSPREVIOUS').catch((error: unknown) => {
      if (!matches(given)) throw error;
      log.warn('The origin secret could not be read again', errorFields(error));
    });
  }
  if (!matches(given)) throw new ApiError('forbidden');
}

const MAX_USER_AGENT = 512;

/** Who is there, as the edge saw it: never from a header that a client can write. */
export const visitorOf = (event: HttpEvent): Visitor => ({
  ipAddress: header(event, VIEWER_ADDRESS_HEADER) ?? null,
  userAgent: header(event, 'user-agent')?.slice(0, MAX_USER_AGENT) ?? null,
});
