import { readFileSync } from 'node:fs';
import { EVENT_DATA, EVENT_TYPES, type EventType, envelope } from '../../../shared/contract/events.ts';
import { FAILURES } from '../../../shared/webhooks/connection.ts';
import { signatureHeaders } from '../../../shared/webhooks/signature.ts';
import { blocksFor, runnerOf } from '../../support/docs-blocks.ts';

const text = readFileSync('docs/webhooks.md', 'utf8');
const examples = blocksFor(runnerOf(import.meta.filename), 'docs/webhooks.md', 'json').map(({ code }) =>
  JSON.parse(code),
);
const isEventType = (type: string): type is EventType => EVENT_TYPES.some((known) => known === type);

describe('docs/webhooks.md', () => {
  it.each(EVENT_TYPES)('the webhook documentation lists the event %s', (type) => {
    expect(text).toContain(`| \`${type}\` |`);
  });

  it.each(Object.entries(FAILURES))('the webhook documentation explains the error %s', (word, meaning) => {
    expect(text).toContain(`| \`${word}\` | ${meaning}`);
  });

  it('the documented call has the headers of a real one', () => {
    const [call] = blocksFor(runnerOf(import.meta.filename), 'docs/webhooks.md', 'http');
    for (const name of Object.keys(signatureHeaders('whsec_', 'evt_1', '{}', new Date())))
      expect(call?.code).toContain(`\n${name}: `);
  });

  it.each(examples)('the documented example of $type matches its schema', (example) => {
    const { type, data } = envelope.parse(example);
    if (!isEventType(type)) throw new Error(`${type} is not an event.`);
    expect(EVENT_DATA[type].parse(data)).toEqual(data);
  });
});
