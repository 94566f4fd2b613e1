import { consentsOf, lastSignatureAt, signersOnPage } from '../../../shared/stamping/signers-on-page.ts';
import { CONSENT_TEXTS, CONSENT_VERSIONS } from '../../../shared/texts/languages.ts';
import { applied, at, NOON, sentRequest, signedBy, VISITOR } from '../../support/requests.ts';
import { signer } from '../../support/signature-input.ts';

const DRAWING = Buffer.from('a drawing');
const read = async (key: string) => Buffer.concat([DRAWING, Buffer.from(` at ${key}`)]);

/** The signers of a request of three, of whom the first two signed. */
function signers() {
  let request = sentRequest(3);
  for (const place of [0, 1]) request = applied(request, signedBy(request, place));
  return request.signers;
}

describe('signers on the signature page', () => {
  it('only signers who signed are on the page, as they signed', async () => {
    expect(await signersOnPage(read, signers())).toEqual(
      [0, 1].map((place) => ({
        nameAsSigned: `Signer ${place}`,
        email: `signer${place}@example.com`,
        viewedAt: null,
        signedAt: NOON.toISOString(),
        ipAddress: VISITOR.ipAddress,
        consent: { version: '1', locale: 'en' },
        representing: null,
        signature: { type: 'typed', text: `Signer ${place}`, style: null },
      })),
    );
  });

  it('a signer who represents somebody is shown with role and id', async () => {
    const [first] = signers();
    if (!first) throw new Error('There is no signer.');
    const signer = {
      ...first,
      nameAsSigned: 'Anna',
      representingAsSigned: 'Oy Ab',
      representingRole: 'CEO',
      representingEntityId: null,
    };
    expect(await signersOnPage(read, [signer])).toMatchObject([
      { nameAsSigned: 'Anna', representing: { name: 'Oy Ab', role: 'CEO', entityId: null } },
    ]);
  });

  it.each([
    ['before', -1, true],
    ['in the moment of', 0, true],
    ['after', 1, false],
  ])('a document first seen %s signing', async (_, milliseconds, isShown) => {
    const [first] = signers();
    if (!first) throw new Error('There is no signer.');
    const viewedAt = at(milliseconds).toISOString();
    expect(await signersOnPage(read, [{ ...first, viewedAt }])).toMatchObject([
      { viewedAt: isShown ? viewedAt : null },
    ]);
  });

  it('a drawn signature is loaded', async () => {
    const [first] = signers();
    if (!first?.signature) throw new Error('There is no signature.');
    const signer = { ...first, signature: { ...first.signature, type: 'drawn' as const, value: 'key-1' } };
    expect(await signersOnPage(read, [signer])).toMatchObject([
      { signature: { type: 'drawn', png: Buffer.from('a drawing at key-1') } },
    ]);
  });

  it('a signer without a name or signature of its own has the invited name', async () => {
    const [first] = signers();
    if (!first) throw new Error('There is no signer.');
    expect(await signersOnPage(read, [{ ...first, nameAsSigned: null, signature: null }])).toMatchObject([
      { nameAsSigned: 'Signer 0', signature: { type: 'typed', text: 'Signer 0' } },
    ]);
  });
});

it('the last signature is the latest one, whatever the order of the signers', () => {
  const times = ['2026-11-19T10:00:00.000Z', '2026-11-20T10:00:00.000Z', '2026-11-18T10:00:00.000Z'];
  expect(lastSignatureAt(times.map((signedAt) => signer('A', { signedAt })))).toBe(times[1]);
});

it('a consent text is printed only if its version is the one that was agreed to', () => {
  const given = (version: string) => [signer('A', { consent: { version, locale: 'de' } })];
  const version = CONSENT_VERSIONS.de;
  expect(consentsOf(given(version))).toEqual([{ locale: 'de', version, text: CONSENT_TEXTS.de }]);
  expect(consentsOf(given('2020-01-01'))).toEqual([]);
});
