import { appended, cmsLength, contentsOf, flipped, withCms } from '../../support/tampering.ts';
import { type Kind, plainKinds, UNPROVED } from './kinds.ts';

/** Bytes changed without a thought for the format. */
export const BYTES: readonly Kind[] = [
  {
    name: 'a byte before the signature changed',
    tamper: ({ bytes, random }) => flipped(bytes, random.below(contentsOf(bytes).from)),
  },
  {
    name: 'a byte after the signature changed',
    tamper: ({ bytes, random }) => {
      const { to } = contentsOf(bytes);
      return flipped(bytes, to + random.below(bytes.length - to));
    },
  },
  {
    name: 'a byte of the CMS changed',
    tamper: ({ bytes, random }) => withCms(bytes, random.below(cmsLength(bytes)), 1 << random.below(8)),
    right: UNPROVED,
  },
  {
    name: 'a byte of the padding changed',
    tamper: ({ bytes, random }) => {
      const padding = (contentsOf(bytes).to - contentsOf(bytes).from) / 2 - 1 - cmsLength(bytes);
      return withCms(bytes, cmsLength(bytes) + random.below(padding), 1 << random.below(8));
    },
  },
  {
    name: 'a byte taken out',
    tamper: ({ bytes, random }) => {
      const at = random.below(bytes.length);
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
    },
  },
  {
    name: 'a byte put in',
    tamper: ({ bytes, random }) => {
      const at = random.below(bytes.length);
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(' '), bytes.subarray(at)]);
    },
  },
  {
    name: 'cut short',
    tamper: ({ bytes, random }) => bytes.subarray(0, -1 - random.below(300)),
  },
  {
    name: 'another file appended',
    tamper: ({ bytes, other }) => Buffer.concat([bytes, other]),
  },
  {
    name: 'another file put before it',
    tamper: ({ bytes, other }) => Buffer.concat([other, bytes]),
  },
  ...plainKinds({
    'bytes before the header': (bytes) => Buffer.concat([Buffer.from('%more\n'), bytes]),
    'another version in the header': (bytes) => flipped(bytes, '%PDF-1.'.length),
    'a comment appended': (bytes) => appended(bytes, '% more\n'),
    'a comment and an end appended': (bytes) => appended(bytes, '% more\n%%EOF\n'),
    'an end appended': (bytes) => appended(bytes, '%%EOF\n'),
    'a page of text appended': (bytes) => appended(bytes, `<html>${'x'.repeat(5_000)}</html>`),
    'nothing but zeros appended': (bytes) => Buffer.concat([bytes, Buffer.alloc(2_000)]),
    'line ends changed': (bytes) =>
      Buffer.from(bytes.toString('latin1').replaceAll('\nendobj', '\r\nendobj'), 'latin1'),
  }),
];
