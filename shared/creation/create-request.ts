import { randomBytes, randomUUID } from 'node:crypto';
import type { S3Client } from '@aws-sdk/client-s3';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type * as z from 'zod';
import type { Caller } from '../accounts/authenticate.ts';
import { codeHash, newCode } from '../codes/code.ts';
import { signUrl } from '../codes/code-mail.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import { LIMITS, type Locale } from '../contract/fields.ts';
import type { createSignature, createSignatureBody } from '../contract/signatures.ts';
import { ApiError } from '../http/api-error.ts';
import { rawMember } from '../http/raw-json.ts';
import { dispatch, type QueueUrls } from '../queues/dispatch.ts';
import { create, type NewRequest } from '../requests/creating.ts';
import { BeingMailed } from '../requests/inviting.ts';
import type { SignatureRequest } from '../requests/model.ts';
import { originalKey } from '../store/objects.ts';
import type { OutboxItem } from '../store/outbox.ts';
import { creationWrites, loadRequest } from '../store/requests.ts';
import { ConditionFailed } from '../store/table.ts';
import { checkDocument, storeOriginal } from './document.ts';
import { bodyHash, claimKey, inProgress, releaseKey, type ScopedKey, takeOver } from './idempotency.ts';
import { type Inviting, mailInvitations } from './invite.ts';
import { assertSubscribed } from './subscription.ts';

export type CreateBody = z.output<typeof createSignatureBody>;

export interface Creating extends Inviting {
  s3: S3Client;
  sqs: SQSClient;
  documentsBucket: string;
  stagingBucket: string;
  queues: QueueUrls;
}

interface Input {
  caller: Caller;
  body: CreateBody;
  rawBody: string;
  idempotencyKey: string | undefined;
}

interface Invited {
  email: string;
  name?: string | undefined;
  locale?: Locale | undefined;
}

/** The signers, from the list or from the deprecated single-signer fields. */
function signersOf(body: CreateBody): Invited[] {
  const legacy = body.signer_email !== undefined || body.signer_name !== undefined;
  if (body.signers && legacy) throw new ApiError('ambiguous_signers');
  if (legacy && !body.signer_email)
    throw new ApiError('invalid_signer_email', 'signer_email must be an e-mail address.');
  const signers =
    body.signers ?? (body.signer_email ? [{ email: body.signer_email, name: body.signer_name }] : []);
  if (signers.length === 0)
    throw new ApiError('signers_required', 'signers must be a list of 1 to 20 signers.');
  const seen = new Map<string, number>();
  for (const [index, { email }] of signers.entries()) {
    const first = seen.get(email);
    if (first !== undefined) {
      throw new ApiError(
        'duplicate_signer',
        `signers[${index}].email is the same address as signers[${first}].email.`,
      );
    }
    seen.set(email, index);
  }
  return signers;
}

function metadataOf(rawBody: string): string {
  const metadata = rawMember(rawBody, 'metadata') ?? '{}';
  if (Buffer.byteLength(metadata) > LIMITS.metadataBytes) throw new ApiError('metadata_too_large');
  return metadata;
}

/** The answer of 4.1, made from the request: a repeated call gets the same. */
export function creationAnswer(request: SignatureRequest, baseUrl: string): AnswerOf<typeof createSignature> {
  const signers = request.signers.map((signer) => ({
    id: signer.id,
    email: signer.email,
    name: signer.nameAsInvited ?? signer.email,
    access_token: signer.accessToken,
    sign_url: signUrl(baseUrl, signer),
    email_sent: signer.invitation?.sent ?? false,
    email_error: signer.invitation?.error ?? null,
    locale: signer.localeAsInvited,
  }));
  const [only, ...others] = signers;
  const deprecated = only &&
    others.length === 0 && {
      token: only.access_token,
      sign_url: only.sign_url,
      email_sent: only.email_sent,
      email_error: only.email_error,
    };
  return {
    id: request.state.id,
    status: signers.some((signer) => signer.email_sent) ? 'sent' : 'pending',
    expires_at: request.state.expiresAt,
    signers,
    ...deprecated,
  };
}

