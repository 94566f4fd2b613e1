import { readFileSync } from 'node:fs';
import { EVENT_DATA, EVENT_TYPES, type EventType, envelope } from '../../../shared/contract/events.ts';
import { FAILURES } from '../../../shared/webhooks/connection.ts';
import { makeSecret, signatureHeaders } from '../../../shared/webhooks/signature.ts';

const text = readFileSync('docs/webhooks.md', 'utf8');
const examples = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => JSON.parse(json ?? ''));
const isEventType = (type: string): type is EventType => EVENT_TYPES.some((known) => known === type);

describe('docs/webhooks.md', () => {
  it.each(EVENT_TYPES)('the webhook documentation lists the event %s', (type) => {
    expect(text).toContain(`| \`${type}\` |`);
  });

  it.each(Object.entries(FAILURES))('the webhook documentation explains the error %s', (word, meaning) => {
    expect(text).toContain(`| \`${word}\` | ${meaning}`);
  });

  it('the documented code accepts a genuine call and refuses a forged one', async () => {
    const [, code = ''] = /```js\n([\s\S]*?)```/.exec(text) ?? [];
    const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    const secret = makeSecret(Buffer.alloc(32, 7));
    const header = signatureHeaders(secret, 'evt_1', '{"é":1}', new Date())['X-Service-Signature'];
    expect(isGenuine(Buffer.from('{"é":1}'), header, secret)).toBe(true);
    expect(isGenuine(Buffer.from('{"é":2}'), header, secret)).toBe(false);
    expect(isGenuine(Buffer.from('{"é":1}'), header, makeSecret(Buffer.alloc(32, 8)))).toBe(false);
    const old = signatureHeaders(secret, 'evt_1', '{}', new Date(0))['X-Service-Signature'];
    expect(isGenuine(Buffer.from('{}'), old, secret)).toBe(false);
  });

  it.each(examples)('the documented example of $type matches its schema', (example) => {
    const { type, data } = envelope.parse(example);
    if (!isEventType(type)) throw new Error(`${type} is not an event.`);
    expect(EVENT_DATA[type].parse(data)).toEqual(data);
  });
});
