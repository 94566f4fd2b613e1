/**
 * Distributions. Only the headers sent to each origin can change while they run. CloudFront deploys a change to one edge
 * location after another; until it is deployed everywhere, some requests still carry the old headers.
 */
import { randomBytes } from 'node:crypto';
import type { DistributionSettings } from '../../ports.ts';
import { ServiceError } from '../service.ts';
import { openDatabase } from '../sqlite.ts';

/** By origin id, then by header name. */
export type OriginHeaders = Record<string, Record<string, string>>;

export interface Distribution {
  settings: DistributionSettings;
  etag: string;
  status: 'InProgress' | 'Deployed';
  headers: OriginHeaders;
  changedMs: number;
}

const DEPLOYMENT_MS = 2_000;

const newEtag = () => `E${randomBytes(7).toString('hex').slice(0, 13).toUpperCase()}`;

export function openDistributions(dataDir: string, now: () => number) {
  const database = openDatabase(dataDir, 'cloudfront.sqlite', [
    `CREATE TABLE IF NOT EXISTS distributions (
      id TEXT PRIMARY KEY, template TEXT NOT NULL, etag TEXT NOT NULL, headers TEXT NOT NULL, before TEXT NOT NULL,
      changed_at INTEGER NOT NULL)`,
  ]);
  const write = database.prepare('INSERT OR REPLACE INTO distributions VALUES (?, ?, ?, ?, ?, ?)');
  const byId = database.prepare('SELECT * FROM distributions WHERE id = ?');
  const settings = new Map<string, DistributionSettings>();
  let requests = 0;

  const read = (id: string) => {
    const row = byId.get(id);
    const own = settings.get(id);
    if (!row || !own)
      throw new ServiceError('NoSuchDistribution', 'The specified distribution does not exist.', 404);
    const changedMs = Number(row.changed_at);
    const status = now() < changedMs + DEPLOYMENT_MS ? ('InProgress' as const) : ('Deployed' as const);
    const [headers, before] = [row.headers, row.before].map((text) => JSON.parse(String(text)));
    return { settings: own, etag: String(row.etag), status, headers, before, changedMs };
  };

  return {
    /** Like CloudFormation, leaves a distribution alone unless its template changed. */
    create(given: DistributionSettings): void {
      settings.set(given.id, given);
      if (byId.get(given.id)?.template === given.template) return;
      const headers = JSON.stringify(Object.fromEntries(given.origins.map((one) => [one.id, one.headers])));
      write.run(given.id, given.template, newEtag(), headers, headers, now() - DEPLOYMENT_MS);
    },

    find: (id: string): Distribution => read(id),

    update(id: string, ifMatch: string | undefined, headers: OriginHeaders): Distribution {
      const current = read(id);
      if (!ifMatch)
        throw new ServiceError(
          'InvalidIfMatchVersion',
          'The If-Match version is missing or not valid for the resource.',
        );
      if (ifMatch !== current.etag)
        throw new ServiceError(
          'PreconditionFailed',
          'The request failed because it did not meet the preconditions in one or more request-header fields.',
          412,
        );
      const texts = [headers, current.headers].map((one) => JSON.stringify(one)) as [string, string];
      write.run(id, current.settings.template, newEtag(), ...texts, now());
      return read(id);
    },

    /** While a change is being deployed, every other request gets the old headers. */
    headersFor(id: string, originId: string): Record<string, string> {
      const { status, headers, before } = read(id);
      requests += 1;
      return (status === 'InProgress' && requests % 2 === 0 ? before : headers)[originId] ?? {};
    },

    close: () => database.close(),
  };
}

export type Distributions = ReturnType<typeof openDistributions>;