/** Creates a request, or goes on with one that an earlier call with the same key began. */
export async function createRequest(
  creating: Creating,
  input: Input,
): Promise<{ request: SignatureRequest; replayed: boolean }> {
  const { caller, idempotencyKey, rawBody } = input;
  if (idempotencyKey === undefined)
    return { request: await createNew(creating, input, randomUUID()), replayed: false };

  const key: ScopedKey = { ownerId: caller.ownerId, mode: caller.mode, value: idempotencyKey };
  const now = creating.now();
  const claim = await claimKey(creating.table, key, bodyHash(rawBody), randomUUID(), now);
  try {
    if (claim.mine) return { request: await createNew(creating, input, claim.requestId), replayed: false };
    const known = await loadRequest(creating.table, claim.requestId);
    if (known?.state.invitedAt) return { request: known, replayed: true };
    if (known) return { request: await finish(creating, known, [], new Map()), replayed: false };
    await takeOver(creating.table, key, claim, now);
    return { request: await createNew(creating, input, claim.requestId), replayed: false };
  } catch (error) {
    if (error instanceof BeingMailed) throw inProgress(error.until, creating.now());
    const refused = error instanceof ApiError && error.code !== 'idempotency_in_progress';
    if (refused) await releaseKey(creating.table, key, claim.requestId);
    throw error;
  }
}

async function createNew(
  creating: Creating,
  { caller, body, rawBody }: Input,
  requestId: string,
): Promise<SignatureRequest> {
  assertSubscribed(caller);
  const invitees = signersOf(body);
  const metadataJson = metadataOf(rawBody);
  const owner = { id: caller.ownerId, mode: caller.mode };
  const document = await checkDocument(creating, owner, body.document, requestId, creating.now());
  await storeOriginal(creating.s3, creating.documentsBucket, requestId, document.bytes);

  const codes = new Map<string, string>();
  const signers: NewRequest['signers'] = invitees.map(({ email, name, locale }) => {
    const id = randomUUID();
    const code = newCode();
    codes.set(id, code);
    return {
      id,
      email,
      name: name || null,
      locale: locale ?? body.locale ?? 'en',
      accessToken: randomBytes(32).toString('base64url'),
      codeHash: codeHash(creating.codePepper, requestId, id, code),
    };
  });
  const now = creating.now();
  const { request, change } = create(
    {
      id: requestId,
      owner: {
        id: caller.ownerId,
        type: caller.ownerType,
        name: caller.ownerName,
        mode: caller.mode,
        archive: caller.archive,
        reminders: caller.reminders,
      },
      title: body.title,
      locale: body.locale ?? signers[0]?.locale ?? 'en',
      reminders: body.reminders ?? true,
      content: {
        ...document.content,
        message: body.message ?? '',
        metadataJson,
        documentKey: originalKey(requestId),
      },
      signers,
    },
    now,
  );
  const { state, writes, outbox } = creationWrites(change, request.content, now);
  try {
    await creating.table.transact([...writes, ...document.claim]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    // Either another call that took this one for dead has made the request, or the upload was used meanwhile.
    if (error.failed.includes(0)) throw new BeingMailed(new Date(now.getTime() + 1_000).toISOString());
    throw new ApiError('invalid_upload', 'document.upload_id was used already; an upload serves once.');
  }
  return finish(creating, { ...request, state }, outbox, codes);
}

/** Mails who is not mailed yet, closes the batch, and sends on what follows. */
async function finish(
  creating: Creating,
  request: SignatureRequest,
  outbox: OutboxItem[],
  codes: ReadonlyMap<string, string>,
): Promise<SignatureRequest> {
  const mailed = await mailInvitations(creating, request, codes);
  await dispatch(creating.sqs, creating.queues, outbox);
  return mailed;
}
