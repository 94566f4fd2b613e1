import { optionalSetting } from '../runtime/config.ts';
import type { AddressPolicy } from './address-rules.ts';

export const configuredAddressPolicy = (): AddressPolicy => ({
  development: optionalSetting('ALLOW_LOCAL_WEBHOOKS') === 'true',
});
