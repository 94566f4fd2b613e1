import { ENDPOINTS } from '../../../shared/contract/endpoints.ts';
import { isErrorCode } from '../../../shared/contract/errors.ts';
import { fieldsOfContract, TEXT_FIELDS } from '../../support/text-fields.ts';

const document = { filename: 'a.pdf', content_base64: 'AAAA' };
const signing = {
  document_sha256: '0'.repeat(64),
  consent_version: '1',
  consent_locale: 'en',
  name: 'Anna',
  representing: { name: 'Acme', role: 'CEO', entity_id: '1' },
};
const typed = { ...signing, signature: { type: 'typed', text: 'Anna' } };
const webhook = { url: 'https://example.com/', description: 'd' };

/** Bodies that are accepted as they are, of an endpoint or for one of its fields. */
const BODIES: Record<string, object> = {
  'create-signature': {
    title: 'T',
    message: 'm',
    signers: [{ email: 'a@example.com', name: 'A' }],
    reference: 'r',
    return_url: 'https://example.com/',
    document,
  },
  'create-signature signer_name': { title: 'T', signer_email: 'a@example.com', signer_name: 'A', document },
  'cancel-signature': { reason: 'r' },
  'correct-signer': { name: 'A' },
  'create-webhook-endpoint': webhook,
  'update-webhook-endpoint': webhook,
  sign: typed,
  decline: { reason: 'r' },
  'create-api-key': { name: 'Shop' },
};

/** The contract's answer to a body with this text in one of its fields: the error's code, or `accepted`. */
function answerTo(field: string, text: string): string {
  const [name = '', path = ''] = field.split(' ');
  const endpoint = ENDPOINTS.find((each) => each.name === name);
  const body = structuredClone(BODIES[field] ?? BODIES[name]) as Record<string, unknown>;
  const places = path.replace('[]', '.0').split('.');
  let holder = body;
  for (const place of places.slice(0, -1)) holder = holder[place] as Record<string, unknown>;
  const last = places.at(-1) ?? '';
  if (!(last in holder)) throw new Error(`The body of ${field} lacks the field.`);
  holder[last] = last === 'return_url' ? `https://example.com/${text}` : text;
  const result = endpoint?.body?.safeParse(body);
  if (result?.success) return 'accepted';
  const [code = ''] = result?.error?.issues[0]?.message.split('|') ?? [];
  return isErrorCode(code) && endpoint?.errors?.includes(code) ? code : 'undeclared';
}

const fields = Object.entries(TEXT_FIELDS).filter(([, kind]) => kind !== 'opaque');

describe('the text fields of the contract', () => {
  it('every text field of the contract is known to the tests with hostile texts', () => {
    expect(Object.keys(TEXT_FIELDS).toSorted()).toEqual(fieldsOfContract().toSorted());
  });

  it.each(fields)('half a surrogate pair is refused in %s, and a whole one is not', (field) => {
    for (const half of ['a\ud83d', '\udc69b', 'a\udc69\ud83db'])
      expect(answerTo(field, half)).toMatch(/^invalid_/);
    expect(answerTo(field, 'whole👩')).toBe('accepted');
  });

  it.each(fields.filter(([, kind]) => kind === 'line'))(
    '%s is refused if nothing of it can be seen',
    (field) => {
      for (const empty of [
        '\u200b',
        '\u3164',
        '\u202e\u2066',
        '\u2800',
        '\ufeff\u00ad',
        '\u{e0041}',
        '\u0085',
      ])
        expect([empty, answerTo(field, empty)]).toEqual([empty, expect.stringMatching(/^invalid_/)]);
    },
  );
});
