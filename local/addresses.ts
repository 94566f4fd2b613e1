/** Replaces the stack's AWS addresses by their addresses on this machine. */
import type { Plan } from './assembly/plan.ts';

/** Rewrites `https://<distribution, API or bucket of the stack>` in a text. */
export type Localize = (text: string) => string;

type Address = [remote: string, local: string];

const rewriting =
  (addresses: readonly Address[]): Localize =>
  (text) =>
    addresses.reduce((result, [remote, local]) => result.replaceAll(remote, local), text);

/** Separate, because buckets have an address before anything else listens: a path of the services' address. */
export const bucketLocalizer = (plan: Plan, region: string, servicesUrl: string): Localize =>
  rewriting(
    [...plan.buckets.keys()].map((name) => [
      `https://${name}.s3.${region}.amazonaws.com`,
      `${servicesUrl}/${name}`,
    ]),
  );

export function localizer(
  plan: Plan,
  region: string,
  edgeUrl: string,
  apiUrls: ReadonlyMap<string, string>,
): Localize {
  return rewriting([
    ...plan.distributions.flatMap(({ domain, aliases }) =>
      [domain, ...aliases].map((name): Address => [`https://${name}`, edgeUrl]),
    ),
    ...[...apiUrls].map(([id, url]): Address => [`https://${id}.execute-api.${region}.amazonaws.com`, url]),
  ]);
}
