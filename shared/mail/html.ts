import { isolatesAsMarkup } from '../texts/isolate.ts';
import type { Layout, Part } from './parts.ts';

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
const textHtml = (text: string) => isolatesAsMarkup(escapeHtml(text));

/**
 * Colours are inline for mail programs that drop the style sheet; the sheet overrides them for dark mode. Nothing is fetched, so
 * that nobody learns that a mail was read. Only the button is a table, so that screen readers read from top to bottom.
 *
 * Outlook for Windows may show Times if it lacks the first font of a list, takes padding only from table cells (`mso-padding-alt`),
 * and gives tables a font of their own.
 */
const FONT = "font-family:'Segoe UI',-apple-system,Roboto,'Helvetica Neue',Arial,sans-serif";
const BUTTON_PADDING = '14px 26px';
const STYLES = {
  body: `margin:0;padding:0;background:#f4f4f1;color:#1d2528;${FONT};font-size:16px;line-height:1.5`,
  sheet: 'max-width:560px;margin:0 auto;padding:32px 24px;word-wrap:break-word;word-break:break-word',
  preheader: 'display:none;max-height:0;overflow:hidden;mso-hide:all',
  sender: 'margin:0 0 28px;padding:0 0 12px;border-bottom:3px solid #0b5a53;font-size:18px;font-weight:600',
  paragraph: 'margin:0 0 20px',
  notice: 'margin:0 0 24px;padding:10px 14px;border:2px solid #9a5b00;border-radius:6px;color:#7a4700',
  label: 'margin:0 0 4px;font-size:14px;color:#55626b',
  // A chain of joined characters has no place to break; it scrolls instead of widening the mail. Each line has its own direction.
  quotation:
    'margin:0 0 24px;padding:2px 0 2px 16px;border-left:3px solid #b9c2c4;overflow:auto;unicode-bidi:plaintext',
  box: 'margin:0 0 28px;padding:18px 20px;border:1px solid #d5dadb;border-radius:8px;background:#ffffff',
  code: 'margin:0 0 8px;font-family:Consolas,Menlo,ui-monospace,monospace;font-size:32px;line-height:1.25;font-weight:600;letter-spacing:0.16em',
  note: 'margin:0;font-size:14px;color:#55626b',
  button: `mso-padding-alt:${BUTTON_PADDING};border-radius:8px;background:#0b5a53`,
  press: `display:inline-block;padding:${BUTTON_PADDING};mso-padding-alt:0;${FONT};font-size:16px;line-height:1.5;color:#ffffff;font-weight:600;text-decoration:none`,
  below: 'margin:12px 0 28px;font-size:14px;color:#55626b',
  address: 'color:#0b5a53',
  foot: 'margin:20px 0 0;padding:12px 0 0;border-top:1px solid #b9c2c4;font-size:14px',
  small: 'margin:0 0 10px;font-size:14px;color:#55626b',
} as const;

const DARK = `@media (prefers-color-scheme: dark) {
  .body { background: #14191b !important; color: #e8ecec !important; }
  .notice { border-color: #d99a3d !important; color: #f0bd72 !important; }
  .soft { color: #a9b4b7 !important; }
  .quotation { border-color: #4a5659 !important; }
  .box { background: #1c2326 !important; border-color: #3a4548 !important; }
  .button { background: #5cc2b5 !important; }
  .press { color: #06231f !important; }
  .sender { border-color: #5cc2b5 !important; }
  .address { color: #5cc2b5 !important; }
  .foot { border-color: #4a5659 !important; }
}`;

/** A brand's colour stays in dark mode: its letters are white in both. The class would override it. */
const accented = (name: 'button' | 'press' | 'sender', accent: string | null) =>
  accent === null
    ? `class="${name}" style="${STYLES[name]}"`
    : `style="${STYLES[name].replace('#0b5a53', accent)}"`;

const line = (classes: string, style: string, text: string) =>
  `<p class="${classes}" style="${style}">${textHtml(text)}</p>`;

const link = (url: string, label: string) =>
  `<a class="address" href="${escapeHtml(url)}" style="${STYLES.address}">${textHtml(label)}</a>`;

function write(part: Part, accent: string | null): string {
  switch (part.kind) {
    case 'paragraph':
      return line('paragraph', STYLES.paragraph, part.text);
    case 'notice':
      return line('notice', STYLES.notice, part.text);
    case 'small':
      return line('soft', STYLES.small, part.text);
    case 'quotation':
      return `${line('soft', STYLES.label, part.label)}
<blockquote class="quotation" dir="auto" style="${STYLES.quotation}">${textHtml(part.text).replaceAll('\n', '<br>')}</blockquote>`;
    case 'code':
      return `<div class="box" style="${STYLES.box}">
${line('soft', STYLES.label, part.label)}
${line('code', STYLES.code, part.code)}
${part.notes.map((note) => line('soft', STYLES.note, note)).join('\n')}
</div>`;
    case 'link':
      return `<table role="presentation" cellspacing="0" cellpadding="0" border="0"><tr><td ${accented('button', accent)}><a ${accented('press', accent)} href="${escapeHtml(part.url)}">${textHtml(part.label)}</a></td></tr></table>
<p class="soft" style="${STYLES.below}">${textHtml(part.hint)}<br>${link(part.url, part.url)}</p>`;
  }
}

const foot = (links: Layout['links']) =>
  links.length === 0
    ? ''
    : `<p class="foot" style="${STYLES.foot}">${links.map(({ label, url }) => link(url, label)).join(' &nbsp; ')}</p>`;

export const html = ({
  locale,
  subject,
  preheader,
  sender,
  accent,
  parts,
  links,
}: Layout): string => `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${escapeHtml(subject)}</title>
<style>
:root { color-scheme: light dark; }
${DARK}
</style>
</head>
<body class="body" style="${STYLES.body}">
<div class="body" style="${STYLES.body}" lang="${locale}" dir="ltr">
<div style="${STYLES.preheader}">${textHtml(preheader)}</div>
<div style="${STYLES.sheet}">
<p ${accented('sender', accent)}>${textHtml(sender)}</p>
${parts.map((part) => write(part, accent)).join('\n')}
${foot(links)}
</div>
</div>
</body>
</html>
`;
