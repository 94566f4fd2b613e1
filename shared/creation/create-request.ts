import { randomUUID } from 'node:crypto';
import type { S3Client } from '@aws-sdk/client-s3';
import type * as z from 'zod';
import type { Caller } from '../accounts/authenticate.ts';
import { assertSubscribed } from '../accounts/subscription.ts';
import { countTestMails } from '../accounts/test-mail-limit.ts';
import { ApiError } from '../contract/api-error.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import type { createSignature, createSignatureBody } from '../contract/signatures.ts';
import { accessTokenAsCreated, asCreated } from '../requests/correcting.ts';
import { choicesIn, create, type NewRequest } from '../requests/creating.ts';
import { MailLeaseHeld } from '../requests/inviting.ts';
import { linkToken, signUrl } from '../requests/links.ts';
import type { SignatureRequest } from '../requests/model.ts';
import { rawMember } from '../runtime/raw-json.ts';
import { after, MINUTE, SECOND } from '../runtime/time.ts';
import type { Send } from '../store/dispatch.ts';
import { followEndedArchive } from '../store/follow-archive.ts';
import { outboxKey } from '../store/keys.ts';
import { claimObject, useClaimWrite } from '../store/object-claims.ts';
import { originalKey } from '../store/objects.ts';
import type { OutboxItem } from '../store/outbox.ts';
import { creationWrites, loadRequest } from '../store/requests.ts';
import { ConditionFailed, type Table, tryWrite, type Write, WriteCollision } from '../store/table.ts';
import type { Locale } from '../texts/languages.ts';
import { newAccessToken } from '../verification/code.ts';
import { type CodeMailing, makeCode } from '../verification/code-mailing.ts';
import { type Invitations, mailInvitations } from '../verification/invite.ts';
import { checkDocument, storeOriginal } from './document.ts';
import { bodyHash, claimKey, inProgress, releaseKey, type ScopedKey, takeOver } from './idempotency.ts';

type CreateBody = z.output<typeof createSignatureBody>;

interface Creating extends CodeMailing {
  s3: S3Client;
  documentsBucket: string;
  stagingBucket: string;
  send: Send;
}

interface Input {
  caller: Caller;
  body: CreateBody;
  rawBody: string;
  idempotencyKey: string | undefined;
}

type Invited = NonNullable<CreateBody['signers']>[number];

/** The signers of the list, or the one of the deprecated fields. */
const signersOf = ({ signers, signer_email, signer_name }: CreateBody): Invited[] =>
  signers ?? (signer_email === undefined ? [] : [{ email: signer_email, name: signer_name }]);

