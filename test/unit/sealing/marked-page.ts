import { inspectPdf } from '../../../shared/sealing/intake.ts';
import { CATALOG, craft, ONE_PAGE } from './craft.ts';

/** A PDF of one page with actions, annotations and drawings. */

export const JAVASCRIPT = '<</S /JavaScript /JS (app.alert\\(1\\))>>';
export const LAUNCH = '<</S /Launch /F (calc.exe)>>';
export const LINK = '<</S /URI /URI (https://example.com)>>';

export const stream = (dict: string, data: string | Buffer): string =>
  `<<${dict} /Length ${data.length}>>\nstream\n${data.toString('latin1' as BufferEncoding)}\nendstream`;
export const inspect = (objects: Record<string, string>) =>
  inspectPdf(craft({ objects: { ...ONE_PAGE, ...objects } }));
export const withCatalog = (entries: string): string => `${CATALOG.slice(0, -2)} ${entries}>>`;
export const withPage = (entries: string): string =>
  `<</Type /Page /Parent 2 0 R /MediaBox [0 0 200 300] ${entries}>>`;
export const annotation = (entries: string): string => `<</Type /Annot /Rect [0 0 9 9] ${entries}>>`;
