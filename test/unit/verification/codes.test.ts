import fc from 'fast-check';
import { codeHash, newCode, sameHash } from '../../../shared/verification/code.ts';

describe('one-time codes', () => {
  it('a code has six digits, leading zeros included', () => {
    fc.assert(fc.property(fc.nat(999_999), (n) => expect(newCode(() => n)).toMatch(/^\d{6}$/)));
    expect(newCode(() => 7)).toBe('000007');
  });

  it('a code’s hash is bound to its request, signer and pepper', () => {
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
});
