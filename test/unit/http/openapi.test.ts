import { openApiDocument } from '../../../shared/contract/openapi/document.ts';
import { call, functionEnvironment, httpEvent } from '../../support/http-call.ts';

const get = async (headers: Record<string, string> = {}) => {
  functionEnvironment();
  const { handler } = await import('../../../functions/api/get-openapi.ts');
  return call(handler, httpEvent({ headers }));
};

it('the service answers the document of the client API without a key', async () => {
  const { statusCode, headers, body } = await get();
  expect([statusCode, headers['Content-Type'], headers['Cache-Control']]).toEqual([
    200,
    'application/json',
    'public, max-age=3600',
  ]);
  expect(JSON.parse(body)).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
});

it('a client that has the document is told so instead', async () => {
  const { ETag: tag = '' } = (await get()).headers;
  for (const sent of [tag, `W/${tag}`, `"other", ${tag}`]) {
    const answer = await get({ 'If-None-Match': sent });
    expect([answer.statusCode, answer.body, answer.headers.ETag]).toEqual([304, '', tag]);
  }
  expect((await get({ 'If-None-Match': '"other"' })).statusCode).toBe(200);
});
