import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { openApiDocument } from '../../../shared/contract/openapi/document.ts';
import { LOCALES } from '../../../shared/texts/languages.ts';
import { breakingChanges, type Document } from '../../support/breaking-changes.ts';

const RELEASED = new URL('../../../docs/openapi-released.json', import.meta.url);
const PATH = '/api/v1/signatures';
const copy = <T>(value: T): T => structuredClone(value);

const current = openApiDocument() as unknown as Document;

it('the contract breaks nothing that the last release promised (CONTRIBUTING.md, "Release")', () => {
  const released = JSON.parse(readFileSync(RELEASED, 'utf8')) as Document;
  expect(breakingChanges(released, current)).toEqual([]);
});

it.each(['signing', 'app'])(
  'a page of the last release that is still open during an upgrade can call the new service: its %s calls break nothing',
  (area) => {
    const fixture = new URL(`../../fixtures/released/openapi-${area}.json.gz`, import.meta.url);
    const released = JSON.parse(gunzipSync(readFileSync(fixture)).toString()) as Document;
    const now = JSON.parse(readFileSync(`docs/openapi-${area}.json`, 'utf8')) as Document;
    expect(breakingChanges(released, now)).toEqual([]);
  },
);

// biome-ignore lint/suspicious/noExplicitAny: the tests below change a document in any place.
type Loose = any;

/** The breaks of clients if the document of today is changed so. */
function afterwards(change: (document: Loose) => void): string[] {
  const changed = copy(current);
  change(changed);
  return breakingChanges(current, changed);
}

describe('changes that break clients', () => {
  it.each<[string, (document: Loose) => void, string]>([
    ['removes a path', ({ paths }) => delete paths[PATH], `POST ${PATH} is gone`],
    ['removes a method', ({ paths }) => delete paths[PATH].get, `GET ${PATH} is gone`],
    [
      'renames an operation',
      ({ paths }) => {
        paths[PATH].get.operationId = 'findSignatureRequests';
      },
      `GET ${PATH} is no longer listSignatureRequests`,
    ],
    [
      'asks for a key where none was needed',
      ({ paths }) => {
        paths['/api/health'].get.security = [{ apiKey: [] }];
      },
      'GET /api/health can no longer be called as before',
    ],
    [
      'takes a way to authenticate',
      ({ paths }) => {
        paths[PATH].get.security = [{ session: [] }];
      },
      `GET ${PATH} can no longer be called as before`,
    ],
    [
      'removes a field of an answer',
      ({ components }) => delete components.schemas.Retention.properties.pdf_purged,
      `GET ${PATH}/{id} 200.retention.pdf_purged is gone`,
    ],
    [
      'leaves a field of an answer out at times',
      ({ components }) => components.schemas.SignatureRequest.required.shift(),
      `GET ${PATH}/{id} 200.id may now be absent`,
    ],
    [
      'makes a field of an answer null',
      ({ components }) => {
        components.schemas.Upload.properties.url = { anyOf: [{ type: 'string' }, { type: 'null' }] };
      },
      'POST /api/v1/uploads 201.url may be null, which was not expected',
    ],
    [
      'gives a field of an answer another type',
      ({ components }) => {
        components.schemas.SignatureRequestSummary.properties.signer_count.type = 'string';
      },
      `GET ${PATH} 200.data[].signer_count may be string, which was not expected`,
    ],
    [
      'answers with another status',
      ({ paths }) => {
        paths['/api/v1/uploads'].post.responses = {};
      },
      'POST /api/v1/uploads no longer answers 201',
    ],
    [
      'answers another kind of file',
      ({ paths }) => {
        paths[`${PATH}/{id}/document`].get.responses[200].content = { 'text/html': { schema: {} } };
      },
      `GET ${PATH}/{id}/document 200 is no longer application/pdf`,
    ],
    [
      'requires a field that was optional',
      ({ components }) => components.schemas.SignerInput.required.push('name'),
      `POST ${PATH} body.signers[].name has become required`,
    ],
    [
      'requires a new field',
      ({ components }) => {
        const { properties, required } = components.schemas.CreateSignatureRequest;
        properties.purpose = { type: 'string' };
        required.push('purpose');
      },
      `POST ${PATH} body.purpose has become required`,
    ],
    [
      'no longer takes a field',
      ({ components }) => delete components.schemas.CreateSignatureRequest.properties.metadata,
      `POST ${PATH} body.metadata is gone`,
    ],
    [
      'narrows the values of a field',
      ({ components }) => components.schemas.Locale.enum.pop(),
      `POST ${PATH} body.locale no longer takes ${LOCALES.at(-1)}`,
    ],
    [
      'narrows the length of a field',
      ({ components }) => {
        components.schemas.CreateSignatureRequest.properties.title.maxLength = 100;
      },
      `POST ${PATH} body.title has a narrower maxLength`,
    ],
    [
      'requires a body',
      ({ paths }) => {
        paths[`${PATH}/{id}/cancel`].post.requestBody.required = true;
      },
      `POST ${PATH}/{id}/cancel body has become required`,
    ],
    [
      'removes a parameter',
      ({ paths }) => paths[PATH].get.parameters.shift(),
      `GET ${PATH} query status is gone`,
    ],
    [
      'requires a parameter',
      ({ paths }) => {
        paths[PATH].get.parameters[0].required = true;
      },
      `GET ${PATH} query status has become required`,
    ],
    ['removes an event', ({ webhooks }) => delete webhooks['signer.signed'], 'POST signer.signed is gone'],
    [
      'removes a field of an event',
      ({ components }) => delete components.schemas.SignerSignedData.properties.signer_name,
      'POST signer.signed.data.signer_name is gone',
    ],
  ])('a change that %s breaks clients', (_, change, told) => {
    expect(afterwards(change)).toContain(told);
  });
});

describe('changes that break no client', () => {
  it.each<[string, (document: Loose) => void]>([
    [
      'adds a call',
      ({ paths }) => {
        paths['/api/v1/new'] = { get: { responses: {} } };
      },
    ],
    [
      'adds a field to an answer',
      ({ components }) => {
        components.schemas.SignatureRequest.properties.colour = { type: 'string' };
        components.schemas.SignatureRequest.required.push('colour');
      },
    ],
    [
      'takes another optional field',
      ({ components }) => {
        components.schemas.CreateSignatureRequest.properties.colour = { type: 'string' };
      },
    ],
    ['adds a value', ({ components }) => components.schemas.Locale.enum.push('et')],
    [
      'takes longer texts',
      ({ components }) => delete components.schemas.CreateSignatureRequest.properties.title.maxLength,
    ],
    [
      'adds an event',
      ({ webhooks }) => {
        webhooks['signer.viewed'] = webhooks['signer.signed'];
      },
    ],
    ['adds a way to authenticate', ({ paths }) => paths[PATH].get.security.push({ session: [] })],
    [
      'gives an operation other words',
      ({ paths }) => {
        paths[PATH].get.description = 'Other words.';
      },
    ],
  ])('a change that %s breaks no client', (_, change) => {
    expect(afterwards(change)).toEqual([]);
  });
});
