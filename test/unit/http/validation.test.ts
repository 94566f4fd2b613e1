import * as z from 'zod';
import { notFound } from '../../../shared/contract/api-error.ts';
import { updateBrand } from '../../../shared/contract/app.ts';
import { endpoint } from '../../../shared/contract/endpoint.ts';
import { refuse } from '../../../shared/contract/fields.ts';
import {
  cancelSignature,
  createSignature,
  getDocument,
  getEvidence,
  listSignatures,
} from '../../../shared/contract/signatures.ts';
import type { HttpEvent } from '../../../shared/http/call.ts';
import { ignoredHeader, textOf, validate } from '../../../shared/http/validation.ts';
import { httpEvent } from '../../support/http-call.ts';

const ID = '3f2a8c1e-7b4d-4e0f-9a61-2c5d8e7f0a13';
const JSON_TYPE = { 'Content-Type': 'application/json' };

const tryOut = endpoint({
  name: 'try-out',
  area: 'api',
  method: 'POST',
  path: '/api/v1/try-out',
  access: 'api_key',
  summary: 'Only for this test',
  body: z.object({
    list: z.array(z.object({ word: z.string({ error: refuse('invalid_name', 'must be a word') }) })),
  }),
  status: 200,
  answer: z.object({}),
});

const refusal = (run: () => unknown): unknown => {
  try {
    run();
    return 'accepted';
  } catch (error) {
    return error;
  }
};
const withBody = (text: string, headers: Record<string, string> = JSON_TYPE, of = tryOut) =>
  validate(of, httpEvent({ headers }), text);

describe('long lists', () => {
  const list = JSON.stringify(Array.from({ length: 1_001 }, () => 1));

  it('a list of more than 1,000 elements is refused before its elements are validated', () => {
    expect(refusal(() => withBody(`{"list":${list}}`))).toMatchObject({
      code: 'invalid_request',
      fields: { field: '/list' },
    });
  });

  it('a long list under a name that the contract does not know is ignored', () => {
    expect(withBody(`{"list":[],"tags":${list}}`).ignored).toEqual(['/tags']);
  });

  it('more than 1,000 signers are too many signers', () => {
    const body = `{"signers":${list}}`;
    expect(refusal(() => validate(createSignature, httpEvent({ headers: JSON_TYPE }), body))).toMatchObject({
      code: 'too_many_signers',
      fields: { field: '/signers' },
    });
  });
});

describe('path parameters', () => {
  const at = (id: string) => validate(cancelSignature, httpEvent({ pathParameters: { id } }), '');

  it('an id in the path is lower-cased', () => {
    expect(at(ID.toUpperCase()).params).toEqual({ id: ID });
  });

  it('an id that is not a UUID is not found', () => {
    const error = refusal(() => at('nonsense'));
    // As one that is unknown or another owner's: requireOwned throws the same.
    expect(error).toEqual(notFound('id'));
    expect(error).toMatchObject({ status: 404 });
    expect(error).toHaveProperty('fields', { field: '/id' });
    expect(refusal(() => validate(cancelSignature, httpEvent(), ''))).toMatchObject({ code: 'not_found' });
  });
});

