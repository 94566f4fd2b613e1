import { email, LIMITS, line } from '../contract/fields.ts';
import { contrast, parseColour } from '../runtime/contrast.ts';
import { sha256Hex } from '../runtime/hash.ts';
import { logoWrite } from '../store/logos.ts';
import { type Brand, changeOwnerBy, type Owner } from '../store/owners.ts';
import type { Table, Write } from '../store/table.ts';
import { cleanPng, PngError, type PngFault } from '../typesetting/png.ts';

type BrandTexts = Partial<Omit<Brand, 'logo'>>;

/** Settings of an owner. Null makes a member neutral again; one left out stays. */
export type BrandChanges = BrandTexts & { logo?: Uint8Array | null };

export class BrandError extends Error {
  override name = 'BrandError';
  readonly member: keyof BrandChanges;

  constructor(member: keyof BrandChanges, problem: string) {
    super(problem);
    this.member = member;
  }
}

const LOGO_BYTES = 100 * 1024;
const LOGO_WIDTH = 800;
const LOGO_HEIGHT = 200;
const FAULTS: Record<PngFault, string> = {
  not_a_png: 'is not a PNG',
  too_large: `must be at most ${LOGO_WIDTH} by ${LOGO_HEIGHT} pixels`,
  unsupported: 'must have 8 bits a channel, in colour, not interlaced',
  damaged: 'is damaged',
};

/** The accent colour is behind white letters, and on the grounds of mail and page. WCAG AA wants so much between them. */
const LEAST_CONTRAST = 4.5;
const GROUNDS = ['#ffffff', '#f4f4f1'];

const CHECKS: { [Member in Exclude<keyof Brand, 'logo'>]: (value: string) => string | undefined } = {
  name: (name) =>
    line('invalid_name', LIMITS.nameLength).safeParse(name).success
      ? undefined
      : `must be one line of at most ${LIMITS.nameLength} characters that can be seen`,
  accent: problemOfAccent,
  replyTo: (address) => (email.safeParse(address).success ? undefined : 'must be an e-mail address'),
  imprintUrl: problemOfLink,
  privacyUrl: problemOfLink,
  supportUrl: problemOfLink,
  timeZone: (zone) => (isTimeZone(zone) ? undefined : 'must be a time zone such as Europe/Helsinki'),
};

function problemOfAccent(text: string): string | undefined {
  const colour = parseColour(text);
  if (!colour) return 'must be a colour such as #0b5a53';
  const least = Math.min(...GROUNDS.flatMap((ground) => contrast(colour, parseColour(ground) ?? colour)));
  return least >= LEAST_CONTRAST
    ? undefined
    : `is too light: white letters on it have a contrast of ${least.toFixed(1)}, and need ${LEAST_CONTRAST}`;
}

function problemOfLink(text: string): string | undefined {
  const url = URL.parse(text);
  const isPlain = url?.protocol === 'https:' && !url.username && !url.password;
  return isPlain && text.length <= LIMITS.returnUrlLength
    ? undefined
    : `must be an https address of at most ${LIMITS.returnUrlLength} characters, without a password`;
}

const isTimeZone = (zone: string): boolean => {
  try {
    // Offsets such as +02:00 are no places: they know no summer time.
    return /^[A-Za-z]/.test(zone) && new Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
};

function readLogo(bytes: Uint8Array) {
  if (bytes.length > LOGO_BYTES) throw new BrandError('logo', 'must be at most 100 KB');
  try {
    const { png, width, height } = cleanPng(bytes);
    if (width > LOGO_WIDTH || height > LOGO_HEIGHT) throw new PngError('too_large');
    return { png, stored: { sha256: sha256Hex(png), width, height } };
  } catch (error) {
    throw error instanceof PngError ? new BrandError('logo', FAULTS[error.fault]) : error;
  }
}

/** Trims before the checks do: blanks around an address that only its check left out would make SES refuse every mail. */
function checkedTexts(changes: BrandTexts): BrandTexts {
  const checked: BrandTexts = {};
  for (const member of Object.keys(CHECKS) as (keyof typeof CHECKS)[]) {
    if (changes[member] === undefined) continue;
    const text = changes[member]?.trim() || null;
    const problem = text === null ? undefined : CHECKS[member](text);
    if (problem) throw new BrandError(member, problem);
    checked[member] = text;
  }
  return checked;
}

export const NEUTRAL: Brand = {
  name: null,
  logo: null,
  accent: null,
  replyTo: null,
  imprintUrl: null,
  privacyUrl: null,
  supportUrl: null,
  timeZone: null,
};

/** Changes an owner's brand, with its logo in the same transaction; undefined if there is no such owner. */
export function changeBrand(
  table: Table,
  ownerId: string,
  { logo, ...given }: BrandChanges,
  extraWrites: Write[] = [],
): Promise<Owner | undefined> {
  const texts = checkedTexts(given);
  const read = logo && readLogo(logo);
  return changeOwnerBy(
    table,
    ownerId,
    ({ brand }) => ({
      brand: {
        ...NEUTRAL,
        ...brand,
        ...texts,
        ...(logo !== undefined && { logo: read ? read.stored : null }),
      },
    }),
    [...(read ? [logoWrite(read.stored.sha256, read.png)] : []), ...extraWrites],
  );
}
