import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import type { FindingCode } from '../../../client/verifier/report.ts';
import { derDamage } from '../../support/der-damage.ts';
import { cmsOf, contentsOf, withCmsBytes } from '../../support/tampering.ts';
import { IS_THOROUGH } from '../../support/thorough.ts';
import { craft, linearized, manyPages, ONE_PAGE, revise } from '../sealing/craft.ts';
import { codes, ORIGINAL, seal, verify } from './verified.ts';

describe('a file that is no sealed PDF', () => {
  it.each<[string, FindingCode, Uint8Array]>([
    ['nothing', 'not_a_pdf', new Uint8Array()],
    ['text', 'not_a_pdf', Buffer.from('hello')],
    ['noise', 'not_a_pdf', randomBytes(100_000)],
    ['a header and noise', 'damaged', Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(10_000)])],
    ['a PDF without signatures', 'not_signed', ORIGINAL],
    ['a linearized PDF', 'not_signed', linearized()],
    ['a PDF whose linearization dictionary lies', 'damaged', linearized({ N: 1 })],
    ['an encrypted PDF', 'encrypted', craft({ objects: ONE_PAGE, trailer: '/Encrypt 9 0 R' })],
    ['65 MB', 'too_large', new Uint8Array(65 * 1024 * 1024)],
  ])('is never green: %s', async (_, code, bytes) => {
    const report = await verify(bytes);
    expect(codes(report)).toEqual([code]);
    expect(report).toMatchObject({ verdict: expect.not.stringMatching('green'), signatures: [] });
  });
});

describe('a hostile file', () => {
  it('is never green and never an error, however a sealed file is damaged', async () => {
    const bytes = await seal();
    const { from } = contentsOf(bytes);
    const damage = fc.array(fc.record({ at: fc.nat(bytes.length - 1), value: fc.nat(255) }), {
      minLength: 1,
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(damage, fc.nat(bytes.length), async (changes, length) => {
        const copy = Buffer.from(bytes.subarray(0, length % 7 === 0 ? length : bytes.length));
        for (const { at, value } of changes) copy[at] = value;
        const { verdict } = await verify(copy);
        const isSame = changes.every(({ at, value }) => bytes[at] === value || at > from);
        expect(verdict === 'green' && !isSame).toBe(false);
      }),
      { numRuns: IS_THOROUGH ? 3_000 : 100 },
    );
  }, 300_000);

  it('is never green with other facts and never an error, however the signature of a sealed file is damaged', async () => {
    const bytes = await seal();
    const { signatures } = await verify(bytes);
    const { from, to } = contentsOf(bytes);
    await fc.assert(
      fc.asyncProperty(derDamage, async (damage) => {
        const cms = damage(cmsOf(bytes));
        fc.pre(2 * cms.length <= to - from - 2);
        const report = await verify(withCmsBytes(bytes, cms));
        if (report.verdict === 'green') expect(report.signatures).toEqual(signatures);
      }),
      { numRuns: IS_THOROUGH ? 3_000 : 100 },
    );
  }, 300_000);

  it.each<[string, () => Uint8Array]>([
    [
      '300 revisions',
      () =>
        Array.from({ length: 300 }).reduce<Buffer>((pdf) => revise(pdf, { objects: { 4: '(x)' } }), ORIGINAL),
    ],
    [
      '8 MB of white space in an object that every page shares',
      () =>
        craft({
          objects: { ...manyPages(500), 10: `<<${' '.repeat(8_000_000)}/Type /Page /Parent 2 0 R>>` },
        }),
    ],
    [
      'fields that refer to each other',
      () =>
        craft({
          objects: {
            ...ONE_PAGE,
            1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [5 0 R]>>>>',
            5: '<</FT /Sig /Kids [5 0 R 6 0 R]>>',
            6: '<</Kids [5 0 R]>>',
          },
        }),
    ],
  ])('takes at most seconds: %s', async (_, make) => {
    const started = performance.now();
    expect((await verify(make())).verdict).not.toBe('green');
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