describe('query parameters', () => {
  const asking = (query: Record<string, string[]>) =>
    validate(listSignatures, httpEvent({ query }), '').query;

  it('query parameters are converted to the contract’s types', () => {
    expect(asking({ limit: ['10'], status: ['sent'] })).toEqual({ limit: 10, status: 'sent' });
    expect(validate(listSignatures, httpEvent(), '').query).toEqual({});
  });

  it('a page has 1 to 100 entries, written in digits', () => {
    for (const limit of [1, 100]) expect(asking({ limit: [`${limit}`] })).toEqual({ limit });
    for (const limit of ['0', '101', '1e1', '5.0', '+5', ''])
      expect(refusal(() => asking({ limit: [limit] }))).toMatchObject({ code: 'invalid_limit' });
  });

  it('an invalid query parameter is named and has its own error code', () => {
    expect(refusal(() => asking({ limit: ['0'] }))).toMatchObject({
      code: 'invalid_limit',
      message: expect.stringMatching(/^limit /),
    });
    expect(refusal(() => asking({ created_from: ['yesterday'] }))).toMatchObject({ code: 'invalid_date' });
  });

  it('a date may be in lower case, as in RFC 3339', () => {
    const query = { created_from: '2026-11-21T10:00:00.5Z', created_to: '2026-11-21T10:00:00+02:00' };
    expect(
      asking({ created_from: ['2026-11-21t10:00:00.5z'], created_to: ['2026-11-21t10:00:00+02:00'] }),
    ).toEqual(query);
    expect(asking({ created_from: [query.created_from], created_to: [query.created_to] })).toEqual(query);
  });

  it('a form of a document that does not exist is refused by name', () => {
    for (const endpoint of [getDocument, getEvidence]) {
      const asked = (form: string) => () =>
        validate(endpoint, httpEvent({ pathParameters: { id: ID }, query: { form: [form] } }), '').query;
      expect(asked('archival')()).toEqual({ form: 'archival' });
      for (const form of ['', 'Archival', 'sealed'])
        expect(refusal(asked(form))).toMatchObject({
          code: 'invalid_request',
          message: 'form must be archival, or left out.',
          fields: { field: '/form' },
        });
    }
  });

  it('a repeated query parameter is refused', () => {
    expect(refusal(() => asking({ status: ['sent'], limit: ['1', '2'] }))).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('limit'),
      fields: { field: '/limit' },
    });
  });

  it('a query parameter that the contract does not know is ignored, also if it is repeated', () => {
    expect(asking({ limit: ['1'], tag: ['a', 'b'], once: ['c'] })).toEqual({ limit: 1 });
  });

  it('a date whose plus sign became a space is told how to encode it', () => {
    expect(refusal(() => asking({ created_to: ['2026-11-21T10:00:00 02:00'] }))).toMatchObject({
      code: 'invalid_date',
      message: expect.stringContaining('+ is sent as %2B'),
      fields: { field: '/created_to' },
    });
  });

  it('an address whose plus sign became a space is told how to encode it', () => {
    expect(refusal(() => asking({ signer_email: ['ann lease@example.com'] }))).toMatchObject({
      code: 'invalid_signer_email',
      message: expect.stringContaining('+ is sent as %2B'),
      fields: { field: '/signer_email' },
    });
    expect(asking({ signer_email: [' Ann+Lease@example.com '] })).toEqual({
      signer_email: 'ann+lease@example.com',
    });
  });

  it('a query is ignored if the endpoint has no parameters', () => {
    const event = httpEvent({ pathParameters: { id: ID }, query: { anything: ['1', '2'] } });
    expect(validate(cancelSignature, event, '').query).toBeUndefined();
  });
});

describe('headers', () => {
  const body = JSON.stringify({
    title: 'T',
    signer_email: 'ann@example.com',
    document: { content_base64: 'AAAA' },
  });
  const create = (headers: Record<string, string>) =>
    validate(createSignature, httpEvent({ headers: { ...JSON_TYPE, ...headers } }), body);

  it('header names are case-insensitive', () => {
    expect(create({ 'Idempotency-KEY': 'k' }).headers).toMatchObject({ 'idempotency-key': 'k' });
    expect(create({}).headers).toEqual({});
  });

  it('an invalid header is named', () => {
    expect(refusal(() => create({ 'Idempotency-Key': '' }))).toMatchObject({
      code: 'invalid_idempotency_key',
      message: expect.stringMatching(/^idempotency-key /),
    });
  });

  it('a fault in a header is named with those of the body, so that both can be mended at once', () => {
    const event = httpEvent({ headers: { ...JSON_TYPE, 'Idempotency-Key': '' } });
    const text = JSON.stringify({ ...JSON.parse(body), title: '' });
    expect(refusal(() => validate(createSignature, event, text))).toMatchObject({
      code: 'invalid_idempotency_key',
      fields: { errors: [{ field: '/idempotency-key' }, { error: 'invalid_title', field: '/title' }] },
    });
  });

  it.each([
    ['is not JSON', '{', /line 1, column 2/],
    ['is empty', '', /is empty/],
  ])('a fault in a header is named beside a body that %s', (_what, text, message) => {
    const event = httpEvent({ headers: { ...JSON_TYPE, 'Idempotency-Key': '' } });
    expect(refusal(() => validate(createSignature, event, text))).toMatchObject({
      code: 'invalid_idempotency_key',
      fields: {
        field: '/idempotency-key',
        errors: [
          { field: '/idempotency-key' },
          { error: 'invalid_json', message: expect.stringMatching(message) },
        ],
      },
    });
  });

  it('a body of another type is refused as such also beside a fault in a header', () => {
    const event = httpEvent({ headers: { 'Content-Type': 'text/plain', 'Idempotency-Key': '' } });
    expect(refusal(() => validate(createSignature, event, body))).toMatchObject({
      code: 'unsupported_media_type',
      status: 415,
    });
  });

  it('an event without headers is validated', () => {
    const event = { pathParameters: { id: ID } } as unknown as HttpEvent;
    expect(refusal(() => validate(createSignature, event, body))).toMatchObject({
      code: 'unsupported_media_type',
    });
  });
});

