import fc from 'fast-check';
import { codeHash, newCode, sameHash } from '../../../shared/codes/code.ts';
import { codeMailed, codeToTry, lockedUntil, requestCode } from '../../../shared/requests/codes.ts';
import { rotateCode } from '../../../shared/requests/inviting.ts';
import type { SignatureRequest } from '../../../shared/requests/model.ts';
import { MINUTE, SECOND } from '../../../shared/runtime/time.ts';
import { applied, NOON, sentRequest, VISITOR } from '../../support/requests.ts';

const at = (milliseconds: number) => new Date(NOON.getTime() + milliseconds);
const byOf = (request: SignatureRequest) => ({ signerId: request.signers[0]?.id ?? '', visitor: VISITOR });

/** Asks for a code and lets its mail arrive. */
function askFor(request: SignatureRequest, now: Date): SignatureRequest {
  const asked = applied(request, requestCode(request, { ...byOf(request), codeHash: 'h' }, now));
  return applied(asked, codeMailed(asked, { ...byOf(asked), sent: true, error: null }, now));
}

const withAttempts = (
  request: SignatureRequest,
  attempts: number,
  lastAttemptAt: Date,
): SignatureRequest => ({
  ...request,
  signers: request.signers.map((signer) => ({
    ...signer,
    codeAttempts: attempts,
    lastAttemptAt: lastAttemptAt.toISOString(),
  })),
});

describe('one-time codes', () => {
  it('are six digits, zeros in front included, and spread over all of them', () => {
    fc.assert(fc.property(fc.nat(999_999), (n) => expect(newCode(() => n)).toMatch(/^\d{6}$/)));
    expect(newCode(() => 7)).toBe('000007');
  });

  it('are bound to their request, signer and pepper', () => {
    const pepper = Buffer.alloc(32, 1);
    const hash = codeHash(pepper, 'r', 's', '123456');
    expect(sameHash(hash, codeHash(pepper, 'r', 's', '123456'))).toBe(true);
    for (const other of [
      codeHash(pepper, 'r2', 's', '123456'),
      codeHash(pepper, 'r', 's2', '123456'),
      codeHash(pepper, 'r', 's', '123457'),
      codeHash(Buffer.alloc(32, 2), 'r', 's', '123456'),
    ]) {
      expect(sameHash(hash, other)).toBe(false);
    }
  });

  it('are given at most five times in fifteen minutes, thirty seconds apart', () => {
    let request = sentRequest(1);
    for (let n = 0; n < 5; n += 1) {
      if (n > 0) expect(() => askFor(request, at(n * 30 * SECOND - 1))).toThrow('too_many_codes');
      request = askFor(request, at(n * 30 * SECOND));
    }
    expect(() => askFor(request, at(5 * MINUTE))).toThrow('too_many_codes');
    expect(() => askFor(request, at(15 * MINUTE))).not.toThrow();
  });

  it('are not counted when their mail could not be handed over', () => {
    const request = sentRequest(1);
    const asked = applied(request, requestCode(request, { ...byOf(request), codeHash: 'h' }, at(0)));
    const failed = applied(
      asked,
      codeMailed(asked, { ...byOf(asked), sent: false, error: 'throttled' }, at(0)),
    );
    expect(() => askFor(failed, at(SECOND))).not.toThrow();
  });

  it('end after ten minutes', () => {
    const request = askFor(sentRequest(1), at(0));
    expect(() => codeToTry(request, byOf(request).signerId, at(10 * MINUTE - 1))).not.toThrow();
    expect(() => codeToTry(request, byOf(request).signerId, at(10 * MINUTE))).toThrow('code_expired');
  });

  it('lock the link for fifteen minutes after the fifth wrong attempt, until the sender resends', () => {
    const request = withAttempts(askFor(sentRequest(1), at(0)), 5, at(0));
    const [signer] = request.signers;
    expect(signer && lockedUntil(signer, at(0))).toBe(at(15 * MINUTE).toISOString());
    expect(() => codeToTry(request, byOf(request).signerId, at(MINUTE))).toThrow('locked');
    expect(() => askFor(request, at(14 * MINUTE))).toThrow('locked');
    expect(() => askFor(request, at(15 * MINUTE))).not.toThrow();
    const by = { signerId: byOf(request).signerId, codeHash: 'new', locale: undefined };
    const resent = applied(request, rotateCode(request, by, at(MINUTE)));
    expect(codeToTry(resent, by.signerId, at(MINUTE)).hash).toBe('new');
  });
});
