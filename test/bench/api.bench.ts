import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { markdownTable } from '../../docs/cost/markdown-table.ts';
import type { Life } from '../../docs/cost/measured.ts';
import { makePdfOfSize } from '../support/pdf.ts';
import prepare from '../support/prepare.ts';
import removeRunFolder from '../support/remove-run-folder.ts';
import { SigningStage } from '../support/signing-stage.ts';
import { operationsText } from './support/calls.ts';
import { type EndpointCosts, measureEndpoints } from './support/endpoints.ts';
import { type GrowthRow, measureGrowth, ROUNDS } from './support/growth.ts';
import { type JobCost, queueJobs, scheduledJobs } from './support/jobs.ts';
import { measureLife } from './support/life.ts';
import { circumstances, targetLines, writeSection } from './support/report.ts';

/**
 * Measures the AWS calls and capacity units of each endpoint and job from the local cloud's call log, and whether
 * lists, get and create slow down with more data. Writes docs/performance.md, and the cost of one request to
 * docs/cost/measured.json, the input of `npm run cost`. `--few` and `--many` set the number of stored requests.
 * Storing 200,000 takes some minutes; with `TMPDIR` in memory (`/dev/shm`) it is faster and the disk does not
 * affect the times.
 */

const MEGABYTE = 1_048_576;

interface Measured {
  endpoints: EndpointCosts;
  life: Life;
  jobs: JobCost[];
}

async function measureCalls(): Promise<Measured> {
  const stage = await SigningStage.open(await makePdfOfSize(MEGABYTE));
  try {
    const life = await measureLife(stage);
    const endpoints = await measureEndpoints(stage);
    return { endpoints, life, jobs: [...queueJobs(life), ...(await scheduledJobs(stage))] };
  } finally {
    await stage.close();
  }
}

const costTable = (what: string, rows: (JobCost & { steps?: number })[]): string =>
  markdownTable(
    [what, 'function', 'round trips', 'one after another', 'read units', 'write units', 'calls'],
    rows.map(({ label, function: name, steps, cost }) => [
      label,
      `\`${name}\``,
      cost.roundTrips,
      steps ?? '',
      cost.readUnits,
      cost.writeUnits,
      operationsText(cost),
    ]),
  );

function callTargets({ client, seal }: EndpointCosts): [string, boolean][] {
  const of = (label: string) => client.find((row) => row.label === label)?.cost;
  const atMost = (label: string, limit: number): [string, boolean] => {
    const { roundTrips = Number.NaN } = of(label) ?? {};
    return [
      `${label}: at most ${limit} round trips, the key's check included (${roundTrips})`,
      roundTrips <= limit,
    ];
  };
  const stepsAtMost = (label: string, limit: number): [string, boolean] => {
    const { steps = Number.NaN } = [...client, seal].find((row) => row.label === label) ?? {};
    return [`${label}: at most ${limit} round trips one after another (${steps})`, steps <= limit];
  };
  return [
    atMost('get, 3 signers', 2),
    atMost('list, a page of 20', 3),
    atMost('cancel, 3 signers', 5),
    atMost('create, 3 signers', 9),
    stepsAtMost('cancel, 3 signers', 4),
    stepsAtMost('create, 3 signers', 8),
    stepsAtMost('seal a document', 8),
  ];
}

const ms = (value: number) => value.toFixed(1);

function growthText(
  rows: GrowthRow[],
  few: number,
  many: number,
): [text: string, targets: [string, boolean][]] {
  const number = (value: number) => value.toLocaleString('en');
  const table = markdownTable(
    [
      'call',
      `round trips at ${number(few)}`,
      `at ${number(many)}`,
      `median at ${number(few)}`,
      `at ${number(many)}`,
      'ratio',
    ],
    rows.map(({ label, roundTrips: [a, b], medians: [x, y] }) => [
      label,
      a,
      b,
      `${ms(x)} ms`,
      `${ms(y)} ms`,
      (y / x).toFixed(2),
    ]),
  );
  const ratios = rows.map(({ medians: [x, y] }) => y / x);
  const worst = Math.max(...ratios);
  return [
    table,
    [
      ['the same number of round trips', rows.every(({ roundTrips: [a, b] }) => a === b)],
      [`the same time within noise: no ratio above 1.25 (${worst.toFixed(2)})`, worst <= 1.25],
    ],
  ];
}

const { values } = parseArgs({
  options: { few: { type: 'string', default: '1000' }, many: { type: 'string', default: '200000' } },
});
const [few, many] = [Number(values.few), Number(values.many)];

await prepare();
try {
  const measured = await measureCalls();
  const { endpoints, life, jobs } = measured;
  const idle = Object.fromEntries(
    jobs.filter(({ label }) => label.endsWith('nothing to do')).map((job) => [job.function, job.cost]),
  );
  writeFileSync(
    join(import.meta.dirname, '../../docs/cost/measured.json'),
    `${JSON.stringify({ measured_at: new Date().toISOString().slice(0, 10), life, idle }, null, 2)}\n`,
  );
  const growth = await measureGrowth(few, many);
  const [growthTable, growthTargets] = growthText(growth, few, many);
  const targets = [...callTargets(endpoints), ...growthTargets];
  const text = [
    `\`npm run bench:api\`, ${circumstances()}. Everything runs over the local cloud: the round trips and capacity units are those of AWS, the times are for comparison only.`,
    '### Round trips and capacity units',
    'Functions are warm: secrets, read once at the start, are not counted. Of calls at the same time, one counts among those one after another. Capacity is DynamoDB’s, in units of on-demand billing; a strongly consistent read costs one unit for each 4 KB, a write in a transaction two for each KB, and each index that contains the item adds to it.',
    costTable('client API', endpoints.client),
    costTable('signing API', endpoints.signer),
    costTable('job', [endpoints.seal, ...jobs]),
    '### Growth',
    `Two services side by side, one with ${few.toLocaleString('en')} stored requests of one owner and one with ${many.toLocaleString('en')}; medians of ${ROUNDS} interleaved calls each. The benchmark creates the requests by the product’s own rules. It stores the state of each, which is all that lists read, and about 200 of them completely, for reading one.`,
    growthTable,
    targetLines(targets),
  ].join('\n\n');
  console.log(text);
  writeSection('Client API', text);
  process.exitCode = targets.every(([, met]) => met) ? 0 : 1;
} finally {
  removeRunFolder();
}
