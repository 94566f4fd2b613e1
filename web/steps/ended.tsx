import { usePage } from '../page.tsx';
import { Heading } from '../parts/heading.tsx';

/** The end of a link, whatever ended it: what happened, and what the signer can do about it. */
export function Ended() {
  const { conductor, texts } = usePage();
  const words = texts.ended[conductor.flow.deadReason ?? 'request_not_active'];
  return (
    <div class="card card-narrow ended">
      <Heading>{words.heading}</Heading>
      <p class="lead">{words.text}</p>
      <p class="quiet">{texts.done.close}</p>
    </div>
  );
}
