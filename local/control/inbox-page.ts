/** The inbox as an HTML page. */
import type { StoredMail } from '../ports.ts';
import { escapeXml as text } from '../services/xml.ts';

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  h1 { font-size: 1.4rem; }
  nav { color: GrayText; font-size: .9rem; }
  details { border: 1px solid color-mix(in srgb, CanvasText 20%, Canvas); border-radius: .5rem; margin: 1rem 0; }
  details details { border-width: 1px 0 0; border-radius: 0; margin: 0; }
  summary { padding: .7rem 1rem; cursor: pointer; }
  summary small { color: GrayText; display: block; }
  iframe { display: block; width: 100%; height: 40rem; resize: vertical; border: 0; border-top: 1px solid color-mix(in srgb, CanvasText 20%, Canvas); background: white; }
  pre { padding: 0 1rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; }
`;

const mailEntry = (mail: StoredMail, index: number) => `
  <details${index === 0 ? ' open' : ''}>
    <summary><strong>${text(mail.subject)}</strong>
      <small>to ${text(mail.to.join(', '))} · from ${text(mail.from)} · ${text(mail.sent_at.replace(/T(.*)\.\d+Z$/, ' $1 UTC'))}</small></summary>
    ${
      // Links open in a new tab; scripts, forms and frames are disabled.
      mail.html
        ? `<iframe title="${text(mail.subject)}" sandbox="allow-popups allow-popups-to-escape-sandbox" loading="lazy" src="/inbox/${encodeURIComponent(mail.id)}"></iframe>`
        : ''
    }
    <details><summary>As text</summary><pre>${text(mail.text)}</pre></details>
  </details>`;

export function inboxPage(mails: StoredMail[], { baseUrl }: { baseUrl: string }): string {
  const list =
    mails.length === 0
      ? '<p>No mail yet. Reload this page after a mail was sent.</p>'
      : mails.map(mailEntry).join('');
  return (
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<link rel="icon" href="data:,"><title>Inbox</title><style>${STYLE}</style>` +
    `<body><h1>Inbox</h1><nav>Mails sent by the service at ${text(baseUrl)}, newest first. As JSON:
     <a href="/inbox">/inbox</a>, <a href="/queues">/queues</a>, <a href="/schedules">/schedules</a>,
     <a href="/clock">/clock</a>, <a href="/calls">/calls</a>.</nav>${list}</body></html>`
  );
}

/** The HTML of one mail, shown in a frame. Its links open in a new tab. */
export const mailPage = (mail: StoredMail): string => `<base target="_blank">${mail.html}`;
