import type { SignatureRequest } from '../../../client/src/types.ts';
import { visible, visibleLines } from '../../../shared/runtime/visible.ts';
import { Fact } from '../../parts/fact.tsx';
import { formatDayAndTime } from '../../parts/format.ts';
import { usePage } from '../page.ts';

export function Facts({ request }: { request: SignatureRequest }) {
  const { texts, locale } = usePage();
  const { facts } = texts.request;
  const rows: [string, string | null][] = [
    [texts.created, formatDayAndTime(request.created_at, locale)],
    [facts.until, formatDayAndTime(request.expires_at, locale)],
    [facts.sender, request.sender_email],
    [facts.via, texts.request.via[request.created_via]],
    [texts.create.reference, request.reference && visible(request.reference)],
    [facts.reminders, request.reminders ? texts.yes : texts.no],
    [texts.create.returnUrl, request.return_url],
    [facts.id, request.id],
    [facts.hash, request.document_hash],
  ];
  return (
    <section class="request-facts stack" aria-labelledby="facts-heading">
      <h2 id="facts-heading">{facts.heading}</h2>
      <dl class="facts">
        {rows.map(
          ([label, value]) =>
            value && (
              <Fact key={label} label={label} dir="auto">
                {value}
              </Fact>
            ),
        )}
        {request.message && (
          <Fact label={texts.create.message} class="message" dir="auto">
            {visibleLines(request.message)}
          </Fact>
        )}
      </dl>
    </section>
  );
}
