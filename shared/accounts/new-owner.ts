import { randomUUID } from 'node:crypto';
import type { Owner } from '../store/owners.ts';

/** An owner with the initial value of every field that is not given. */
export const newOwner = (
  owner: Pick<Owner, 'type' | 'name'> & Partial<Owner>,
  { now }: { now: () => Date },
): Owner => ({
  id: randomUUID(),
  subscription: 'none',
  archive: false,
  reminders: true,
  signerNotices: true,
  webhookUrl: null,
  webhookSecretCiphertext: null,
  createdAt: now().toISOString(),
  version: 1,
  ...owner,
});
