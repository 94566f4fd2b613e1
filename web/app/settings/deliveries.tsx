import { useRef } from 'preact/hooks';
import type { Page } from '../../../client/src/list.ts';
import type { WebhookDelivery } from '../../../client/src/types.ts';
import { visibleLines } from '../../../shared/runtime/visible.ts';
import { Button, SteadyButton } from '../../parts/button.tsx';
import { Changing } from '../../parts/changing.tsx';
import { FieldAlert } from '../../parts/field.tsx';
import { formatDayAndSecond } from '../../parts/format.ts';
import { useBusy } from '../../parts/use-busy.ts';
import { usePage } from '../page.ts';
import { useAction } from '../parts/action.ts';
import { MoreButton } from '../parts/more-button.tsx';
import { type Reloading, Rows, Section } from './section.tsx';

/** The newest attempts, and older ones on request. Each event can be sent once more. */
export function Part({ endpointId }: { endpointId: string }) {
  const { service, texts } = usePage();
  const { webhooks } = texts.settings;
  const pages = useRef(1);
  const read = (cursor?: string) =>
    service.webhooks.deliveries(endpointId, { include: 'bodies', cursor }).page();
  return (
    <Section load={() => joined(pages.current, read)}>
      {({ data, has_more }, { reload }) => (
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
          {has_more && (
            <Older
              reload={() => {
                pages.current += 1;
                return reload();
              }}
            />
          )}
          <LookAgain reload={reload} />
        </>
      )}
    </Section>
  );
}

/** The first pages of a list as one. */
async function joined(pages: number, read: (cursor?: string) => Promise<Page<WebhookDelivery>>) {
  let page = await read();
  const { data } = page;
  for (let more = pages - 1; more > 0 && page.next_cursor !== null; more -= 1) {
    page = await read(page.next_cursor);
    data.push(...page.data);
  }
  return { ...page, data };
}

function Older({ reload }: Reloading) {
  const { isBusy, run } = useBusy(reload);
  return <MoreButton isBusy={isBusy} onClick={run} />;
}

/** Confirms a reload that has changed nothing: otherwise the button would seem to do nothing. */
function LookAgain({ reload }: Reloading) {
  const { texts, say } = usePage();
  const { webhooks } = texts.settings;
  const { run, isBusy } = useAction(async () => {
    if (await reload()) say(webhooks.upToDate);
  });
  return (
    <p>
      <Button kind="quiet" busy={isBusy} onClick={run}>
        {webhooks.reload}
      </Button>
    </p>
  );
}

function Delivery({ endpointId, row }: { endpointId: string; row: WebhookDelivery }) {
  const { service, texts, locale, say } = usePage();
  const { webhooks } = texts.settings;
  const again = useAction(async () => {
    await service.webhooks.redeliver(endpointId, row.event_id);
    say(webhooks.sentAgain);
  });
  const at = formatDayAndSecond(row.attempted_at, locale);
  const about = `${row.event_type}, ${at}`;
  const failure = row.error && (new Map(Object.entries(webhooks.failures)).get(row.error) ?? row.error);
  const answer = [row.http_status && `HTTP ${row.http_status}`, failure].filter(Boolean).join(', ');
  return (
    <tr>
      <th scope="row">
        <code>{row.event_type}</code>
        {row.manual && <span class="small-label">{webhooks.manual}</span>}
      </th>
      <td data-label={webhooks.at}>{at}</td>
      <td data-label={webhooks.outcome}>
        <span class={`status status-${row.outcome === 'delivered' ? 'done' : 'trouble'}`}>
          <Changing>{webhooks.outcomes[row.outcome]}</Changing>
        </span>
        <span class="small-label">
          <Changing>{answer}</Changing>
        </span>
        <Bodies row={row} about={about} />
      </td>
      <td>
        <SteadyButton class="link" idle={again.isBusy} onClick={again.run}>
          {texts.sendAgain}
          <span class="visually-hidden">: {about}</span>
        </SteadyButton>
        <FieldAlert id={row.event_id}>{again.problem}</FieldAlert>
      </td>
    </tr>
  );
}

/** The bodies of request and response, while they are kept. */
function Bodies({ row, about }: { row: WebhookDelivery; about: string }) {
  const { webhooks } = usePage().texts.settings;
  return (
    <details class="disclosure arrow bodies">
      <summary>
        {webhooks.bodies}
        <span class="visually-hidden">: {about}</span>
      </summary>
      <Body heading={webhooks.sentBody} text={row.request_body} />
      <Body heading={webhooks.answerBody} text={row.response_body} />
    </details>
  );
}

function Body({ heading, text }: { heading: string; text: string | null | undefined }) {
  const { webhooks } = usePage().texts.settings;
  return (
    <>
      <p class="small-label">{heading}</p>
      {text ? (
        <pre class="body-text" dir="ltr">
          {indented(text)}
        </pre>
      ) : (
        <p class="muted">{text === '' ? webhooks.emptyBody : webhooks.noBody}</p>
      )}
    </>
  );
}

/** A receiver may respond with any text, so hidden characters are made visible. */
function indented(text: string): string {
  try {
    return visibleLines(JSON.stringify(JSON.parse(text), null, 2));
  } catch {
    return visibleLines(text);
  }
}
