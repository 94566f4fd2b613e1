/** Cookies as the viewer's browser keeps them. */
import type { Fields } from './messages.ts';

/** Chrome and its kin name AppleWebKit too. */
const isSafari = (userAgent: string) => userAgent.includes('AppleWebKit/') && !userAgent.includes('Chrome/');

/**
 * Safari drops a `Secure` cookie that comes over HTTP, even from localhost (https://bugs.webkit.org/281149): nobody could sign
 * or sign in. The viewers of a distribution on AWS use HTTPS.
 */
export function cookiesFor(userAgent: string | undefined, fields: Fields): Fields {
  if (!isSafari(userAgent ?? '')) return fields;
  return fields.map(([name, value]) => [
    name,
    name.toLowerCase() === 'set-cookie' ? value.replace(/; *Secure(?=;|$)/i, '') : value,
  ]);
}
