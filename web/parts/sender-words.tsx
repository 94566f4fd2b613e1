import { useState } from 'preact/hooks';
import type { RequestView } from '../contract.ts';
import { usePage } from '../page.tsx';

const LONG_MESSAGE = 420;
const MANY_LINES = 7;

/**
 * Everything a sender wrote, in a frame of its own that says so: as plain text, with no link made of it, and with
 * writing directions kept inside, so that none of it can pass for our own words.
 */
export function SenderWords({ view }: { view: RequestView }) {
  const { texts } = usePage();
  const { request } = view;
  return (
    <figure class="sender">
      <figcaption>
        <span class="sender-label">{texts.document.from}</span>
        <bdi class="sender-name">{request.sender_name}</bdi>
      </figcaption>
      <blockquote class="sender-words">
        <p class="sender-label">{texts.document.writtenBySender}</p>
        <p class="sender-title" dir="auto">
          {request.title}
        </p>
        {request.message ? <Message text={request.message} /> : null}
      </blockquote>
    </figure>
  );
}

function Message({ text }: { text: string }) {
  const { texts } = usePage();
  const [whole, setWhole] = useState(false);
  const isLong = text.length > LONG_MESSAGE || text.split('\n').length > MANY_LINES;
  return (
    <>
      <p class={`sender-message ${isLong && !whole ? 'sender-message-cut' : ''}`} dir="auto">
        {text}
      </p>
      {isLong && (
        <button type="button" class="link" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? texts.document.showLess : texts.document.showAll}
        </button>
      )}
    </>
  );
}
