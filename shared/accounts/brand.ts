import type * as z from 'zod';
import { email, line, returnUrl } from '../contract/fields.ts';
import { LIMITS } from '../contract/limits.ts';
import { contrast, parseColour } from '../runtime/contrast.ts';
import { sha256Hex } from '../runtime/hash.ts';
import { logoWrite } from '../store/logos.ts';
import { type Brand, type ChangeOptions, changeOwnerBy, type Owner } from '../store/owners.ts';
import type { Table } from '../store/table.ts';
import { cleanPng, PngError, pngFaults } from '../typesetting/png.ts';

type BrandTexts = Partial<Omit<Brand, 'logo'>>;

/** Settings of an owner. Null makes a member neutral again; one left out stays. */
export type BrandChanges = BrandTexts & { logo?: Uint8Array | null };

interface BrandFault {
  member: keyof BrandChanges;
  problem: string;
}

/** Names everything that is wrong, so that it can be mended at once. */
export class BrandError extends Error {
  override name = 'BrandError';
  readonly faults: readonly [BrandFault, ...BrandFault[]];

  constructor(faults: readonly [BrandFault, ...BrandFault[]]) {
    super(faults.map(({ member, problem }) => `${member} ${problem}`).join('; '));
    this.faults = faults;
  }
}

const LOGO_WIDTH = 800;
const LOGO_HEIGHT = 200;
const FAULTS = pngFaults(LOGO_WIDTH, LOGO_HEIGHT);

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
  // Rounded down: one just below the limit must not read as the limit itself.
  const shown = (Math.floor(10 * least) / 10).toFixed(1);
  return least >= LEAST_CONTRAST
    ? undefined
    : `is too light: white letters on it have a contrast of ${shown}, and need ${LEAST_CONTRAST}`;
}

/** As the address behind signing, but never for a developer's machine. */
const link = returnUrl.refine((url) => URL.parse(url)?.protocol === 'https:');

function problemOfLink(text: string): string | undefined {
  return link.safeParse(text).success
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

interface Logo {
  png: Uint8Array;
  stored: NonNullable<Brand['logo']>;
}

/** The logo, or what is wrong with it. */
function readLogo(bytes: Uint8Array): Logo | string {
  if (bytes.length > LIMITS.logoBytes) return 'must be at most 100 KB';
  try {
    const { png, width, height } = cleanPng(bytes);
    if (width > LOGO_WIDTH || height > LOGO_HEIGHT) return FAULTS.too_large;
    return { png, stored: { sha256: sha256Hex(png), width, height } };
  } catch (error) {
    if (error instanceof PngError) return FAULTS[error.fault];
    throw error;
  }
}

const PARSED: Partial<Record<string, z.ZodType<string>>> = {
  replyTo: email,
  imprintUrl: link,
  privacyUrl: link,
  supportUrl: link,
};

/** Stores an address as its check parses it: SES would refuse every mail for what the check leaves out. */
function asStored(member: string, text: string | null): string | null {
  const trimmed = text?.trim() || null;
  return PARSED[member]?.safeParse(trimmed).data ?? trimmed;
}

const allAsStored = (changes: BrandTexts): BrandTexts =>
  Object.fromEntries(Object.entries(changes).map(([member, text]) => [member, asStored(member, text)]));

function faultsOf(texts: BrandTexts): BrandFault[] {
  return (Object.keys(CHECKS) as (keyof typeof CHECKS)[]).flatMap((member) => {
    const text = texts[member];
    const problem = text ? CHECKS[member](text) : undefined;
    return problem ? [{ member, problem }] : [];
  });
}

/** Throws a BrandError. */
function checked({ logo, ...given }: BrandChanges): { texts: BrandTexts; logo: Logo | null | undefined } {
  const texts = allAsStored(given);
  const read = logo && readLogo(logo);
  const problem = typeof read === 'string' ? read : undefined;
  const [first, ...others] = [...faultsOf(texts), ...(problem ? [{ member: 'logo', problem } as const] : [])];
  if (first) throw new BrandError([first, ...others]);
  return { texts, logo: typeof read === 'string' ? undefined : read };
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
  changes: BrandChanges,
  { extraWrites = [], permit }: ChangeOptions = {},
): Promise<Owner | undefined> {
  const { texts, logo } = checked(changes);
  return changeOwnerBy(
    table,
    ownerId,
    ({ brand }) => ({
      brand: {
        ...NEUTRAL,
        ...brand,
        ...texts,
        ...(logo !== undefined && { logo: logo?.stored ?? null }),
      },
    }),
    {
      extraWrites: [...(logo ? [logoWrite(logo.stored.sha256, logo.png)] : []), ...extraWrites],
      permit,
    },
  );
}
