import { useState } from 'preact/hooks';
import type { WebhookEndpoint } from '../../../client/src/types.ts';
import { isUrl } from '../../../shared/runtime/is-url.ts';
import { withoutUnseen } from '../../../shared/runtime/visible.ts';
import { Button } from '../../parts/button.tsx';
import { Changing } from '../../parts/changing.tsx';
import { Field, FieldAlert } from '../../parts/field.tsx';
import { usePage } from '../page.ts';
import { useAction } from '../parts/action.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { late } from '../parts/late.tsx';
import { useCheck } from '../parts/use-check.ts';
import { withoutSent } from './edits.ts';
import { ActionForm, type Reloading, Section } from './section.tsx';
import { showSecret } from './shown-secret.tsx';

const Deliveries = late(() => import('./deliveries.tsx'));

export function Webhooks() {
  const { service, texts } = usePage();
  return (
    <Section intro={texts.settings.webhooks.intro} load={service.webhooks.list}>
      {(endpoints, { reload }) => (
        <>
          {endpoints.map((endpoint) => (
            <Endpoint key={endpoint.id} endpoint={endpoint} reload={reload} />
          ))}
          <NewEndpoint reload={reload} />
        </>
      )}
    </Section>
  );
}

function Endpoint({ endpoint, reload }: Reloading & { endpoint: WebhookEndpoint }) {
  const { service, texts, say } = usePage();
  const { webhooks } = texts.settings;
  const { id, url, event_types } = endpoint;
  const [isShown, show] = useState(false);
  const isPaused = endpoint.disabled_at !== null;
  const urlId = `url-of-${id}`;
  const test = useAction(async () => {
    pause.forget();
    await service.webhooks.test(id);
    say(webhooks.tested);
  });
  const pause = useAction(async () => {
    test.forget();
    await service.webhooks.update(id, { disabled: !isPaused });
    await reload();
    say(isPaused ? webhooks.active : webhooks.paused);
  });
  const remove = async () => {
    await service.webhooks.delete(id);
    await reload();
    say(texts.removed);
  };
  return (
    <article class="endpoint stack" aria-label={url}>
      <div class="signer-head">
        <h2 id={urlId} class="endpoint-url">
          <bdi>{url}</bdi>
        </h2>
        <span class={`status status-${isPaused ? 'ended' : 'done'}`}>
          <Changing>{isPaused ? webhooks.paused : webhooks.active}</Changing>
        </span>
      </div>
      <p class="muted">{event_types.length === 0 ? webhooks.allEvents : event_types.join(', ')}</p>
      <div class="actions">
        <Button busy={test.isBusy} disabled={isPaused} describedBy={urlId} onClick={test.run}>
          {webhooks.test}
        </Button>
        <Button busy={pause.isBusy} describedBy={urlId} onClick={pause.run}>
          {isPaused ? webhooks.resume : webhooks.pause}
        </Button>
        <button
          type="button"
          class="button"
          aria-expanded={isShown}
          aria-describedby={urlId}
          onClick={() => show(!isShown)}
        >
          {webhooks.deliveries}
        </button>
        <ConfirmButton label={texts.remove} about={url} question={webhooks.removeQuestion} work={remove} />
      </div>
      <FieldAlert id={id}>{test.problem ?? pause.problem}</FieldAlert>
      {isShown && <Deliveries endpointId={id} />}
    </article>
  );
}

function NewEndpoint({ reload }: Reloading) {
  const { service, texts } = usePage();
  const { webhooks } = texts.settings;
  const [url, setUrl] = useState('');
  const { isFaulty, check } = useCheck(isUrl(withoutUnseen(url)));
  const create = useAction(async () => {
    const { secret } = await service.webhooks.create({ url: withoutUnseen(url) });
    showSecret({ heading: webhooks.shown, text: webhooks.shownOnce, secret });
    setUrl(withoutSent(url));
    await reload();
  });
  return (
    <ActionForm heading={webhooks.create} label={webhooks.create} action={create} check={check}>
      <Field
        id="webhook-url"
        inputMode="url"
        label={webhooks.url}
        hint={webhooks.urlHint}
        value={url}
        error={isFaulty && texts.problems.invalid_return_url}
        onInput={setUrl}
      />
    </ActionForm>
  );
}
