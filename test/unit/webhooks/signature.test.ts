import { createHash } from 'node:crypto';
import { jest } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { makeSecret, signatureHeaders } from '../../../shared/webhooks/signature.ts';

const NOW = new Date('2026-11-21T10:00:00.900Z');
const secret = makeSecret(Buffer.alloc(32, 7));
const body = '{"id":"evt_1","title":"Größe 合同"}';

/** HMAC by RFC 2104, independent of the library. */
function hmacSha256(key: Buffer, text: string): Buffer {
  const block = Buffer.alloc(64);
  (key.length > 64 ? createHash('sha256').update(key).digest() : key).copy(block);
  const pad = (byte: number) => Buffer.from(block.map((value) => value ^ byte));
  const inner = createHash('sha256').update(pad(0x36)).update(text).digest();
  return createHash('sha256').update(pad(0x5c)).update(inner).digest();
}

describe('signatureHeaders', () => {
  const headers = signatureHeaders(secret, 'evt_1', body, NOW);

  it('X-Service-Signature signs time, dot and body with the whole secret string', () => {
    const time = Math.floor(NOW.getTime() / 1000);
    const expected = hmacSha256(Buffer.from(secret), `${time}.${body}`).toString('hex');
    expect(headers['X-Service-Signature']).toBe(`t=${time},v1=${expected}`);
  });

  describe('for Standard Webhooks', () => {
    beforeEach(() => jest.useFakeTimers({ now: NOW }));
    afterEach(() => jest.useRealTimers());

    it('the Standard Webhooks library accepts the signature', () => {
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    });

    it('the Standard Webhooks library refuses the signature for another body, id or secret', () => {
      expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
      expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'evt_2' })).toThrow();
      expect(() => new Webhook(makeSecret(Buffer.alloc(32, 8))).verify(body, headers)).toThrow();
    });
  });

  it('a secret contains 32 bytes in standard base64', () => {
    const bytes = Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - index));
    expect(makeSecret(bytes)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(makeSecret(bytes).slice(6), 'base64')).toEqual(bytes);
  });
});
