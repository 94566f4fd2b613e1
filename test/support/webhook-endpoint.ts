import type { WebhookEndpoint } from '../../shared/store/webhook-endpoints.ts';

/** An endpoint as it is stored. */
export const webhookEndpoint = (
  owner: Pick<WebhookEndpoint, 'ownerId' | 'mode'>,
  createdAt: Date,
): WebhookEndpoint => ({
  id: 'we_1',
  ...owner,
  url: 'https://hooks.example.com/',
  eventTypes: [],
  description: null,
  disabledAt: null,
  createdAt: createdAt.toISOString(),
  updatedAt: createdAt.toISOString(),
  secretCiphertext: 'c2VjcmV0',
});
