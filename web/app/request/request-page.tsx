import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import type { SignatureRequest } from '../../../client/src/types.ts';
import { visible } from '../../../shared/runtime/visible.ts';
import { Heading } from '../../parts/heading.tsx';
import { BackIcon } from '../../parts/icons.tsx';
import { useStepFocus } from '../../parts/step-focus.ts';
import { usePage } from '../page.ts';
import { useLoaded } from '../parts/loaded.ts';
import { Loading } from '../parts/loading.tsx';
import { LoadProblem } from '../parts/problem.tsx';
import { Status } from '../parts/status.tsx';
import { isFinal, shownStatus } from '../statuses.ts';
import { Actions } from './actions.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { Facts } from './facts.tsx';
import { RemindAll } from './remind-all.tsx';
import { SignerCard } from './signer-card.tsx';
import { Standing } from './standing.tsx';

export const RequestPage = () => {
  const { id = '' } = useRoute().params;
  return <OneRequest key={id} id={id} />;
};

function OneRequest({ id }: { id: string }) {
  const { service, texts } = usePage();
  const { value, thrown, reload } = useLoaded(() => service.requests.retrieve(id), true);
  const hasFailed = !value && thrown !== null;
  useStepFocus(value ? 'shown' : hasFailed ? 'failed' : 'loading');
  return (
    <div class="wide stack-wide">
      <a class="back" href="/app">
        <BackIcon />
        <span>{texts.request.back}</span>
      </a>
      {hasFailed && (
        <>
          <Heading>{texts.trouble.heading}</Heading>
          <LoadProblem thrown={thrown} again={reload} />
        </>
      )}
      {!value && !hasFailed && <Loading />}
      {value && <Shown request={value} reload={reload} />}
    </div>
  );
}

function Shown({ request, reload }: { request: SignatureRequest; reload(): Promise<unknown> }) {
  const { texts } = usePage();
  const [isCancelling, setCancelling] = useState(false);
  return (
    <>
      <div class="page-head">
        <div class="request-head stack">
          <Heading>
            <bdi>{visible(request.title) || texts.list.untitled}</bdi>
          </Heading>
          <p class="request-state" role="status">
            <Status status={shownStatus(request)} />
            {request.test && <span class="status status-test">{texts.testMode.mark}</span>}
          </p>
        </div>
        <Actions request={request} onCancel={() => setCancelling(true)} />
      </div>
      <Standing request={request} />
      <div class="request-columns">
        <section class="stack" aria-labelledby="signers-heading">
          <h2 id="signers-heading">{texts.create.signers}</h2>
          <RemindAll request={request} reload={reload} />
          {request.signers.map((signer) => (
            <SignerCard key={signer.id} request={request} signer={signer} reload={reload} />
          ))}
        </section>
        <Facts request={request} />
      </div>
      {isCancelling && !isFinal(request.status) && (
        <CancelDialog request={request} onClose={() => setCancelling(false)} reload={reload} />
      )}
    </>
  );
}
