import { readFile } from 'node:fs/promises';
import { type BrandChanges, BrandError, changeBrand, NEUTRAL } from '../shared/accounts/brand.ts';
import { type Brand, findOwner } from '../shared/store/owners.ts';
import { command } from './command.ts';
import { noOwner, UsageError } from './errors.ts';

/** The brand of an organization or user: its look on the page and in mails. */

const OPTIONS = {
  name: { value: 'NAME|none', help: 'The name on the page and in mails; without one both are neutral' },
  logo: { value: 'FILE|none', help: 'A PNG of at most 100 KB and 800 by 200 pixels, shown on the page' },
  accent: { value: '#RRGGBB|none', help: 'The colour of buttons, dark enough for white letters' },
  'reply-to': { value: 'ADDRESS|none', help: 'Where answers to mails go' },
  imprint: { value: 'URL|none', help: 'Linked from page and mails' },
  privacy: { value: 'URL|none', help: 'Linked from page and mails' },
  support: { value: 'URL|none', help: 'Linked from page and mails' },
  'time-zone': {
    value: 'ZONE|none',
    help: 'Times in mails and on the signature page, beside UTC, such as Europe/Helsinki',
  },
} as const;

/** The option that sets each member. */
const OPTION_OF: Record<keyof Brand, keyof typeof OPTIONS> = {
  name: 'name',
  logo: 'logo',
  accent: 'accent',
  replyTo: 'reply-to',
  imprintUrl: 'imprint',
  privacyUrl: 'privacy',
  supportUrl: 'support',
  timeZone: 'time-zone',
};

const brandJson = (ownerId: string, brand: Brand = NEUTRAL) => {
  const { name, logo, accent, replyTo, imprintUrl, privacyUrl, supportUrl, timeZone } = brand;
  return {
    owner_id: ownerId,
    name,
    logo,
    accent,
    reply_to: replyTo,
    imprint_url: imprintUrl,
    privacy_url: privacyUrl,
    support_url: supportUrl,
    time_zone: timeZone,
  };
};

async function readLogo(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch {
    throw new UsageError(`--logo names the file ${file}, which cannot be read.`);
  }
}

/** Options left out stay as they are; `none` makes one neutral. */
async function changesOf(
  given: Partial<Record<keyof typeof OPTIONS, string | undefined>>,
): Promise<BrandChanges> {
  const changes: BrandChanges = {};
  for (const member of Object.keys(OPTION_OF) as (keyof Brand)[]) {
    const value = given[OPTION_OF[member]];
    if (value === undefined) continue;
    if (value === 'none') changes[member] = null;
    else if (member === 'logo') changes.logo = await readLogo(value);
    else changes[member] = value;
  }
  return changes;
}

export const brandCommands = [
  command({
    name: 'brand set',
    summary: 'Change how an organization or user looks to signers; options left out stay as they are',
    args: ['owner-id'],
    options: OPTIONS,
    run: async ({ 'owner-id': id, ...given }, { table }) => {
      try {
        const owner = await changeBrand(table, id, await changesOf(given));
        if (!owner) throw noOwner(id);
        return brandJson(id, owner.brand);
      } catch (error) {
        if (!(error instanceof BrandError)) throw error;
        const faults = error.faults.map(({ member, problem }) => `--${OPTION_OF[member]} ${problem}.`);
        throw new UsageError(faults.join('\n'));
      }
    },
  }),
  command({
    name: 'brand show',
    summary: 'Show how an organization or user looks to signers',
    args: ['owner-id'],
    run: async ({ 'owner-id': id }, { table }) => {
      const owner = await findOwner(table, id);
      if (!owner) throw noOwner(id);
      return brandJson(id, owner.brand);
    },
  }),
];
