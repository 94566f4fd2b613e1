import { getOpenApi } from '../get-openapi.ts';
import { health } from '../health.ts';
import { documentedAs, named } from './described.ts';
import { IF_CHANGED } from './headers.ts';
import { SERVICE } from './tags.ts';

const documented = documentedAs(SERVICE);

export const SERVICE_ENDPOINTS = {
  health: documented(health, {
    operationId: 'getHealth',
    description: 'Tests the way through to the database. Needs no key.',
    returns: 'The service works.',
    answer: named('Health', health.answer, 'The state of the service.', {
      status: ['Always `ok`: otherwise the answer is an error.', 'ok'],
    }),
  }),
  'get-openapi': documented(getOpenApi, {
    operationId: 'getOpenApiDocument',
    description: 'This description of the API, for tools that make clients. Needs no key and may be cached.',
    returns: 'The document.',
    ...IF_CHANGED,
  }),
} as const;
