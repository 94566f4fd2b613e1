import { useState } from 'preact/hooks';
import { formatSize } from '../../../shared/texts/file-size.ts';
import { isolated } from '../../../shared/texts/isolate.ts';
import { Fact } from '../../parts/fact.tsx';
import { formatMoment } from '../../parts/format.ts';
import type { RequestView } from '../contract.ts';
import { usePage } from '../page.tsx';

/**
 * The message and attachments. On a phone they are collapsed to one row, to leave the screen to the document. The sender's texts
 * are shown without links, in a frame with the sender's name, so that they cannot pass for the service's own.
 */
export function Letter({ view }: { view: RequestView }) {
  const { texts } = usePage();
  const { request, document } = view;
  const { attachments } = document;
  const [hasRoom] = useState(() => matchMedia('(min-width: 62rem)').matches);
  return (
    <details class="letter arrow" open={hasRoom}>
      <summary>
        <span class="letter-head">
          <span class="request-title" dir="auto">
            {request.title}
          </span>
          <span class="request-sender">
            <span>
              {(request.message ? texts.document.messageFrom : texts.document.from)(
                isolated(request.sender_name),
              )}
            </span>
            {attachments && (
              <span class="letter-attachments">{texts.document.attachments(attachments.count)}</span>
            )}
          </span>
        </span>
      </summary>
      {request.message && (
        <blockquote class="letter-message" dir="auto">
          {request.message}
        </blockquote>
      )}
      <div class="letter-facts">
        {attachments && <Attachments {...attachments} />}
        <Facts view={view} />
      </div>
    </details>
  );
}

function Attachments({ count, listed }: NonNullable<RequestView['document']['attachments']>) {
  const { texts, locale } = usePage();
  return (
    <section aria-label={texts.document.attachments(count)}>
      <h2 class="letter-heading">{texts.document.attachments(count)}</h2>
      <p>{texts.document.attachmentsNote}</p>
      <ul class="attachments">
        {listed.map(({ filename, size }, index) => (
          <li key={index}>
            <bdi>{filename || texts.document.unnamed}</bdi>{' '}
            <span class="facts-extra">{formatSize(size, locale)}</span>
          </li>
        ))}
        {count > listed.length && <li>{texts.document.moreAttachments(count - listed.length)}</li>}
      </ul>
    </section>
  );
}

function Facts({ view }: { view: RequestView }) {
  const { texts, locale } = usePage();
  const { signer, others, request } = view;
  return (
    <dl class="facts">
      <Fact label={texts.document.to}>
        <bdi>{signer.name}</bdi>
        {signer.name !== signer.email && <bdi class="facts-extra">{signer.email}</bdi>}
      </Fact>
      <Fact label={texts.document.file}>
        <bdi>{view.document.filename}</bdi>
        <span class="facts-extra">{formatSize(view.document.size, locale)}</span>
      </Fact>
      <Fact label={texts.document.until}>{formatMoment(request.expires_at, locale)}</Fact>
      {others.total > 0 && (
        <Fact label={texts.document.others}>{texts.document.othersCount(others.total, others.signed)}</Fact>
      )}
    </dl>
  );
}
