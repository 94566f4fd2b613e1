import { useState } from 'preact/hooks';
import type { RequestView } from '../contract.ts';
import { Viewer } from '../document/viewer.tsx';
import { formatMoment, formatSize } from '../format.ts';
import { usePage } from '../page.tsx';
import { Button } from '../parts/button.tsx';
import { Heading } from '../parts/heading.tsx';
import { Notice } from '../parts/notice.tsx';
import { SenderWords } from '../parts/sender-words.tsx';

export function DocumentStep() {
  const { conductor, texts, announce } = usePage();
  const { view } = conductor.flow;
  if (!view) return null;
  return (
    <div class="reading">
      <div class="reading-side">
        <Heading>{texts.document.heading}</Heading>
        <Notice />
        <SenderWords view={view} />
        <Details view={view} />
      </div>
      <Viewer
        bytes={conductor.document?.bytes ?? null}
        share={conductor.documentShare}
        texts={texts}
        onSave={() => {
          conductor.saveOriginal();
          announce(texts.document.downloaded);
        }}
        announce={announce}
      />
      <div class="reading-actions">
        <Button kind="main" disabled={!conductor.document} onClick={() => conductor.goTo('sign')}>
          {texts.document.toSign}
        </Button>
        <Button kind="quiet" onClick={() => conductor.goTo('decline')}>
          {texts.document.toDecline}
        </Button>
      </div>
    </div>
  );
}

/** Open where there is room beside the document; on a phone the document comes first. */
function Details({ view }: { view: RequestView }) {
  const { texts, locale } = usePage();
  const { signer, others, request } = view;
  const [hasRoom] = useState(() => matchMedia('(min-width: 62rem)').matches);
  return (
    <details class="more" open={hasRoom}>
      <summary>{texts.document.details}</summary>
      <dl class="facts">
        <div>
          <dt>{texts.document.to}</dt>
          <dd>
            <bdi>{signer.name}</bdi>
            {signer.name !== signer.email && <bdi class="facts-more">{signer.email}</bdi>}
          </dd>
        </div>
        <div>
          <dt>{texts.document.file}</dt>
          <dd>
            <bdi>{view.document.filename}</bdi>
            <span class="facts-more">{formatSize(view.document.size, locale)}</span>
          </dd>
        </div>
        <div>
          <dt>{texts.document.until}</dt>
          <dd>{formatMoment(request.expires_at, locale)}</dd>
        </div>
        {others.total > 0 && (
          <div>
            <dt>{texts.document.others}</dt>
            <dd>{texts.document.othersCount(others.total, others.signed)}</dd>
          </div>
        )}
      </dl>
    </details>
  );
}
