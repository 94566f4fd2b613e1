/** The service for tests. */
import { loadOnce } from './load-once.ts';
import type * as local from './local-service.ts';

const loaded = loadOnce<typeof local>(new URL('local-service.ts', import.meta.url));

export const { answerOf, ApiClient, Service, send, SigningClient } = loaded;
export type Answer<Body = Record<string, unknown>> = local.Answer<Body>;
export type ApiClient = local.ApiClient;
export type Service = local.Service;
export type SigningClient = local.SigningClient;
