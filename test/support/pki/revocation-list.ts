/** Writes revocation lists (RFC 5280). */
import {
  context,
  derOf,
  enumerated,
  extension,
  implicit,
  integer,
  type Node,
  nodeOf,
  sequence,
  smallInteger,
  utcTime,
} from '../../../local/asn1.ts';
import { algorithmOf, type Issuer, signedBy, subjectOf } from './signed.ts';

interface RevokedEntry {
  serialHex: string;
  revokedAt: Date;
  reason?: number;
}

/** Deviations from a regular list. */
export interface ListDeviations {
  thisUpdate?: Date;
  nextUpdate?: Date | null;
  digest?: string;
  innerDigest?: string;
  brokenSignature?: boolean;
  delta?: boolean;
  criticalExtension?: boolean;
  /** The issuing distribution point: an address, or a restriction of its scope. */
  scope?: { url?: string; users?: boolean; authorities?: boolean; someReasons?: boolean; indirect?: boolean };
  name?: Uint8Array;
}

const IDS = { number: '2.5.29.20', reason: '2.5.29.21', delta: '2.5.29.27', scope: '2.5.29.28' };
const HOUR = 3_600_000;

export function revocationList(
  issuer: Issuer,
  revoked: readonly RevokedEntry[],
  now: Date,
  deviations: ListDeviations = {},
): Buffer {
  const {
    thisUpdate = new Date(now.getTime() - HOUR),
    nextUpdate = new Date(now.getTime() + 24 * HOUR),
    digest = 'sha256',
  } = deviations;
  const content = sequence(
    smallInteger(1),
    algorithmOf(issuer.key, deviations.innerDigest ?? digest),
    deviations.name ? nodeOf(deviations.name) : subjectOf(issuer.certificate).subject,
    utcTime(thisUpdate),
    ...(nextUpdate ? [utcTime(nextUpdate)] : []),
    ...(revoked.length > 0 ? [sequence(...revoked.map(entry))] : []),
    context(0, sequence(...extensionsOf(deviations))),
  );
  const list = derOf(signedBy(issuer.key, content, [], digest));
  if (deviations.brokenSignature) list.writeUInt8(list.readUInt8(list.length - 1) ^ 1, list.length - 1);
  return list;
}

function entry({ serialHex, revokedAt, reason }: RevokedEntry): Node {
  const extensions = reason === undefined ? [] : [sequence(extension(IDS.reason, false, enumerated(reason)))];
  return sequence(integer(Buffer.from(serialHex, 'hex')), utcTime(revokedAt), ...extensions);
}

function extensionsOf({ delta, criticalExtension, scope }: ListDeviations): Node[] {
  return [
    extension(IDS.number, false, smallInteger(1)),
    ...(delta ? [extension(IDS.delta, true, smallInteger(1))] : []),
    ...(criticalExtension ? [extension('1.2.3.4', true, sequence())] : []),
    ...(scope ? [extension(IDS.scope, true, scopeOf(scope))] : []),
  ];
}

function scopeOf({
  url,
  users,
  authorities,
  someReasons,
  indirect,
}: NonNullable<ListDeviations['scope']>): Node {
  const flag = (tag: number, isSet: boolean | undefined): Node[] => (isSet ? [implicit(tag, '\xff')] : []);
  return sequence(
    ...(url ? [context(0, context(0, implicit(6, url)))] : []),
    ...flag(1, users),
    ...flag(2, authorities),
    ...(someReasons ? [implicit(3, '\x01\x02')] : []),
    ...flag(4, indirect),
  );
}
