import type { WebhookDelivery } from '../../../client/src/types.ts';
import { Button } from '../../parts/button.tsx';
import { formatDayAndTime } from '../../parts/format.ts';
import { usePage } from '../page.ts';
import { useAction } from '../parts/action.ts';
import { ActionProblem, Rows, Section } from './section.tsx';

/** The newest attempts. Each event can be sent once more. */
export function Deliveries({ endpointId }: { endpointId: string }) {
  const { service, texts } = usePage();
  const { webhooks } = texts.settings;
  return (
    <Section load={() => service.webhooks.deliveries(endpointId).page()}>
      {({ data }, { reload }) => (
        <>
          {data.length === 0 ? (
            <p class="muted">{webhooks.noDeliveries}</p>
          ) : (
            <Rows caption={webhooks.deliveries} columns={[webhooks.event, webhooks.at, webhooks.outcome]}>
              {data.map((row) => (
                <Delivery key={`${row.event_id} ${row.attempted_at}`} endpointId={endpointId} row={row} />
              ))}
            </Rows>
          )}
          <p>
            <Button kind="quiet" onClick={() => void reload()}>
              {webhooks.reload}
            </Button>
          </p>
        </>
      )}
    </Section>
  );
}

function Delivery({ endpointId, row }: { endpointId: string; row: WebhookDelivery }) {
  const { service, texts, locale, say } = usePage();
  const { webhooks } = texts.settings;
  const again = useAction(async () => {
    await service.webhooks.redeliver(endpointId, row.event_id);
    say(webhooks.sentAgain);
  });
  const answer = [row.http_status && `HTTP ${row.http_status}`, row.error].filter(Boolean).join(', ');
  return (
    <tr>
      <th scope="row">
        <code>{row.event_type}</code>
        {row.manual && <span class="small-label">{webhooks.manual}</span>}
      </th>
      <td>{formatDayAndTime(row.attempted_at, locale)}</td>
      <td>
        <span class={`status status-${row.outcome === 'delivered' ? 'done' : 'trouble'}`}>
          {webhooks.outcomes[row.outcome]}
        </span>
        <span class="small-label">{answer}</span>
      </td>
      <td>
        <button type="button" class="link" aria-disabled={again.isBusy} onClick={() => void again.run()}>
          {webhooks.again}
          <span class="visually-hidden">: {row.event_type}</span>
        </button>
        <ActionProblem id={row.event_id}>{again.problem}</ActionProblem>
      </td>
    </tr>
  );
}