describe('bodies', () => {
  it('unknown members of a body are dropped', () => {
    expect(withBody('{"list":[{"word":"a","more":1}],"x":1}').body).toEqual({ list: [{ word: 'a' }] });
  });

  it('an invalid member of a body is named by its path', () => {
    expect(refusal(() => withBody('{"list":[{"word":"a"},{"word":1}]}'))).toMatchObject({
      code: 'invalid_name',
      status: 400,
      message: 'list[1].word must be a word.',
    });
  });

  it('members that the contract does not know are named', () => {
    const { ignored } = withBody('{"list":[{"word":"a","more":1},{"word":"b"}],"x":1,"toString":2}');
    expect(ignored).toEqual(['/list/0/more', '/x', '/toString']);
    expect(ignoredHeader(ignored)).toEqual({ 'Ignored-Fields': '/list/0/more, /x, /toString' });
    expect(ignoredHeader(withBody('{"list":[]}').ignored)).toEqual({});
  });

  it('a hostile name of a member makes a header that can be sent', () => {
    const name = `\ud800\r\nSet-Cookie: a=b,${'x'.repeat(500)}\u{1f600}`;
    const { ignored } = withBody(JSON.stringify({ list: [], [name]: 1 }));
    const { 'Ignored-Fields': value = '' } = ignoredHeader(ignored);
    expect(value).toMatch(/^[!-~]{1,400}$/);
    expect(value).not.toContain(',');
  });

  it('any number of long names makes a header that a gateway passes on', () => {
    const names = Array.from({ length: 1_000 }, (_, n) => [`${'漢'.repeat(200)}${n}`, 1]);
    const { ignored } = withBody(JSON.stringify({ list: [], ...Object.fromEntries(names) }));
    expect(ignored).toHaveLength(1_000);
    expect(ignoredHeader(ignored)['Ignored-Fields']?.length).toBeLessThan(8_192);
  });

  it('metadata of any depth is left alone', () => {
    const deep = `${'['.repeat(7_000)}${']'.repeat(7_000)}`;
    const text = `{"title":"T","signer_email":"ann@example.com","document":{"content_base64":"AAAA"},"metadata":{"deep":${deep}}}`;
    expect(validate(createSignature, httpEvent({ headers: JSON_TYPE }), text).ignored).toEqual([]);
  });

  it('metadata may have members of any name, and a name beside it that nobody knows is still ignored', () => {
    const metadata = '{"__proto__":{"a":1},"constructor":1,"toString":2,"":3}';
    const text = `{"title":"T","document":{"content_base64":"AAAA"},"signers":[{"email":"ann@example.com"}],"metadata":${metadata},"__proto__":{}}`;
    const { body, ignored } = validate(createSignature, httpEvent({ headers: JSON_TYPE }), text);
    expect(ignored).toEqual(['/__proto__']);
    expect(JSON.stringify(body)).toContain(`"metadata":${metadata}`);
  });

  it('every fault is named with its place, the first one as the error', () => {
    const error = refusal(() => withBody('{"list":[{"word":1},{"word":"a"},{}]}'));
    const first = { error: 'invalid_name', message: 'list[0].word must be a word.', field: '/list/0/word' };
    expect(error).toMatchObject({ code: first.error, message: first.message });
    expect(error).toHaveProperty('fields', {
      field: first.field,
      errors: [
        first,
        {
          error: 'invalid_name',
          message: 'list[2].word is required: it must be a word.',
          field: '/list/2/word',
        },
      ],
    });
  });

  it('two signers of one address are named beside other faults, and refused on their own', () => {
    const signers = [{ email: 'a@example.com' }, { email: 'b@example.com' }, { email: 'B@example.com ' }];
    const document = { content_base64: 'JVBERi0=' };
    const create = (body: object) =>
      refusal(() => validate(createSignature, httpEvent({ headers: JSON_TYPE }), JSON.stringify(body)));
    const duplicate = {
      error: 'duplicate_signer',
      message: 'signers[2].email is the same address as signers[1].email.',
      field: '/signers/2/email',
    };
    expect(create({ title: 'T', signers, document })).toMatchObject({
      code: 'duplicate_signer',
      fields: { field: duplicate.field, errors: [duplicate] },
    });
    expect(create({ title: '', signers: [null, 'x', { email: '@' }, ...signers], document })).toMatchObject({
      code: 'invalid_title',
      fields: {
        errors: [
          { error: 'invalid_title' },
          { error: 'invalid_signer_email', field: '/signers/0' },
          { error: 'invalid_signer_email', field: '/signers/1' },
          { error: 'invalid_signer_email', field: '/signers/2/email' },
          { error: 'duplicate_signer', field: '/signers/5/email' },
        ],
      },
    });
  });

  it('a member that is null, as some programs write one that is left out, is said to be null', () => {
    const body =
      '{"title":"T","message":null,"signer_email":"ann@example.com","locale":null,"document":{"content_base64":"AAAA"}}';
    const faults = refusal(() => validate(createSignature, httpEvent({ headers: JSON_TYPE }), body));
    expect(faults).toMatchObject({
      fields: {
        errors: [
          { message: 'message must be text of at most 5000 characters; it is null.', field: '/message' },
          { message: expect.stringMatching(/^locale must be one of .*; it is null\.$/), field: '/locale' },
        ],
      },
    });
  });

  it.each([0, 31, 0.5, 1e21, -1e21, '7', null])(
    'a number of days that is refused is one fault: %j',
    (expires_in_days) => {
      const text = JSON.stringify({
        title: 'T',
        signer_email: 'ann@example.com',
        document: { content_base64: 'AAAA' },
        expires_in_days,
      });
      const error = refusal(() => validate(createSignature, httpEvent({ headers: JSON_TYPE }), text));
      expect(error).toHaveProperty('fields.errors', [expect.objectContaining({ field: '/expires_in_days' })]);
    },
  );

  it('a logo that is no base64, and too long as well, is one fault', () => {
    const text = JSON.stringify({ logo_png_base64: `data:image/png;base64,${'A'.repeat(400_000)}` });
    const headers = { ...JSON_TYPE, 'X-Requested-With': 'app' };
    const error = refusal(() => validate(updateBrand, httpEvent({ headers }), text));
    expect(error).toHaveProperty('fields.errors', [expect.objectContaining({ field: '/logo_png_base64' })]);
  });

  it('a member’s name is escaped in the pointer', () => {
    const odd = {
      ...tryOut,
      body: z.object({ 'a/b~c': z.string({ error: refuse('invalid_name', 'must be a word') }) }),
    };
    expect(refusal(() => withBody('{"a/b~c":1}', JSON_TYPE, odd as unknown as typeof tryOut))).toMatchObject({
      fields: { field: '/a~1b~0c' },
    });
  });

  it('an answer names fifty faults at most', () => {
    const list = Array.from({ length: 60 }, () => ({}));
    const error = refusal(() => withBody(JSON.stringify({ list })));
    expect(error).toHaveProperty('fields.errors.length', 50);
  });

  it('a mistake in the JSON is named by line and column, without the body’s own words', () => {
    const error = refusal(() => withBody('{\n  "list": [],\n}'));
    expect(error).toMatchObject({
      code: 'invalid_json',
      message: 'The body is not valid JSON: see line 3, column 1.',
    });
    expect(refusal(() => withBody('secret'))).toMatchObject({
      message: expect.not.stringContaining('secret'),
    });
  });

  it.each([
    ['undefined', 1, 1],
    ['{\n"list": }', 2, 9],
    ['{\r\n"list": [tru,\r\n1]}', 2, 13],
    ['{"list": nul', 1, 13],
    ['{"list": "a', 1, 12],
    ['[\r1 2]', 2, 3],
    ['{"at position 7 (line 7 column 7)": x}', 1, 37],
  ])('the JSON %j is refused for its line %i, column %i', (text, line, column) => {
    expect(refusal(() => withBody(text))).toMatchObject({
      message: `The body is not valid JSON: see line ${line}, column ${column}.`,
    });
  });

  it('a wrong token is not searched for in a very long body', () => {
    expect(refusal(() => withBody(`["${'a'.repeat(1_000_000)}", x]`))).toMatchObject({
      code: 'invalid_json',
      message: 'The body is not valid JSON.',
    });
  });

  it('a byte order mark is named', () => {
    expect(refusal(() => withBody('\ufeff{"list":[]}'))).toMatchObject({
      code: 'invalid_json',
      message: expect.stringContaining('byte order mark'),
    });
  });

  it('a compressed body is named', () => {
    const named = { message: expect.stringContaining('compressed') };
    const zipped = '\u001f\ufffd\b';
    expect(refusal(() => withBody(zipped, { ...JSON_TYPE, 'content-encoding': 'gzip' }))).toMatchObject(
      named,
    );
    expect(refusal(() => withBody(zipped))).not.toMatchObject(named);
    expect(withBody('{"list":[]}', { ...JSON_TYPE, 'content-encoding': 'gzip' }).body).toEqual({ list: [] });
  });

  it('an error without a message in the contract has the schema’s message', () => {
    expect(refusal(() => withBody('{"list":1}'))).toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/^list: .+/),
    });
    expect(refusal(() => withBody('[]'))).toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/^body: .+/),
    });
    expect(refusal(() => withBody('[]'))).not.toHaveProperty('fields.field');
  });

  it('a schema message that only resembles an error code is kept', () => {
    const odd = endpoint({ ...tryOut, body: z.object({}, { error: 'either|or' }) });
    expect(refusal(() => withBody('1', JSON_TYPE, odd as unknown as typeof tryOut))).toMatchObject({
      code: 'invalid_request',
      message: 'body: either|or',
    });
  });

  it.each([
    ['none', {}],
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['something like JSON', { 'Content-Type': 'application/jsonp' }],
    ['JSON in second place', { 'Content-Type': 'text/plain, application/json' }],
  ])('a body of another media type is refused: %s', (_what, headers) => {
    expect(refusal(() => withBody('{"list":[]}', headers))).toMatchObject({
      code: 'unsupported_media_type',
      status: 415,
    });
  });

  it.each([
    '; charset=iso-8859-1',
    ';charset=ISO-8859-1',
    '; charset ="windows-1252"',
    ' ; charset= utf-16',
    ';  Charset=utf-8859',
  ])('a body whose type ends in %j is refused: its letters would be replaced', (charset) => {
    const type = { 'Content-Type': `application/json${charset}` };
    expect(refusal(() => withBody('{"list":[]}', type))).toMatchObject({
      code: 'unsupported_media_type',
      message: expect.stringContaining('UTF-8'),
    });
  });

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset= utf8',
    'application/json; charset=us-ascii; q=1',
    'application/json ;q=1',
  ])('a body of type %s is accepted', (type) => {
    expect(withBody('{"list":[]}', { 'content-type': type }).body).toEqual({ list: [] });
  });

  it.each(['', ' ', '{', '{"list":[]', 'undefined'])('a body that is not JSON is refused: %j', (text) => {
    expect(refusal(() => withBody(text))).toMatchObject({ code: 'invalid_json', status: 400 });
  });

  it('the message for an empty body says that it is empty', () => {
    expect(refusal(() => withBody(''))).toMatchObject({ message: expect.stringContaining('empty') });
    expect(refusal(() => withBody('{'))).toMatchObject({ message: expect.not.stringContaining('empty') });
  });

  it('an optional body can be left out, with or without a Content-Type', () => {
    const event = httpEvent({ pathParameters: { id: ID } });
    expect(validate(cancelSignature, event, '').body).toEqual({});
    expect(validate(cancelSignature, event, ' \n').body).toEqual({});
    expect(refusal(() => validate(cancelSignature, event, '{}'))).toMatchObject({
      code: 'unsupported_media_type',
    });
  });

  it('a body is ignored if the endpoint takes none', () => {
    expect(validate(listSignatures, httpEvent(), '{not json').body).toBeUndefined();
  });

  it('a body is text or base64', () => {
    const text = '{"title":"Jätä"}';
    const base64 = Buffer.from(text).toString('base64');
    expect(textOf(httpEvent({ body: text }))).toBe(text);
    expect(textOf(httpEvent({ body: base64, isBase64Encoded: true }))).toBe(text);
    expect(textOf(httpEvent({ body: null }))).toBe('');
    expect(textOf(httpEvent({ body: null, isBase64Encoded: true }))).toBe('');
  });
});

