import { makeAuditTrailPdf } from '../../shared/audit/audit-trail.ts';
import { makeSignaturePage } from '../../shared/stamping/signature-page.ts';
import { auditInput, auditSigner, entries } from '../support/audit-input.ts';
import { drawnSignature, pageInput, signer } from '../support/signature-input.ts';

/** `node test/bench/pages.bench.ts`: the time to render the two documents, first and warm, against their targets. */
const WARM_ROUNDS = 10;

const typed = (count: number) =>
  Array.from({ length: count }, (_, index) => signer(`Αλέξανδρος Петров ${index}`));
const drawn = (count: number) =>
  typed(count).map((each) => ({
    ...each,
    signature: { type: 'drawn', png: drawnSignature(1200, 400) } as const,
  }));
const trail = (signers: number, events: number) =>
  auditInput({
    signers: Array.from({ length: signers }, (_, index) => auditSigner(index)),
    entries: entries(events),
  });

const cases: readonly [string, number, () => Promise<Uint8Array>][] = [
  ['signature page, 3 signers', 150, () => makeSignaturePage(pageInput({ signers: typed(3) }))],
  ['signature page, 20 signers', 500, () => makeSignaturePage(pageInput({ signers: typed(20) }))],
  ['signature page, 20 drawn', 1500, () => makeSignaturePage(pageInput({ signers: drawn(20) }))],
  ['audit trail, 3 signers, 30 events', 150, () => makeAuditTrailPdf(trail(3, 30))],
  ['audit trail, 20 signers, 500 events', 1500, () => makeAuditTrailPdf(trail(20, 500))],
];

const rows: Record<string, string | number>[] = [];
for (const [name, target, render] of cases) {
  const [first, pdf] = await timed(render);
  const times: number[] = [];
  for (let round = 0; round < WARM_ROUNDS; round++) times.push((await timed(render))[0]);
  const median = times.sort((a, b) => a - b)[WARM_ROUNDS >> 1] ?? 0;
  rows.push({
    name,
    'first, ms': Math.round(first),
    'warm, ms': Math.round(median),
    'target, ms': target,
    KB: Math.round(pdf.length / 1024),
  });
  if (median > target) process.exitCode = 1;
}
console.table(rows);

async function timed(render: () => Promise<Uint8Array>): Promise<[number, Uint8Array]> {
  const from = performance.now();
  const pdf = await render();
  return [performance.now() - from, pdf];
}
