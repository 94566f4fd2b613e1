import { jest } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { createApiKey, getMe, listApiKeys, revokeApiKey } from '../../../shared/contract/app.ts';
import type { Endpoint } from '../../../shared/contract/endpoint.ts';
import { ERRORS } from '../../../shared/contract/errors.ts';
import type { HttpEvent } from '../../../shared/http/call.ts';
import { routed } from '../../../shared/http/router.ts';
import { captureLog } from '../../support/captured-log.ts';
import { CONTEXT, httpEvent } from '../../support/http-call.ts';

const KEYS = '/api/app/v1/api-keys';

/** Answers with the endpoint's name and what it was given. */
const route = (endpoint: Endpoint) => ({
  endpoint,
  handler: async ({ pathParameters }: HttpEvent, { awsRequestId }: Context) => ({
    statusCode: 200,
    headers: {},
    body: JSON.stringify([endpoint.name, pathParameters, awsRequestId]),
  }),
});
const routes = routed([createApiKey, listApiKeys, revokeApiKey, getMe].map(route));
const ask = (httpMethod: string, path: string) => routes({ ...httpEvent(), httpMethod, path }, CONTEXT);
const found = async (method: string, path: string) => JSON.parse(String((await ask(method, path)).body));

let lines: Record<string, unknown>[];
beforeEach(() => {
  lines = captureLog();
});
afterEach(() => jest.restoreAllMocks());

it('a call goes to the endpoint of its method and path, with the parameters of the path', async () => {
  expect(await found('GET', KEYS)).toEqual([listApiKeys.name, {}, 'aws-request']);
  expect(await found('POST', KEYS)).toEqual([createApiKey.name, {}, 'aws-request']);
  expect(await found('DELETE', `${KEYS}/key-1`)).toEqual([
    revokeApiKey.name,
    { key_id: 'key-1' },
    'aws-request',
  ]);
});

it.each([`${KEYS}/`, `${KEYS}/key-1/more`, '/api/app/v1/api-keyring', '/api/app/v1', `/x${KEYS}`])(
  'nothing is found at %s',
  async (path) => {
    expect(await ask('DELETE', path)).toEqual({
      statusCode: 404,
      headers: {
        'Content-Type': 'application/json',
        'X-Request-Id': 'request-1',
        'Cache-Control': 'no-store',
      },
      body: JSON.stringify({ error: 'not_found', message: ERRORS.not_found[1], request_id: 'request-1' }),
    });
    expect(lines).toMatchObject([{ level: 'info', error: 'not_found', request_id: 'request-1' }]);
  },
);

it('another method is refused with those that a path has', async () => {
  const { statusCode, headers, body } = await ask('PUT', KEYS);
  expect([statusCode, headers.Allow]).toEqual([405, 'GET, POST']);
  expect(JSON.parse(String(body))).toMatchObject({ error: 'method_not_allowed' });
});
