import { randomUUID } from 'node:crypto';
import type { Owner } from '../../shared/store/owners.ts';
import type { Operator } from './operator.ts';

/** An owner as it begins, but for what is given. */
export const newOwner = (owner: Pick<Owner, 'type' | 'name'> & Partial<Owner>, { now }: Operator): Owner => ({
  id: randomUUID(),
  subscription: 'none',
  archive: false,
  reminders: true,
  webhookUrl: null,
  webhookSecretCiphertext: null,
  createdAt: now().toISOString(),
  version: 1,
  ...owner,
});
