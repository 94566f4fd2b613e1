import { optionalSetting } from '../runtime/config.ts';
import type { Reach } from './address-rules.ts';

/** The stack says whether webhooks may go to this machine itself. */
export const configuredReach = (): Reach => ({
  development: optionalSetting('ALLOW_LOCAL_WEBHOOKS') === 'true',
});
