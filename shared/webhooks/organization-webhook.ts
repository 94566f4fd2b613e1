import { ownerKey } from '../store/keys.ts';
import type { Table } from '../store/table.ts';

/** The single URL that an organization could have before there were endpoints: a fallback while it has none. */
export interface OrganizationWebhook {
  url: string;
  secretCiphertext: string;
}

const PREFIX = 'organization_';

/** What stands for it where an endpoint's id would. */
export const organizationWebhookId = (ownerId: string) => `${PREFIX}${ownerId}`;
export const isOrganizationWebhook = (endpointId: string) => endpointId.startsWith(PREFIX);

export async function findOrganizationWebhook(
  table: Table,
  ownerId: string,
): Promise<OrganizationWebhook | undefined> {
  const owner = await table.get(ownerKey(ownerId), { consistent: true });
  return owner?.webhookUrl && owner.webhookSecretCiphertext
    ? { url: String(owner.webhookUrl), secretCiphertext: String(owner.webhookSecretCiphertext) }
    : undefined;
}
