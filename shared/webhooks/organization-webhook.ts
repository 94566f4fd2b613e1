import type { Owner } from '../store/owners.ts';

/** The single webhook URL of an organization, from before endpoints existed: used while it has no endpoint. */
export interface OrganizationWebhook extends Pick<Owner, 'timeouts'> {
  url: string;
  secretCiphertext: string;
}

const PREFIX = 'organization_';

/** Identifies it in place of an endpoint's id. */
export const organizationWebhookId = (ownerId: string) => `${PREFIX}${ownerId}`;
export const isOrganizationWebhook = (endpointId: string) => endpointId.startsWith(PREFIX);

export const organizationWebhookOf = (owner: Owner | undefined): OrganizationWebhook | undefined =>
  owner?.webhookUrl && owner.webhookSecretCiphertext
    ? { url: owner.webhookUrl, secretCiphertext: owner.webhookSecretCiphertext, timeouts: owner.timeouts }
    : undefined;