/** Builds the answer only from the request, so that a replay gets the same answer. */
export function creationAnswer(request: SignatureRequest, baseUrl: string): AnswerOf<typeof createSignature> {
  const signers = request.signers.map((signer) => {
    const { email, name } = asCreated(signer);
    const accessToken = accessTokenAsCreated(signer);
    return {
      id: signer.id,
      email,
      name,
      access_token: accessToken,
      sign_url: signUrl(baseUrl, { accessToken }),
      email_sent: signer.invitation?.sent ?? false,
      email_error: signer.invitation?.error ?? null,
      locale: signer.localeAsInvited,
    };
  });
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

/** False for a read that saw the write of the call that creates the request in part. */
const isWhole = ({ state, signers }: SignatureRequest) => signers.length === state.signerCount;

/** Checks the outcomes as well as the state: a read may have seen only the state of the last write. */
const areAllInvited = ({ state, signers }: SignatureRequest) =>
  state.invitationsReportedAt !== null && signers.every(({ invitation }) => invitation);

/** Creates a request, or continues the one that an earlier call with the same key began. */
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
    if (known && areAllInvited(known)) return { request: known, replayed: true };
    if (known && isWhole(known)) return { request: await finish(creating, known, []), replayed: true };
    await takeOver(creating.table, key, claim, now);
    return { request: await createNew(creating, input, claim.requestId), replayed: false };
  } catch (error) {
    if (error instanceof MailLeaseHeld) throw inProgress(error.until);
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
  const document = await checkDocument(creating, body.document, { owner: caller, requestId });
  const addresses = invitees.map(({ email }) => email);
  await countTestMails(creating.table, caller, addresses, creating.now());
  await claimOriginal(creating, requestId);
  await storeOriginal(creating.s3, creating.documentsBucket, requestId, document.bytes);

  const { signers, codes } = newSigners(invitees, body.locale ?? 'en', requestId, creating.codePepper);
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
      ...choicesIn(body),
      createdBy: caller.user ? { userId: caller.user.id, email: caller.user.email } : null,
      locale: body.locale ?? signers[0]?.locale ?? 'en',
      content: {
        ...document.content,
        message: body.message ?? '',
        metadataJson: rawMember(rawBody, 'metadata') ?? '{}',
        documentKey: originalKey(requestId),
        returnUrl: body.return_url ?? null,
      },
      signers,
    },
    now,
  );
  const { state, writes, outbox } = creationWrites(change, request.content, now);
  await commit(creating.table, requestId, { writes, documentWrites: document.extraWrites }, now);
  return finish(creating, { ...request, state }, outbox, { codes, brand: caller.brand });
}

/** The signers, each with a link, and the codes to mail, by signer. */
function newSigners(invitees: readonly Invited[], fallback: Locale, requestId: string, codePepper: Buffer) {
  const codes = new Map<string, string>();
  const signers = invitees.map(({ email, name, locale }): NewRequest['signers'][number] => {
    const id = randomUUID();
    const { code, codeHash } = makeCode(codePepper, requestId, id);
    codes.set(id, code);
    const accessToken = linkToken(requestId, newAccessToken());
    return { id, email, name: name || null, locale: locale ?? fallback, accessToken, codeHash };
  });
  return { signers, codes };
}

async function commit(
  table: Table,
  requestId: string,
  { writes, documentWrites }: { writes: Write[]; documentWrites: Write[] },
  now: Date,
): Promise<void> {
  try {
    await table.transact([...writes, useClaimWrite(originalKey(requestId)), ...documentWrites]);
  } catch (error) {
    if (error instanceof WriteCollision) throw new ApiError('conflict');
    if (!(error instanceof ConditionFailed)) throw error;
    // Another call took over after the lease and created the request, or the sweep took this call for dead, or the
    // upload was used meanwhile.
    if (error.failed.includes(0) || error.failed.includes(writes.length))
      throw new MailLeaseHeld(after(now, SECOND));
    throw new ApiError('invalid_upload', 'document.upload_id was used already; an upload serves once.', {
      field: '/document/upload_id',
    });
  }
}

/** Lets the sweep find the original if this call dies. */
async function claimOriginal({ table, now }: Creating, requestId: string): Promise<void> {
  // Refused while the sweep removes the original of an earlier call.
  if (!(await tryWrite(claimObject(table, originalKey(requestId), now()))))
    throw inProgress(after(now(), MINUTE));
}

/** Mails the remaining invitations, ends the batch, and dispatches what followed. */
async function finish(
  creating: Creating,
  created: SignatureRequest,
  outbox: OutboxItem[],
  known: Pick<Invitations, 'codes' | 'brand'> = {},
): Promise<SignatureRequest> {
  // The task of the outbox would do the same, after a crash.
  const tasks = outbox.filter(({ kind }) => kind === 'mail');
  const events = outbox.filter(({ kind }) => kind === 'event');
  const finalWrites = tasks.map(({ id }) => ({ delete: outboxKey(id) }));
  const { request, outbox: followed } = await mailInvitations(creating, created, { ...known, finalWrites });
  await creating.send([...events, ...followed]);
  await followEndedArchive(creating.table, request.state, creating.now);
  return request;
}
