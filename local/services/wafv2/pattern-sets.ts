/**
 * Sets of regular expressions that firewall rules refer to. A change reaches one firewall host after another; for a
 * moment some requests still meet the old set.
 */
import { randomUUID } from 'node:crypto';
import type { PatternSetSettings } from '../../ports.ts';
import { ServiceError } from '../service.ts';
import { openDatabase } from '../sqlite.ts';

interface PatternSet {
  settings: PatternSetSettings;
  patterns: string[];
  lockToken: string;
}

const PROPAGATION_MS = 2_000;

export function openPatternSets(dataDir: string, now: () => number) {
  const database = openDatabase(dataDir, 'wafv2.sqlite', [
    `CREATE TABLE IF NOT EXISTS pattern_sets (
      arn TEXT PRIMARY KEY, template TEXT NOT NULL, lock_token TEXT NOT NULL, patterns TEXT NOT NULL,
      before TEXT NOT NULL, changed_at INTEGER NOT NULL)`,
  ]);
  const write = database.prepare('INSERT OR REPLACE INTO pattern_sets VALUES (?, ?, ?, ?, ?, ?)');
  const byArn = database.prepare('SELECT * FROM pattern_sets WHERE arn = ?');
  const settings = new Map<string, PatternSetSettings>();
  let requests = 0;

  const read = (arn: string) => {
    const row = byArn.get(arn);
    const own = settings.get(arn);
    if (!row || !own)
      throw new ServiceError(
        'WAFNonexistentItemException',
        'AWS WAF couldn’t perform the operation because your resource doesn’t exist.',
      );
    const [patterns, before]: string[][] = [row.patterns, row.before].map((text) => JSON.parse(String(text)));
    return {
      settings: own,
      patterns: patterns ?? [],
      before: before ?? [],
      lockToken: String(row.lock_token),
      changedMs: Number(row.changed_at),
    };
  };

  return {
    /** Like CloudFormation, leaves a set alone unless its template changed. */
    create(given: PatternSetSettings): void {
      settings.set(given.arn, given);
      if (byArn.get(given.arn)?.template === given.template) return;
      const patterns = JSON.stringify(given.patterns);
      write.run(given.arn, given.template, randomUUID(), patterns, patterns, now() - PROPAGATION_MS);
    },

    find: (arn: string): PatternSet => read(arn),

    update(arn: string, lockToken: string, patterns: string[]): PatternSet {
      const current = read(arn);
      if (lockToken !== current.lockToken)
        throw new ServiceError(
          'WAFOptimisticLockException',
          'AWS WAF couldn’t save your changes because someone changed the resource after you started to edit it.',
        );
      const texts = [patterns, current.patterns].map((one) => JSON.stringify(one)) as [string, string];
      write.run(arn, current.settings.template, randomUUID(), ...texts, now());
      return read(arn);
    },

    /** While a change spreads, every other request meets the old patterns. */
    patternsFor(arn: string): string[] {
      const { patterns, before, changedMs } = read(arn);
      requests += 1;
      return now() < changedMs + PROPAGATION_MS && requests % 2 === 0 ? before : patterns;
    },

    close: () => database.close(),
  };
}

export type PatternSets = ReturnType<typeof openPatternSets>;
