/** The server on the base address: the stack's distribution, or its API if it has none. */
import { hash } from 'node:crypto';
import type { Localize } from './addresses.ts';
import type { OriginPlan, Plan } from './assembly/plan.ts';
import { targetOf } from './assembly/resources/containers.ts';
import { StackError } from './assembly/template.ts';
import type { Container } from './containers/container.ts';
import { edgeListener } from './edge/edge.ts';
import { bucketOrigin, containerOrigin, httpOrigin, type Origin } from './edge/origins.ts';
import { firewallOf } from './firewall/firewall.ts';
import { type Listener, type LoopbackServer, listen } from './listen.ts';
import type { Clock, Services } from './ports.ts';
import { resolveReferences } from './provision.ts';

export interface RunningApi {
  listener: Listener;
  server: LoopbackServer;
}

interface FrontParts {
  plan: Plan;
  /** By id. */
  apis: ReadonlyMap<string, RunningApi>;
  /** By name. */
  containers: ReadonlyMap<string, Container>;
  services: Services;
  clock: Clock;
  /** For addresses of buckets in the headers that the distribution sets. */
  localize: Localize;
  account: string;
}

export async function listenAtFront(parts: FrontParts, port: number): Promise<LoopbackServer> {
  const { plan, services, clock } = parts;
  const [distribution] = plan.distributions;
  if (!distribution) {
    const [api] = parts.apis.values();
    if (!api) throw new StackError('The app has neither a distribution nor a REST API.');
    return listen(api.listener, port);
  }
  // Hashed before references are resolved: like in CloudFormation, a new secret value is not a new template.
  const template = hash('sha256', JSON.stringify(distribution));
  const origins = new Map<string, Origin>();
  for (const origin of distribution.origins) {
    for (const [name, value] of Object.entries(origin.headers)) {
      origin.headers[name] = await resolveReferences(value, services);
    }
    origins.set(origin.id, originFor(origin, distribution.id, parts));
  }
  for (const { responseHeaders } of [distribution.defaultBehaviour, ...distribution.behaviours])
    for (const header of responseHeaders?.set ?? []) header.value = parts.localize(header.value);
  await services.createDistribution({ ...distribution, template });
  const headersFor = (originId: string) => services.originHeaders(distribution.id, originId);
  return listen(edgeListener(distribution, origins, headersFor, clock), port);
}

function originFor(
  origin: OriginPlan,
  distributionId: string,
  { plan, apis, containers, services, account }: FrontParts,
): Origin {
  const [, apiId = ''] = /^([^.]+)\.execute-api\./.exec(origin.domain) ?? [];
  const api = apis.get(apiId);
  if (api) return httpOrigin(origin, api.server.port);
  const [, bucketName = ''] = /^(.+)\.s3\.[^.]+\.amazonaws\.com$/.exec(origin.domain) ?? [];
  const bucket = plan.buckets.get(bucketName);
  if (bucket) return bucketOrigin(origin, bucket, services, { account, distributionId });
  const target = targetOf(origin.vpcOriginId ?? '', plan);
  if (target) {
    const firewall = firewallOf(target.balancerArn, plan, (arn) => services.patterns(arn));
    return containerOrigin(origin, firewall, () => containers.get(target.container.name));
  }
  throw new StackError(`The origin ${origin.domain} is not an API, bucket or container of the stack.`);
}
