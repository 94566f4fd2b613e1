import * as z from 'zod';
import { string } from '../runtime/schemas.ts';
import { endpoint } from './endpoint.ts';
import { ifChanged } from './fields.ts';

export const getOpenApi = endpoint({
  name: 'get-openapi',
  area: 'api',
  method: 'GET',
  path: '/api/v1/openapi.json',
  access: 'open',
  summary: 'Get this document',
  headers: ifChanged,
  status: 200,
  answer: z.record(string, z.unknown()),
});
