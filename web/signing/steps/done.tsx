import type { PageTexts } from '../../../shared/texts/en/service.ts';
import { Arriving } from '../../parts/arriving.tsx';
import { Button } from '../../parts/button.tsx';
import { Changing } from '../../parts/changing.tsx';
import { formatMoment } from '../../parts/format.ts';
import { Heading } from '../../parts/heading.tsx';
import { CheckIcon } from '../../parts/icons.tsx';
import { Spinner } from '../../parts/spinner.tsx';
import type { RequestView } from '../contract.ts';
import { usePage } from '../page.tsx';
import { Notice } from './notice.tsx';
import { RequestName } from './request-name.tsx';
import { WayBack } from './way-back.tsx';

export function DoneStep() {
  const { controller, texts, locale } = usePage();
  const { flow } = controller;
  const { view } = flow;
  if (!view) return null;
  const sealed = view.request.status === 'signed' && !flow.purged;
  // Only the next step has a main button; the others are quiet.
  const files: readonly Download[] = sealed ? ['download', ...(view.request.evidence ? EVIDENCE : [])] : [];
  const next = files.find((task) => !controller.saved.has(task));
  const sealing = view.request.status === 'awaiting_stamp';
  return (
    <div class="card card-narrow done">
      <span class="done-mark" aria-hidden="true">
        <CheckIcon />
      </span>
      <Heading>{texts.done.heading}</Heading>
      <Notice />
      <RequestName>
        {flow.signedAt && <p class="muted">{texts.done.at(formatMoment(flow.signedAt, locale))}</p>}
      </RequestName>
      <div role="status">
        <p class="lead">
          {sealing && <Spinner />}
          <Outcome view={view} />
        </p>
        {sealing && <p class="muted">{texts.done.sealingLeave}</p>}
      </div>
      {files.map((task) => (
        <Download key={task} task={task} isNext={task === next} />
      ))}
      {controller.saved.size > 0 && <p class="hint">{texts.done.noFile}</p>}
      <WayBack outcome="signed" isNext={next === undefined} />
      {!sealing && <p class="muted">{texts.done.close}</p>}
    </div>
  );
}

type Download = 'download' | 'download_evidence';
const EVIDENCE = ['download_evidence'] as const;

function Download({ task, isNext }: { task: Download; isNext: boolean }) {
  const { controller, texts, locale, announce } = usePage();
  const isEvidence = task === 'download_evidence';
  const label = isEvidence ? texts.done.downloadEvidence : texts.done.download;
  const isBusy = controller.task === task;
  const save = async () => {
    if (await (isEvidence ? controller.saveEvidence() : controller.saveSealed()))
      announce(texts.document.downloaded);
  };
  return (
    <Button
      kind={isNext ? 'main' : 'quiet'}
      busy={isBusy}
      waiting={controller.task !== null && !isBusy}
      onClick={() => void save()}
    >
      {isBusy ? (
        <Arriving words={texts.done.downloading} part={controller.progress} locale={locale} />
      ) : (
        label
      )}
    </Button>
  );
}

function Outcome({ view }: { view: RequestView }) {
  const { controller, texts, locale } = usePage();
  const { purged } = controller.flow;
  if (purged?.at) return <Changing>{texts.done.purged(formatMoment(purged.at, locale))}</Changing>;
  return <Changing>{purged ? texts.done.purgedPlain : standing(view, controller.now(), texts)}</Changing>;
}

function standing({ request, others }: RequestView, now: number, { done }: PageTexts): string {
  switch (request.status) {
    case 'signed':
      return done.sealed;
    case 'awaiting_stamp':
      return done.sealing;
    case 'stamp_failed':
      return done.sealLate;
    case 'cancelled':
    case 'declined':
    case 'expired':
      return done.endedEarly;
  }
  const awaited = others.total - others.signed;
  if (awaited === 0) return done.sealing;
  // The daily job has yet to end the request, but nobody can sign any more.
  return Date.parse(request.expires_at) <= now ? done.endedEarly : done.waiting(awaited);
}
