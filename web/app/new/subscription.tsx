import { useEffect } from 'preact/hooks';
import { Warning } from '../../parts/warning.tsx';
import { usePage } from '../page.ts';

/** Shown before the form is filled in, since the service would reject the request at the end. Tests need no subscription. */
export function LackingSubscription() {
  const { session, texts } = usePage();
  const { subscription = 'active' } = session.owner.value ?? {};
  const isLacking = session.mode.value === 'live' && subscription !== 'active';
  useEffect(() => {
    // It may have begun since the page was opened.
    if (isLacking) void session.refresh();
  }, []);
  if (!isLacking) return null;
  const { subscription_required, subscription_inactive } = texts.problems;
  return <Warning>{subscription === 'none' ? subscription_required : subscription_inactive}</Warning>;
}
