import { canonicalJson } from '../runtime/canonical-json.ts';
import { sha256Hex } from '../runtime/hash.ts';
import { isMissing, isRecord, valueAt } from '../runtime/value-paths.ts';

/**
 * Personal values of an event enter the chain as salted commitments. Values and salts stand beside the commitments, so
 * that they can be erased later, and the chain stays whole. A value is named by its path: `details.signers.0.email`.
 */

/** The members of events and details that hold personal values, at any depth. */
const PERSONAL = new Set([
  'ipAddress',
  'userAgent',
  'name',
  'email',
  'sender',
  'representing',
  'role',
  'entity_id',
  'text',
  'reason',
  // Digests of short texts are personal too: they can be guessed.
  'message_sha256',
  'metadata_sha256',
]);

/** 32 random bytes in base64url. */
export type NewSalt = () => string;

type ByPath = Record<string, string>;

/** The members of an event in which there may be personal values. */
interface Held {
  ipAddress: string | null;
  userAgent: string | null;
  details: Record<string, unknown>;
}

/** The personal values in an event, by path. A missing value has nothing to hide and stays as it is. */
function personalValues(value: unknown, path = ''): [string, unknown][] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (PERSONAL.has(name)) return isMissing(member) ? [] : [[path + name, member]];
    return personalValues(member, `${path}${name}.`);
  });
}

/** The paths of the personal values that an event holds. */
export const personalPaths = ({ ipAddress, userAgent, details }: Held): string[] =>
  personalValues({ ipAddress, userAgent, details }).map(([path]) => path);

/** The path is part of it, so that a commitment cannot be moved to another member. */
const commitmentTo = (path: string, salt: string, value: unknown) =>
  sha256Hex(canonicalJson([path, salt, value]));

export function commit(event: object, newSalt: NewSalt): { salts: ByPath; commitments: ByPath } {
  const salted = personalValues(event).map(([path, value]) => ({ path, value, salt: newSalt() }));
  return {
    salts: Object.fromEntries(salted.map(({ path, salt }) => [path, salt])),
    commitments: Object.fromEntries(
      salted.map(({ path, value, salt }) => [path, commitmentTo(path, salt, value)]),
    ),
  };
}

/** Compares the values in an event with its commitments: which are erased, salt and all, and which do not match? */
export function checkCommitments(
  event: object,
  { salts, commitments }: { salts: ByPath; commitments: ByPath },
): { erased: string[]; altered: string[] } {
  const erased: string[] = [];
  const altered: string[] = [];
  for (const path of new Set([...Object.keys(commitments), ...Object.keys(salts)])) {
    const value = valueAt(event, path);
    const salt = salts[path];
    if (isMissing(value) && salt === undefined) erased.push(path);
    else if (salt === undefined || commitmentTo(path, salt, value) !== commitments[path]) altered.push(path);
  }
  return { erased, altered };
}
