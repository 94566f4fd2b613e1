import { compareHash } from '../../../web/verify/compare-hash.ts';

const HASH = '0123456789abcdef'.repeat(4);
const OTHER = HASH.replace('0', '1');

const WAYS: readonly (readonly [string, (hash: string) => string])[] = [
  ['alone', (hash) => hash],
  ['in capital letters', (hash) => ` ${hash.toUpperCase()} `],
  ['in groups, as the page shows it', (hash) => hash.replaceAll(/(.{4})(?=.)/g, '$1 ')],
  ['in pairs with colons', (hash) => hash.replaceAll(/(..)(?=.)/g, '$1:')],
  ['after its name', (hash) => `sha256:${hash}`],
  ['after its name, in groups', (hash) => `SHA-256: ${hash.replaceAll(/(.{4})(?=.)/g, '$1 ')}`],
  ['from sha256sum', (hash) => `${hash}  contract.pdf`],
  ['from shasum, on a Mac', (hash) => `SHA256 (contract.pdf) = ${hash}`],
  ['from Get-FileHash', (hash) => `SHA256          ${hash.toUpperCase()}       C:\\contract.pdf`],
];

it.each(WAYS)('a hash %s is read and compared', (_, written) => {
  expect(compareHash(written(HASH), HASH)).toBe('same');
  expect(compareHash(written(OTHER), HASH)).toBe('different');
});

it('part of a hash, and any other text, is invalid', () => {
  for (const text of [HASH.slice(1), `${HASH}0`, 'contract.pdf', 'sha256:']) {
    expect(compareHash(text, HASH)).not.toBe('same');
    expect(compareHash(text, HASH)).not.toBe('different');
  }
  expect(compareHash(' \n', HASH)).toBe('nothing');
});
