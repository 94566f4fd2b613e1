import * as app from './app.ts';
import type { Endpoint } from './endpoint.ts';
import { getOpenApi } from './get-openapi.ts';
import { health } from './health.ts';
import * as signatures from './signatures.ts';
import * as signing from './signing.ts';
import * as webhooks from './webhook-endpoints.ts';

type DeclaredIn<Module> = Module extends unknown ? Extract<Module[keyof Module], Endpoint> : never;

export type EndpointName =
  | typeof health.name
  | typeof getOpenApi.name
  | DeclaredIn<typeof signatures | typeof webhooks | typeof signing | typeof app>['name'];

const isEndpoint = (declared: object): declared is Endpoint => 'method' in declared;

/** Every endpoint of the service. Routes, functions and the OpenAPI documents are generated from this list. */
export const ENDPOINTS: readonly Endpoint[] = [
  health,
  getOpenApi,
  ...[signatures, webhooks, signing, app].flatMap((module) => Object.values(module).filter(isEndpoint)),
];

/** The function that serves an endpoint: its own, or one that it shares. */
export const functionOf = ({ name, function: shared }: Endpoint): string => shared ?? name;
