import { createHmac } from 'node:crypto';
import { SECOND } from '../runtime/time.ts';

const SECRET_PREFIX = 'whsec_';

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text);

/**
 * Signs a delivery in two ways: `X-Service-Signature` with the whole secret string as the key,
 * and the headers of Standard Webhooks, whose libraries use the decoded bytes.
 */
export function signatureHeaders(
  secret: string,
  eventId: string,
  body: string,
  now: Date,
): Record<string, string> {
  const time = String(Math.floor(now.getTime() / SECOND));
  const bytes = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return {
    'X-Service-Signature': `t=${time},v1=${hmac(secret, `${time}.${body}`).digest('hex')}`,
    'webhook-id': eventId,
    'webhook-timestamp': time,
    'webhook-signature': `v1,${hmac(bytes, `${eventId}.${time}.${body}`).digest('base64')}`,
  };
}

export const makeSecret = (random: Buffer) => `${SECRET_PREFIX}${random.toString('base64')}`;
