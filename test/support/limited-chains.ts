/** Chains whose authorities limit what may stand below them (RFC 5280, 4.2.1.9 and 4.2.1.10), and whether they hold. */

import { contextTag, TAGS } from '../../shared/sealing/der.ts';
import { derNull, encode, integer, oid, sequence, setOf } from '../../shared/sealing/der-encode.ts';
import { OIDS } from '../../shared/sealing/oids.ts';
import { type DemoIdentity, extension, extensions, issueDemo } from './demo-keys.ts';

const PRINTABLE_STRING = 0x13;
const UNIVERSAL_STRING = 0x1c;
const BMP_STRING = 0x1e;
const MAIL_NAME = 0x81;
const UNKNOWN = '1.2.3.4';

const ca = (pathLength?: number): Buffer =>
  extension(
    OIDS.basicConstraints,
    true,
    sequence(
      encode(TAGS.boolean, Uint8Array.of(0xff)),
      ...(pathLength === undefined ? [] : [integer(pathLength)]),
    ),
  );

/** A limit of names: 0 permits, 1 excludes. */
const limit = (kind: 0 | 1, ...bases: Buffer[]) =>
  encode(contextTag(kind), ...bases.map((base) => sequence(base)));
const names = (...limits: Buffer[]) => extension(OIDS.nameConstraints, true, sequence(...limits));
const directory = (...parts: Buffer[]) => encode(contextTag(4), sequence(...parts));
const part = (type: string, value: Uint8Array, tag: number = TAGS.utf8String) =>
  setOf(sequence(oid(type), encode(tag, value)));
const organization = (name: string) => part(OIDS.organization, Buffer.from(name));
const widened = (text: string, bytes: number) =>
  Buffer.concat(
    [...text].map((character) => Buffer.from([...Array(bytes - 1).fill(0), character.charCodeAt(0)])),
  );

/** The organization of every demo certificate. */
const OWN = 'Signature Requests Demo';

interface LimitedChain {
  /** The certificate that the chain is for, then its issuers up to the root. */
  certificates: Uint8Array[];
  identity: DemoIdentity;
  /** Its issuers, from the root down. */
  authorities: DemoIdentity[];
}

interface Limits {
  leaf?: Buffer[];
  between?: Buffer[];
  /** The names of the authorities between, from the root down. */
  authorities?: string[];
  root?: Buffer[];
}

export const LIMITED_CHAINS: readonly [name: string, holds: boolean, limits: Limits][] = [
  ['no limits', true, {}],
  ['an authority fewer than may be', true, { root: [ca(2)] }],
  ['as many authorities as may be', true, { root: [ca(1)] }],
  ['an authority more than may be', false, { root: [ca(0)] }],
  ['two authorities where one may be', false, { root: [ca(1)], authorities: ['First', 'Second'] }],
  ['no authority where none may be', true, { root: [ca(0)], authorities: [] }],
  ['an authority with a new key where none may be', true, { root: [ca(0)], authorities: ['Root'] }],
  ['an authority whose own limit is used up', false, { between: [ca(0)], authorities: ['First', 'Second'] }],
  ['an unknown critical extension at its beginning', false, { leaf: [extension(UNKNOWN, true, derNull())] }],
  ['an unknown critical extension between', false, { between: [ca(), extension(UNKNOWN, true, derNull())] }],
  ['an unknown critical extension of its root', false, { root: [ca(), extension(UNKNOWN, true, derNull())] }],
  [
    'an unknown extension that is not critical',
    true,
    { between: [ca(), extension(UNKNOWN, false, derNull())] },
  ],
  [
    'critical policies',
    true,
    { between: [ca(), extension(OIDS.certificatePolicies, true, sequence(sequence(oid(UNKNOWN))))] },
  ],
  ['a permitted name', true, { root: [ca(), names(limit(0, directory(organization(OWN))))] }],
  [
    'one of two permitted names',
    true,
    { root: [ca(), names(limit(0, directory(organization('Other')), directory(organization(OWN))))] },
  ],
  [
    'a name that is not permitted',
    false,
    { root: [ca(), names(limit(0, directory(organization('Other'))))] },
  ],
  [
    'a name shorter than the permitted ones',
    false,
    {
      root: [
        ca(),
        names(
          limit(
            0,
            directory(
              organization(OWN),
              part(OIDS.commonName, Buffer.from('Leaf')),
              part(OIDS.commonName, Buffer.from('More')),
            ),
          ),
        ),
      ],
    },
  ],
  ['an excluded name', false, { root: [ca(), names(limit(1, directory(organization(OWN))))] }],
  [
    'an excluded name, written otherwise',
    false,
    { root: [ca(), names(limit(1, directory(organization(' SIGNATURE  requests demo'))))] },
  ],
  [
    'an excluded name in another alphabet of two bytes',
    false,
    { root: [ca(), names(limit(1, directory(part(OIDS.organization, widened(OWN, 2), BMP_STRING))))] },
  ],
  [
    'an excluded name in another alphabet of four bytes',
    false,
    { root: [ca(), names(limit(1, directory(part(OIDS.organization, widened(OWN, 4), UNIVERSAL_STRING))))] },
  ],
  [
    'a permitted name in fewer letters',
    true,
    {
      root: [ca(), names(limit(0, directory(part(OIDS.organization, Buffer.from(OWN), PRINTABLE_STRING))))],
    },
  ],
  [
    'a permitted name of which another part is excluded',
    false,
    {
      root: [
        ca(),
        names(
          limit(0, directory(organization(OWN))),
          limit(1, directory(organization(OWN), part(OIDS.commonName, Buffer.from('Leaf')))),
        ),
      ],
    },
  ],
  [
    'an authority with an excluded name',
    false,
    {
      root: [
        ca(),
        names(limit(1, directory(organization(OWN), part(OIDS.commonName, Buffer.from('Between'))))),
      ],
    },
  ],
  [
    'an authority with a new key and its excluded name',
    true,
    {
      root: [ca(), names(limit(1, directory(organization(OWN), part(OIDS.commonName, Buffer.from('Root')))))],
      authorities: ['Root'],
    },
  ],
  [
    'limits of mail addresses alone',
    true,
    { root: [ca(), names(limit(0, encode(MAIL_NAME, Buffer.from('example.com'))))] },
  ],
];

/** Issues a chain with limits, valid from now on. */
export function limitedChain(
  now: Date,
  { leaf = [], between = [ca()], authorities: named = ['Between'], root = [ca()] }: Limits,
): LimitedChain {
  const issue = (commonName: string, own: Buffer[], issuer?: DemoIdentity) =>
    issueDemo({
      commonName,
      now,
      years: 5,
      extensions: own,
      ...(issuer && { issuer }),
    });
  const authorities = [issue('Root', root)];
  for (const name of named) authorities.push(issue(name, between, authorities.at(-1)));
  const identity = issue('Leaf', [extensions.keyUsage('digitalSignature'), ...leaf], authorities.at(-1));
  return { certificates: [identity.certificate, ...identity.issuers], identity, authorities };
}
