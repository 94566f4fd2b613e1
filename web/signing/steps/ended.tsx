import { Heading } from '../../parts/heading.tsx';
import { usePage } from '../page.tsx';
import { RequestName } from './request-name.tsx';
import { WayBack } from './way-back.tsx';

/** The link no longer works: says why, and what the signer can do. */
export function Ended() {
  const { controller, texts } = usePage();
  const ending = texts.ended[controller.flow.endReason ?? 'request_not_active'];
  return (
    <div class="card card-narrow">
      <Heading>{ending.heading}</Heading>
      <RequestName />
      <p class="lead">{ending.text}</p>
      {controller.flow.senderNotified && <p>{texts.decline.told}</p>}
      {controller.flow.endReason === 'link_declined' && <WayBack outcome="declined" isNext />}
      <p class="muted">{texts.done.close}</p>
    </div>
  );
}
