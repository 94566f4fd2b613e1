import type { PageTexts } from '../../shared/texts/page.ts';
import type { RequestView } from '../contract.ts';
import type { Flow } from '../flow/flow.ts';
import { formatMoment } from '../format.ts';
import { usePage } from '../page.tsx';
import { Button } from '../parts/button.tsx';
import { Heading } from '../parts/heading.tsx';
import { CheckIcon } from '../parts/icons.tsx';
import { Notice } from '../parts/notice.tsx';
import { Spinner } from '../parts/spinner.tsx';

export function DoneStep() {
  const { conductor, texts, locale } = usePage();
  const { flow } = conductor;
  const { view } = flow;
  if (!view) return null;
  const sealed = view.request.status === 'signed' && !flow.purged;
  const sealing = view.request.status === 'awaiting_stamp';
  return (
    <div class="card card-narrow done">
      <span class="done-mark" aria-hidden="true">
        <CheckIcon />
      </span>
      <Heading>{texts.done.heading}</Heading>
      <Notice />
      <p class="signing-what">
        <bdi>{view.document.filename}</bdi>
        {flow.signedAt && <span class="quiet">{texts.done.at(formatMoment(flow.signedAt, locale))}</span>}
      </p>
      <div role="status">
        <p class="lead">
          {sealing && <Spinner />}
          {outcome(flow, view, texts, (iso) => formatMoment(iso, locale))}
        </p>
        {sealing && <p class="quiet">{texts.done.sealingLeave}</p>}
      </div>
      {sealed && (
        <p class="actions">
          <Button
            kind="main"
            busy={conductor.task === 'download'}
            onClick={() => void conductor.saveSealed()}
          >
            {conductor.task === 'download' ? texts.done.downloading : texts.done.download}
          </Button>
        </p>
      )}
      {!sealing && <p class="quiet">{texts.done.close}</p>}
    </div>
  );
}

function outcome(flow: Flow, view: RequestView, texts: PageTexts, moment: (iso: string) => string): string {
  if (flow.purged) return flow.purged.at ? texts.done.purged(moment(flow.purged.at)) : texts.done.purgedPlain;
  switch (view.request.status) {
    case 'signed':
      return texts.done.sealed;
    case 'awaiting_stamp':
      return texts.done.sealing;
    case 'stamp_failed':
      return texts.done.sealLate;
    case 'cancelled':
    case 'declined':
    case 'expired':
      return texts.done.endedEarly;
    default:
      return waitingFor(view) > 0 ? texts.done.waiting(waitingFor(view)) : texts.done.sealing;
  }
}

const waitingFor = ({ others }: RequestView) => others.total - others.signed;
