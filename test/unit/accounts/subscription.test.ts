import { assertSubscribed } from '../../../shared/accounts/subscription.ts';
import { newCaller } from '../../support/requests.ts';

describe('assertSubscribed', () => {
  it('a live call needs an active subscription', () => {
    expect(() => assertSubscribed(newCaller({ subscription: 'active' }))).not.toThrow();
    expect(() => assertSubscribed(newCaller({ subscription: 'none' }))).toThrow(
      expect.objectContaining({ code: 'subscription_required', status: 402 }),
    );
    expect(() => assertSubscribed(newCaller({ subscription: 'inactive' }))).toThrow(
      expect.objectContaining({ code: 'subscription_inactive', status: 402 }),
    );
  });

  it.each(['none', 'inactive'] as const)(
    'a caller whose subscription is %s is told whom to ask, and that a test key works now',
    (subscription) => {
      expect(() => assertSubscribed(newCaller({ subscription }))).toThrow(
        /ask the operator .* test key \(esk_test_…\) works/,
      );
    },
  );

  it.each(['none', 'inactive', 'active'] as const)(
    'a test call needs no subscription: %s',
    (subscription) => {
      expect(() => assertSubscribed(newCaller({ mode: 'test', subscription }))).not.toThrow();
    },
  );
});
