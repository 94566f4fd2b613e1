import { type BrandChanges, BrandError, changeBrand, NEUTRAL } from '../../../shared/accounts/brand.ts';
import { countNotificationAddress } from '../../../shared/accounts/test-mail-limit.ts';
import { ApiError } from '../../../shared/contract/api-error.ts';
import * as app from '../../../shared/contract/app.ts';
import { type Administrator, adminRoute, byOf } from '../../../shared/http/app-endpoint.ts';
import type { Route } from '../../../shared/http/router.ts';
import { accountEventWrite } from '../../../shared/store/account-log.ts';
import { type Brand, changeOwnerBy, notificationAddress, type Owner } from '../../../shared/store/owners.ts';
import type { Table, Write } from '../../../shared/store/table.ts';
import { logoView } from '../../../shared/views/brand.ts';

/** The contract's names of a brand's members. */
const NAMES = {
  name: 'display_name',
  logo: 'logo_png_base64',
  accent: 'accent',
  replyTo: 'reply_to',
  imprintUrl: 'imprint_url',
  privacyUrl: 'privacy_url',
  supportUrl: 'support_url',
  timeZone: 'time_zone',
} as const satisfies Record<keyof Brand, string>;

const brandView = ({ brand = NEUTRAL }: Owner) => ({
  display_name: brand.name,
  logo: logoView(brand.logo),
  accent: brand.accent,
  reply_to: brand.replyTo,
  imprint_url: brand.imprintUrl,
  privacy_url: brand.privacyUrl,
  support_url: brand.supportUrl,
  time_zone: brand.timeZone,
});

type BrandBody = { [Name in (typeof NAMES)[keyof typeof NAMES]]?: string | null | undefined };

function brandChanges(body: BrandBody): BrandChanges {
  const changes: BrandChanges = {};
  for (const member of Object.keys(NAMES) as (keyof Brand)[]) {
    const value = body[NAMES[member]];
    if (value === undefined) continue;
    if (member === 'logo') changes.logo = value === null ? null : Buffer.from(value, 'base64');
    else changes[member] = value;
  }
  return changes;
}

/** Names the members at fault as the contract does. */
async function change(table: Table, { owner, permit }: Administrator, body: BrandBody, event: Write) {
  try {
    return await changeBrand(table, owner.id, brandChanges(body), { extraWrites: [event], permit });
  } catch (error) {
    if (!(error instanceof BrandError)) throw error;
    const errors = error.faults.map(({ member, problem }) => ({
      error: 'invalid_request',
      message: `${NAMES[member]} ${problem}.`,
      field: `/${NAMES[member]}`,
    }));
    const [first] = errors;
    throw new ApiError('invalid_request', first?.message, {
      ...(first && { field: first.field }),
      fields: { errors },
    });
  }
}

const noticesView = (owner: Owner) => ({
  notify: notificationAddress(owner),
  signer_notices: owner.signerNotices,
  reminders: owner.reminders,
});

const found = (owner: Owner | undefined): Owner => {
  if (!owner) throw new ApiError('not_found');
  return owner;
};

/** An owner's brand, and who is told what. */
export const settingsRoutes = (table: Table): Route[] => [
  adminRoute(table, app.getBrand, async ({ caller, json }) => json(brandView(caller.owner))),

  adminRoute(table, app.updateBrand, async (call) => {
    const event = accountEventWrite(call.caller.owner.id, 'brand_changed', byOf(call));
    return call.json(brandView(found(await change(table, call.caller, call.body, event))));
  }),

  adminRoute(table, app.getNotices, async ({ caller, json }) => json(noticesView(caller.owner))),

  adminRoute(table, app.updateNotices, async (call) => {
    const { owner, permit } = call.caller;
    const { notify, signer_notices: signerNotices, reminders } = call.body;
    if (notify) await countNotificationAddress(table, owner, notify, call.now);
    const changes = {
      ...(notify !== undefined && { notify }),
      ...(signerNotices !== undefined && { signerNotices }),
      ...(reminders !== undefined && { reminders }),
    };
    const event = accountEventWrite(owner.id, 'notices_changed', byOf(call));
    const changed = await changeOwnerBy(table, owner.id, () => changes, { extraWrites: [event], permit });
    return call.json(noticesView(found(changed)));
  }),
];
