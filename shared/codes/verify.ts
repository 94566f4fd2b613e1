import { assertNotLocked, codeToTry, codeVerified, MAX_ATTEMPTS, wrongCode } from '../requests/codes.ts';
import { Refusal } from '../requests/lifecycle.ts';
import type { SignatureRequest, SignerState, Visitor } from '../requests/model.ts';
import { after } from '../runtime/time.ts';
import { changeRequest } from '../store/change.ts';
import { signerKey } from '../store/keys.ts';
import { ConditionFailed, type Table } from '../store/table.ts';
import { codeHash, sameHash } from './code.ts';

interface Attempt {
  code: string;
  visitor: Visitor;
}

/** Counts the attempt before the code is looked at, so that any number of guesses at once uses up five and no more. */
async function countAttempt(
  table: Table,
  requestId: string,
  signer: SignerState,
  hash: string,
  now: Date,
): Promise<SignerState> {
  try {
    const counted = await table.count(
      signerKey(requestId, signer.position),
      'codeAttempts',
      { lastAttemptAt: now.toISOString() },
      { expression: '#codeAttempts < :max AND #code.#hash = :hash', values: { max: MAX_ATTEMPTS, hash } },
    );
    return counted as SignerState & typeof counted;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    assertNotLocked({ ...signer, ...error.current }, now);
    throw new Refusal('code_expired');
  }
}

/** Holds a code against the one that was mailed; gives the request with the code used up, or refuses. */
export async function verifyCode(
  { table, codePepper, now }: { table: Table; codePepper: Buffer; now: () => Date },
  request: SignatureRequest,
  signerId: string,
  { code, visitor }: Attempt,
): Promise<SignatureRequest> {
  const { id } = request.state;
  const time = now();
  const { signer, hash } = codeToTry(request, signerId, time);
  const { codeAttempts, lastAttemptAt } = await countAttempt(table, id, signer, hash, time);
  if (sameHash(codeHash(codePepper, id, signerId, code), hash)) {
    const by = { signerId, visitor, codeHash: hash };
    const verified = await changeRequest(table, id, (current, at) => codeVerified(current, by, at), now);
    if (!verified) throw new Refusal('not_found');
    return verified.request;
  }
  const by = { signerId, visitor, attempts: codeAttempts };
  await changeRequest(table, id, (current, at) => wrongCode(current, by, at), now);
  assertNotLocked({ ...signer, codeAttempts, lastAttemptAt: lastAttemptAt ?? after(time, 0) }, time);
  throw new Refusal('wrong_code', { fields: { attempts_left: MAX_ATTEMPTS - codeAttempts } });
}
