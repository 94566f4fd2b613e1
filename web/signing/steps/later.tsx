import { Button } from '../../parts/button.tsx';
import { formatMoment } from '../../parts/format.ts';
import { Heading } from '../../parts/heading.tsx';
import { usePage } from '../page.tsx';
import { RequestName } from './request-name.tsx';

/** For a signer who wants to decide later: names the deadline and how to come back. */
export function LaterStep() {
  const { controller, texts, locale } = usePage();
  const { view } = controller.flow;
  if (!view) return null;
  return (
    <div class="card card-narrow">
      <Heading>{texts.document.toLater}</Heading>
      <RequestName />
      <p class="lead">{texts.later.text(formatMoment(view.request.expires_at, locale))}</p>
      <p>{texts.later.kept}</p>
      <p class="actions">
        <Button onClick={() => controller.goBack()}>{texts.document.back}</Button>
      </p>
    </div>
  );
}