describe('a body with several faults', () => {
  const refusalOf = (body: Record<string, unknown>) =>
    refusal(() => validate(createSignature, httpEvent({ headers: JSON_TYPE }), JSON.stringify(body)));
  const withErrors = (errors: unknown) => ({ fields: { errors } });

  it('an empty body is told all that it lacks', () => {
    expect(refusalOf({})).toMatchObject(
      withErrors([
        { error: 'invalid_title', field: '/title' },
        { error: 'document_required', field: '/document' },
        {
          error: 'signers_required',
          message: 'signers is required: it must be a list of 1 to 20 signers.',
          field: '/signers',
        },
      ]),
    );
  });

  it.each([
    ['no document', { document: {} }, 'document_required', '/document'],
    [
      'two documents',
      { document: { content_base64: 'AAAA', upload_id: 'u' } },
      'ambiguous_document',
      '/document',
    ],
    ['no signers', { signers: undefined }, 'signers_required', '/signers'],
    ['both forms of signers', { signer_email: 'x' }, 'ambiguous_signers', '/signers'],
    ['both forms of signers, by name', { signer_name: 'A' }, 'ambiguous_signers', '/signers'],
    [
      'a name without an address',
      { signers: undefined, signer_name: 'A' },
      'invalid_signer_email',
      '/signer_email',
    ],
  ])('a rule about several members is checked beside faults of one: %s', (_what, extra, error, field) => {
    const sent = { signers: [{ email: 'ann@example.com' }], document: { content_base64: 'AAAA' }, ...extra };
    expect(refusalOf({ title: '', ...sent })).toMatchObject(
      withErrors(
        expect.arrayContaining([
          expect.objectContaining({ error: 'invalid_title' }),
          { error, message: expect.stringContaining(field.slice(1)), field },
        ]),
      ),
    );
  });

  it('a part of a wrong type is named once', () => {
    const errors = [{ error: 'signers_required' }, { error: 'document_required' }];
    expect(refusalOf({ title: 'T', signers: null, document: null })).toMatchObject(withErrors(errors));
    expect(refusalOf({ title: 'T', signers: [], document: [] })).toMatchObject(withErrors(errors));
  });

  it.each([
    [
      'a text longer than the longest list',
      'signers',
      'anna@example.com, ben@example.com',
      'signers_required',
    ],
    ['an empty text in place of a list', 'signers', '', 'signers_required'],
    ['a list longer than the longest text', 'title', Array(201).fill('T'), 'invalid_title'],
    ['an empty list in place of a text', 'title', [], 'invalid_title'],
  ])('what is of a wrong type is not measured too: %s', (_what, member, value, error) => {
    const sent = {
      title: 'T',
      signers: [{ email: 'ann@example.com' }],
      document: { content_base64: 'AAAA' },
      [member]: value,
    };
    const errors = [{ error, message: expect.stringContaining(`${member} must be`), field: `/${member}` }];
    expect(refusalOf(sent)).toHaveProperty('fields.errors', errors);
  });

  it('metadata that is too large, and a document that is no base64, are named beside other faults', () => {
    const document = { content_base64: 'abc$' };
    const sent = { title: '', signer_email: 'a@example.com', document };
    expect(refusalOf({ ...sent, metadata: { a: 'x'.repeat(16_384) } })).toMatchObject(
      withErrors([
        { error: 'invalid_title', field: '/title' },
        { error: 'invalid_base64', field: '/document/content_base64' },
        {
          error: 'metadata_too_large',
          message: 'metadata must be at most 16,384 bytes as JSON.',
          field: '/metadata',
        },
      ]),
    );
  });

  it.each([
    ['one byte too many', `{"a":"${'x'.repeat(16_377)}"}`],
    ['one byte too many in letters of two bytes', `{"a": "${'ä'.repeat(8_188)}"}`],
    ['spaces', `{"a":1${' '.repeat(16_384)}}`],
    ['digits that parsing drops', `{"a":1.${'0'.repeat(16_384)}}`],
  ])('metadata is limited to 16 KB as it is sent: %s', (_what, metadata) => {
    const request = (metadataJson: string) =>
      `{"title":"T","signer_email":"a@example.com","document":{"content_base64":"AAAA"},"metadata":${metadataJson}}`;
    const create = (text: string) =>
      refusal(() => validate(createSignature, httpEvent({ headers: JSON_TYPE }), text));
    expect(create(request(metadata))).toMatchObject({
      code: 'metadata_too_large',
      fields: { field: '/metadata' },
    });
    expect(create(request(`{"a":"${'x'.repeat(16_376)}"}`))).toBe('accepted');
  });

  it('a body that is no object has no other fault', () => {
    const text = `[{"metadata":{"a":"${'x'.repeat(16_384)}"}}]`;
    const error = refusal(() => validate(createSignature, httpEvent({ headers: JSON_TYPE }), text));
    expect(error).toHaveProperty('fields.errors', [
      { error: 'invalid_request', message: 'body must be a JSON object.' },
    ]);
  });
});
