import type { Layout, Part } from './parts.ts';

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

/**
 * Colours stand in line for mail programs that drop the style sheet; the sheet turns them around for dark mode.
 * No tables, pictures or web fonts: nothing is fetched, and a screen reader reads straight down.
 */
const FONT = "font-family:-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";
const STYLES = {
  body: `margin:0;padding:0;background:#f4f4f1;color:#1d2528;${FONT};font-size:16px;line-height:1.5`,
  sheet: 'max-width:560px;margin:0 auto;padding:32px 24px',
  paragraph: 'margin:0 0 20px',
  notice: 'margin:0 0 24px;padding:10px 14px;border:2px solid #9a5b00;border-radius:6px;color:#7a4700',
  label: 'margin:0 0 4px;font-size:14px;color:#55626b',
  quotation: 'margin:0 0 24px;padding:2px 0 2px 16px;border-left:3px solid #b9c2c4;overflow-wrap:anywhere',
  box: 'margin:0 0 28px;padding:18px 20px;border:1px solid #d5dadb;border-radius:8px;background:#ffffff',
  code: 'margin:0 0 8px;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:32px;line-height:1.25;font-weight:600;letter-spacing:0.16em',
  note: 'margin:0;font-size:14px;color:#55626b',
  buttonLine: 'margin:0 0 28px',
  button:
    'display:inline-block;padding:14px 26px;border-radius:8px;background:#0b5a53;color:#ffffff;font-weight:600;text-decoration:none',
  small: 'margin:0 0 10px;font-size:14px;color:#55626b',
} as const;

const DARK = `@media (prefers-color-scheme: dark) {
  .body { background: #14191b !important; color: #e8ecec !important; }
  .notice { border-color: #d99a3d !important; color: #f0bd72 !important; }
  .soft { color: #a9b4b7 !important; }
  .quotation { border-color: #4a5659 !important; }
  .box { background: #1c2326 !important; border-color: #3a4548 !important; }
  .button { background: #5cc2b5 !important; color: #06231f !important; }
}`;

const line = (tag: string, classes: string, style: string, text: string) =>
  `<${tag} class="${classes}" style="${style}">${escapeHtml(text)}</${tag}>`;

function write(part: Part): string {
  switch (part.kind) {
    case 'paragraph':
      return line('p', 'paragraph', STYLES.paragraph, part.text);
    case 'notice':
      return line('p', 'notice', STYLES.notice, part.text);
    case 'small':
      return line('p', 'soft', STYLES.small, part.text);
    case 'quotation':
      return `${line('p', 'soft', STYLES.label, part.label)}
<blockquote class="quotation" dir="auto" style="${STYLES.quotation}">${escapeHtml(part.text).replaceAll('\n', '<br>')}</blockquote>`;
    case 'code':
      return `<div class="box" style="${STYLES.box}">
${line('p', 'soft', STYLES.label, part.label)}
${line('p', 'code', STYLES.code, part.code)}
${part.notes.map((note) => line('p', 'soft', STYLES.note, note)).join('\n')}
</div>`;
    case 'link':
      return `<p style="${STYLES.buttonLine}"><a class="button" href="${escapeHtml(part.url)}" style="${STYLES.button}">${escapeHtml(part.label)}</a></p>`;
  }
}

export const html = ({ locale, subject, parts }: Layout): string => `<!doctype html>
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
<div style="${STYLES.sheet}">
${parts.map(write).join('\n')}
</div>
</div>
</body>
</html>
`;
