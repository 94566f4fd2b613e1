/** Distributions. Only the headers sent to each origin can change while they run. */
import type { DistributionSettings } from '../../ports.ts';
import { openRollouts, type Rollout } from '../rollouts.ts';
import { ServiceError } from '../service.ts';

/** By origin id, then by header name. */
export type OriginHeaders = Record<string, Record<string, string>>;

export interface Distribution {
  settings: DistributionSettings;
  headers: Rollout<OriginHeaders>;
}

export function openDistributions(dataDir: string, now: () => number) {
  const rollouts = openRollouts<OriginHeaders>(dataDir, 'cloudfront.sqlite', now);
  const all = new Map<string, DistributionSettings>();

  const find = (id: string): Distribution => {
    const settings = all.get(id);
    const headers = rollouts.find(id);
    if (!settings || !headers)
      throw new ServiceError('NoSuchDistribution', 'The specified distribution does not exist.', 404);
    return { settings, headers };
  };

  return {
    find,

    create(settings: DistributionSettings): void {
      all.set(settings.id, settings);
      const headers = Object.fromEntries(settings.origins.map((origin) => [origin.id, origin.headers]));
      rollouts.create(settings.id, settings.template, headers);
    },

    update(id: string, ifMatch: string | undefined, headers: OriginHeaders): Distribution {
      const current = find(id);
      if (!ifMatch)
        throw new ServiceError(
          'InvalidIfMatchVersion',
          'The If-Match version is missing or not valid for the resource.',
        );
      if (ifMatch !== current.headers.version)
        throw new ServiceError(
          'PreconditionFailed',
          'The request failed because it did not meet the preconditions in one or more request-header fields.',
          412,
        );
      rollouts.change(id, headers);
      return find(id);
    },

    headersFor: (id: string, originId: string) => rollouts.next(id)?.[originId] ?? {},

    close: rollouts.close,
  };
}

export type Distributions = ReturnType<typeof openDistributions>;
