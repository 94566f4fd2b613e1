import { type Level, WarmSeals } from '../../support/warm-seals.ts';
import { craft, ONE_PAGE } from '../sealing/craft.ts';

const ORIGINAL = craft({ objects: ONE_PAGE });

let seals: WarmSeals;
beforeAll(async () => {
  seals = await WarmSeals.open(new Date('2026-11-21T10:00:00Z'), ORIGINAL);
});
afterAll(() => seals.close());

it.each<[Level, number]>([
  ['B-T', 1],
  ['B-LT', 1],
  ['B-LTA', 2],
])('a seal at %s with warm proofs asks for %d timestamps and nothing else', async (level, timestamps) => {
  const before = { requests: seals.requests, timestamps: seals.timestamps };
  // Cold, they were asked for.
  expect(before.requests).toBeGreaterThan(3);
  const { lasting } = await seals.seal(ORIGINAL, level);
  expect(lasting.level).toBe(level);
  expect(seals.requests).toBe(before.requests);
  expect(seals.timestamps - before.timestamps).toBe(timestamps);
});
