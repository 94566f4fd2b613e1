import type { Owner } from '../../shared/store/owners.ts';

/** An organization as the table stores it. */
export const ownerItem = (changes: Partial<Owner> = {}): Owner => ({
  id: 'owner-1',
  type: 'organization',
  name: 'Acme',
  subscription: 'active',
  archive: false,
  reminders: true,
  signerNotices: true,
  webhookUrl: null,
  webhookSecretCiphertext: null,
  createdAt: '2026-11-21T12:00:00.000Z',
  version: 1,
  ...changes,
});
