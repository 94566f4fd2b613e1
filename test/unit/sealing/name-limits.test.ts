import { contextTag, TAGS } from '../../../shared/sealing/der.ts';
import { encode, oid, sequence, setOf } from '../../../shared/sealing/der-encode.ts';
import { isWithin, readNameLimits } from '../../../shared/sealing/name-limits.ts';
import { OIDS } from '../../../shared/sealing/oids.ts';

const PRINTABLE = 0x13;
const NUMERIC = 0x12;
const MAIL_NAME = 0x81;

const attribute = (type: string, text: Uint8Array | string, tag: number = TAGS.utf8String): Buffer =>
  sequence(oid(type), encode(tag, Buffer.from(text)));
const organization = (text: Uint8Array | string, tag?: number): Buffer =>
  setOf(attribute(OIDS.organization, text, tag));
const FINLAND = setOf(attribute(OIDS.country, 'FI', PRINTABLE));
const name = (...parts: Buffer[]): Buffer => sequence(...parts);

const directory = (...parts: Buffer[]): Buffer => sequence(encode(contextTag(4), name(...parts)));
const limits = (permitted: Buffer[], excluded: Buffer[] = []) =>
  readNameLimits(sequence(encode(contextTag(0), ...permitted), encode(contextTag(1), ...excluded)));

it('limits of directory names are read, and others are left out', () => {
  const mail = sequence(encode(MAIL_NAME, Buffer.from('example.com')));
  expect(limits([mail, directory(FINLAND, organization('A'))], [directory(organization(' b  C '))])).toEqual({
    permitted: [['2.5.4.6=fi', '2.5.4.10=a']],
    excluded: [['2.5.4.10=b c']],
  });
  expect(readNameLimits(sequence())).toEqual({ permitted: [], excluded: [] });
});

describe('a limit to one organization', () => {
  const within = (subject: Buffer): boolean => isWithin(limits([directory(organization('Ab c'))]), subject);

  it.each<[string, Uint8Array | string, number]>([
    ['as it stands', 'Ab c', TAGS.utf8String],
    ['in other capitals', 'aB C', TAGS.utf8String],
    ['with other spaces', '  Ab \t c ', TAGS.utf8String],
    ['in full width', 'Ａｂ ｃ', TAGS.utf8String],
    ['as PrintableString', 'Ab c', PRINTABLE],
    ['as TeletexString', 'Ab c', 0x14],
    ['as IA5String', 'Ab c', 0x16],
    ['as BMPString', '\0A\0b\0 \0c', 0x1e],
    ['as UniversalString', '\0\0\0A\0\0\0b\0\0\0 \0\0\0c', 0x1c],
  ])('allows its name %s', (_, text, tag) => {
    expect(within(name(organization(text, tag)))).toBe(true);
  });

  it('allows names below it', () => {
    expect(within(name(organization('Ab c'), setOf(attribute(OIDS.commonName, 'D'))))).toBe(true);
  });

  it.each<[string, Buffer]>([
    ['another organization', name(organization('Ab d'))],
    ['a name without spaces', name(organization('Abc'))],
    ['a longer name', name(organization('Ab c d'))],
    ['another attribute', name(setOf(attribute(OIDS.commonName, 'Ab c')))],
    ['an organization below something else', name(FINLAND, organization('Ab c'))],
    ['no name', name()],
    ['text in an unknown encoding', name(organization('Ab c', NUMERIC))],
    ['a character beyond the last', name(organization(Uint8Array.of(0xff, 0, 0, 0), 0x1c))],
    ['an organization without a value', name(setOf(sequence(oid(OIDS.organization))))],
  ])('forbids %s', (_, subject) => {
    expect(within(subject)).toBe(false);
  });
});

it('a name in Latin-1 equals the same name in UTF-8', () => {
  const within = limits([directory(organization('Työ'))]);
  for (const tag of [PRINTABLE, 0x14, 0x16])
    expect(isWithin(within, name(organization(Buffer.from('Työ', 'latin1'), tag)))).toBe(true);
});

it('text in an unknown encoding is compared byte for byte', () => {
  const within = limits([directory(organization('12', NUMERIC))]);
  expect(isWithin(within, name(organization('12', NUMERIC)))).toBe(true);
  expect(isWithin(within, name(organization('13', NUMERIC)))).toBe(false);
});

it('the attributes of one part of a name may stand in any order', () => {
  const attributes = [attribute(OIDS.organization, 'A'), attribute(OIDS.commonName, 'B')];
  const within = limits([directory(encode(TAGS.set, ...attributes))]);
  expect(isWithin(within, name(encode(TAGS.set, ...attributes.toReversed())))).toBe(true);
  expect(isWithin(within, name(encode(TAGS.set, attribute(OIDS.organization, 'A'))))).toBe(false);
});

it.each([
  ['any name', limits([]), 'A', true],
  ['what is not excluded', limits([], [directory(organization('B'))]), 'A', true],
  ['nothing excluded', limits([], [directory(organization('A'))]), 'A', false],
  [
    'nothing excluded, even if it is permitted',
    limits([directory()], [directory(organization('A'))]),
    'A',
    false,
  ],
  ['one of two', limits([directory(organization('A')), directory(organization('B'))]), 'B', true],
  ['none of two', limits([directory(organization('A')), directory(organization('B'))]), 'C', false],
])('limits allow %s', (_, within, text, allowed) => {
  expect(isWithin(within, name(organization(text)))).toBe(allowed);
});
