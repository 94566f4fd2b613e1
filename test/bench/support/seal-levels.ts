import { LEVELS, type Level, WarmSeals } from '../../support/warm-seals.ts';
import { median } from './report.ts';

const ROUNDS = 60;
const WARM_UP = 10;
const MOST_ADDED_MS = 3;

interface Cost {
  ms: number;
  timestamps: number;
  /** Calls to responders, lists and issuers. */
  calls: number;
}

/** The cost of each level in a function whose proofs are warm, by interleaved rounds; the authority's own time is left out. */
async function costs(original: Uint8Array): Promise<Record<Level, Cost>> {
  const seals = await WarmSeals.open(new Date(), original);
  const all: Record<Level, Cost[]> = { 'B-T': [], 'B-LT': [], 'B-LTA': [] };
  try {
    for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
      for (const level of LEVELS) {
        const cost = await costOf(seals, original, level);
        if (round >= WARM_UP) all[level].push(cost);
      }
    }
  } finally {
    await seals.close();
  }
  const summary = (given: readonly Cost[]): Cost => ({
    ms: median(given.map(({ ms }) => ms)),
    timestamps: Math.max(...given.map(({ timestamps }) => timestamps)),
    calls: Math.max(...given.map(({ calls }) => calls)),
  });
  return { 'B-T': summary(all['B-T']), 'B-LT': summary(all['B-LT']), 'B-LTA': summary(all['B-LTA']) };
}

async function costOf(seals: WarmSeals, original: Uint8Array, level: Level): Promise<Cost> {
  const { requests, timestamps, authorityMs } = seals;
  const startedAt = performance.now();
  await seals.seal(original, level);
  return {
    ms: performance.now() - startedAt - (seals.authorityMs - authorityMs),
    timestamps: seals.timestamps - timestamps,
    calls: seals.requests - requests,
  };
}

/** A table of the levels, and their targets, each with whether it was met. */
export async function levelCosts(
  original: Uint8Array,
): Promise<{ table: string; targets: [string, boolean][] }> {
  const cost = await costs(original);
  const [t, lt, lta] = [cost['B-T'], cost['B-LT'], cost['B-LTA']];
  const added = lt.ms - t.ms;
  const rows = LEVELS.map((level) => {
    const { ms, timestamps, calls } = cost[level];
    return `| ${level} | ${ms.toFixed(1)} ms | ${(ms - t.ms).toFixed(1)} ms | ${timestamps} | ${calls} |`;
  });
  return {
    table: [
      '| level, with warm proofs | time | more than B-T | timestamps | other calls |',
      '|---|---|---|---|---|',
      ...rows,
    ].join('\n'),
    targets: [
      [
        `with warm proofs, B-LT adds at most ${MOST_ADDED_MS} ms (${added.toFixed(1)}) and no call (${lt.timestamps - t.timestamps + lt.calls})`,
        added <= MOST_ADDED_MS && lt.timestamps === t.timestamps && lt.calls === 0,
      ],
      [
        `with warm proofs, B-LTA adds one timestamp (${lta.timestamps - t.timestamps}) and no other call (${lta.calls})`,
        lta.timestamps - t.timestamps === 1 && lta.calls === 0,
      ],
    ],
  };
}
