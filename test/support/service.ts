/** The service for tests, and its clients. */
import { loadOnce } from './load-once.ts';
import type * as local from './local-service.ts';

export { type Answer, ApiClient, answerOf, SigningClient, send } from './api-clients.ts';
export const { Service } = loadOnce<typeof local>(new URL('local-service.ts', import.meta.url));
export type Service = local.Service;
