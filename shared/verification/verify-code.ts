import { ApiError } from '../contract/api-error.ts';
import { assertNotLocked, attemptCode, codeToTry, MAX_ATTEMPTS } from '../requests/codes.ts';
import { assertLink, signerById } from '../requests/lifecycle.ts';
import type { SignatureRequest, Visitor } from '../requests/model.ts';
import { measure } from '../runtime/metrics.ts';
import { changeRequest } from '../store/change.ts';
import { codeHash, sameHash } from './code.ts';
import type { NewCodeMailing } from './mail-code.ts';
import { newSession } from './session.ts';

type Parts = Pick<NewCodeMailing, 'table' | 'codePepper' | 'now' | 'send'>;

interface Attempt {
  code: string;
  visitor: Visitor;
}

/**
 * Compares a code with the mailed one. Returns the changed request and the secret of the new session, or throws the refusal.
 * Answers only once the attempt is stored, so that concurrent guesses cannot exceed the limits.
 */
export async function verifyCode(
  { table, codePepper, now, send }: Parts,
  request: SignatureRequest,
  signerId: string,
  { code, visitor }: Attempt,
): Promise<{ request: SignatureRequest; session: string }> {
  const { id } = request.state;
  const { signer: holder, hash } = codeToTry(request, signerId, now());
  const session = newSession(now());
  const isRight = sameHash(codeHash(codePepper, id, signerId, code), hash);
  const by = { signerId, visitor, codeHash: hash, opens: isRight ? session.stored : null };
  const decide = (current: SignatureRequest, at: Date) => {
    assertLink(current, signerId, holder.accessToken);
    return attemptCode(current, by, at);
  };
  const attempted = await changeRequest({ table, now }, id, decide, { known: request });
  if (!attempted) throw new ApiError('not_found');
  await send(attempted.outbox);
  if (isRight) return { request: attempted.request, session: session.secret };
  measure({ WrongCodes: 1 });
  const signer = signerById(attempted.request, signerId);
  assertNotLocked(signer, now());
  throw new ApiError('wrong_code', undefined, {
    fields: { attempts_left: MAX_ATTEMPTS - signer.codeAttempts },
  });
}
