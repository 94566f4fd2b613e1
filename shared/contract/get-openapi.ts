import * as z from 'zod';
import { endpoint } from './endpoint.ts';

export const getOpenApi = endpoint({
  name: 'get-openapi',
  area: 'api',
  method: 'GET',
  path: '/api/v1/openapi.json',
  access: 'open',
  summary: 'Get this document',
  headers: z.object({ 'if-none-match': z.string().optional() }),
  status: 200,
  answer: z.record(z.string(), z.unknown()),
  errors: [],
});
