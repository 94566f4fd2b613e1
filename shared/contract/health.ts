import * as z from 'zod';
import { endpoint } from './endpoint.ts';

export const health = endpoint({
  name: 'health',
  area: 'api',
  method: 'GET',
  path: '/api/health',
  access: 'open',
  summary: 'Whether the service answers, through to its database',
  status: 200,
  answer: z.strictObject({ status: z.literal('ok') }),
  errors: ['service_unavailable'],
});
