/** Replaces the stack's AWS addresses by their addresses on this machine. */
import type { Plan } from './assembly/plan.ts';

/** Rewrites `https://<distribution or API of the stack>` in a text. */
export type Localize = (text: string) => string;

export function localizer(
  plan: Plan,
  region: string,
  edgeUrl: string,
  apiUrls: ReadonlyMap<string, string>,
): Localize {
  const addresses: [string, string][] = [
    ...plan.distributions.flatMap(({ domain, aliases }) =>
      [domain, ...aliases].map((name): [string, string] => [`https://${name}`, edgeUrl]),
    ),
    ...[...apiUrls].map(([id, url]): [string, string] => [
      `https://${id}.execute-api.${region}.amazonaws.com`,
      url,
    ]),
  ];
  return (text) => addresses.reduce((result, [remote, local]) => result.replaceAll(remote, local), text);
}
