import type { RequestView } from '../contract.ts';
import { usePage } from '../page.tsx';

/** The URL of the sender's page, with the outcome. */
function returnAddress({ request, signer }: RequestView, outcome: 'signed' | 'declined'): URL | null {
  if (!request.return_url) return null;
  const url = new URL(request.return_url);
  url.searchParams.set('signature_request_id', request.id);
  url.searchParams.set('signer_id', signer.id);
  url.searchParams.set('outcome', outcome);
  return url;
}

/** A link back to the sender's page. It names the host, because it leaves this service. */
export function WayBack({ outcome, isNext }: { outcome: 'signed' | 'declined'; isNext: boolean }) {
  const { controller, texts } = usePage();
  const { view } = controller.flow;
  const address = view && returnAddress(view, outcome);
  if (!address) return null;
  return (
    <a
      class={`button ${isNext ? 'button-main' : 'button-quiet'} way-back`}
      href={address.href}
      rel="noreferrer"
    >
      {texts.done.back(address.host)}
    </a>
  );
}
