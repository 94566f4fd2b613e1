/**
 * Rewrites cookies for Safari, which drops `Secure` cookies that come over HTTP, even from localhost
 * (https://bugs.webkit.org/281149). On AWS the distribution is on HTTPS.
 */
import { type Fields, field } from './messages.ts';

/** `__Host-` and `__Secure-` begin the names of cookies that must be `Secure`. */
const DISGUISE = 'http';

/** Chromium browsers name AppleWebKit too. */
const isSafari = (request: Fields) => {
  const userAgent = field(request, 'user-agent') ?? '';
  return userAgent.includes('AppleWebKit/') && !userAgent.includes('Chrome/');
};

const change = (fields: Fields, header: string, changed: (value: string) => string): Fields =>
  fields.map(([name, value]) => [name, name.toLowerCase() === header ? changed(value) : value]);

/** The fields of an answer to `request`. */
export const withViewerCookies = (answer: Fields, request: Fields): Fields =>
  isSafari(request)
    ? change(answer, 'set-cookie', (value) =>
        value.replace(/^(?=__(?:Host|Secure)-)/, DISGUISE).replace(/; *Secure(?=;|$)/i, ''),
      )
    : answer;

/** The fields of a request, with the names of cookies as they were set. */
export const fromViewerCookies = (request: Fields): Fields =>
  isSafari(request)
    ? change(request, 'cookie', (value) =>
        value.replaceAll(new RegExp(`(?<=^|; *)${DISGUISE}(?=__(?:Host|Secure)-)`, 'g'), ''),
      )
    : request;
