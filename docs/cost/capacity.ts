import { concurrencyOf, type FunctionSpec } from '../../infra/function-spec.ts';
import { API, JOBS, SIGNING } from '../../infra/functions.ts';
import { DEFAULT_SEAL_CONCURRENCY } from '../../infra/options.ts';
import { markdownTable } from './markdown-table.ts';
import type { Tally } from './measured.ts';
import { httpCalls, life, seconds, share } from './page.ts';
import quota from './quotas.json' with { type: 'json' };

/** The capacity of the default options and the first limit met: two parts of docs/scale.md. */

/**
 * Limits that the service sets itself; test/unit/cost compares them with the template and the code. The gateway counts the calls of
 * each route by themselves (API Gateway Developer Guide, “Throttle requests to your REST APIs”).
 */
export const OWN_LIMITS = { callsASecond: 500, callsAMinuteAndAddress: 1_200, dueShards: 8 };

/** Not measured: how often a request writes into its owner's list, and units that its outbox items take in their index. */
const ASSUMED = { ownerListWrites: 6, outboxIndexUnits: 22 };
const HANGING_CALL_SECONDS = 5;

const runs = (names: readonly string[]) =>
  names.flatMap((name) => {
    const run = life.functions[name];
    return run ? [{ name, ...run }] : [];
  });
export const allRuns = runs(Object.keys(life.functions));
type Run = (typeof allRuns)[number];

export const sumOf = (of: readonly Run[], value: (run: Run) => number) =>
  of.reduce((sum, run) => sum + value(run), 0);
export const busySeconds = ({ name, invocations, cost }: Run) =>
  invocations * seconds(name, share(cost, invocations));
const operations = ({ cost }: { cost: Tally }, operation: string) => cost.operations[operation] ?? 0;

/** Messages a second that the default slots of a job's queue work on. */
function slotsOf(name: keyof typeof JOBS, queue: string): { atOnce: number; text: string } {
  const spec: FunctionSpec = JOBS[name];
  const reads = spec.reads?.find((each) => each.queue === queue);
  if (!reads) throw new Error(`${name} does not read the queue ${queue}.`);
  const functions = concurrencyOf(reads, { sealConcurrency: DEFAULT_SEAL_CONCURRENCY });
  return {
    atOnce: functions * reads.batch,
    text: `${functions} functions${reads.batch > 1 ? ` with ${reads.batch} messages each` : ''}`,
  };
}

const CONSUMERS_AT_ONCE = Object.values<FunctionSpec>(JOBS)
  .flatMap(({ reads = [] }) => reads)
  .reduce((sum, reads) => sum + concurrencyOf(reads, { sealConcurrency: DEFAULT_SEAL_CONCURRENCY }), 0);

function messagesASecond(name: keyof typeof JOBS, queue: string): number {
  const [run] = runs([name]);
  if (!run) throw new Error(`docs/cost/measured.json has no ${name}.`);
  return slotsOf(name, queue).atOnce / (busySeconds(run) / run.invocations);
}

const SEALS_A_SECOND = messagesASecond('seal', 'seal');
const EVENTS_A_SECOND = messagesASecond('deliver-webhook', 'deliveries');
const HANGING_EVENTS_A_SECOND = slotsOf('deliver-webhook', 'slow-deliveries').atOnce / HANGING_CALL_SECONDS;

const callsOfBusiestRoute = (of: readonly Run[]) => Math.max(...of.map(({ invocations }) => invocations));

interface Need {
  /** Share of each limit that a unit of the work takes; of calls, those of the busiest route. */
  calls?: number;
  mails?: number;
  of: readonly Run[];
  /** Number of units in the runs. */
  units: number;
  own?: [limit: string, aSecond: number];
}

/** Rounded down, to two digits if it is small. */
const count = (value: number) => {
  const precision = value < 1 ? 100 : value < 10 ? 10 : 1;
  return (Math.floor(value * precision) / precision).toLocaleString('en-US');
};

/** The rates that a kind of work alone could reach, lowest first. */
function ratesOf({ calls = 0, mails = 0, of, units, own }: Need): [limit: string, aSecond: number][] {
  const writeUnits = sumOf(of, ({ cost }) => cost.writeUnits) / units;
  const functions = sumOf(of, busySeconds) / units;
  const rates: [string, number][] = [
    ...(own ? [own] : []),
    ['the mails of SES', quota.mails_a_second / mails],
    ['the gateway’s rate', OWN_LIMITS.callsASecond / calls],
    ['Lambda concurrency', quota.concurrent_functions / functions],
    ['the table’s write units', quota.table_write_units_a_second / writeUnits],
  ];
  return rates.filter(([, rate]) => Number.isFinite(rate)).sort(([, a], [, b]) => a - b);
}

const signing = runs(Object.keys(SIGNING));
const webhooks = runs(['publish-event', 'deliver-webhook']);

const WORK: [what: string, need: Need][] = [
  [
    'creates (3 signers)',
    { of: runs(['create-signature', 'complete-mail']), units: 1, calls: 1, mails: life.signers },
  ],
  [
    'signatures (a signer opens, reads, signs)',
    {
      of: signing,
      units: life.signers,
      calls: callsOfBusiestRoute(signing) / life.signers,
    },
  ],
  ['seals', { of: runs(['seal']), units: 1, own: ['seals at once', SEALS_A_SECOND] }],
  ['webhook deliveries', { of: webhooks, units: life.events, own: ['deliveries at once', EVENTS_A_SECOND] }],
];

const capacityTable = (): string =>
  markdownTable(
    ['a second, if nothing else runs', 'the defaults carry', 'met first', 'then'],
    WORK.map(([what, need]) => {
      const [first, next] = ratesOf(need);
      return [what, count(first?.[1] ?? 0), first?.[0] ?? '', next ? `${next[0]}, at ${count(next[1])}` : ''];
    }),
  );

interface Limit {
  name: string;
  size: string;
  /** Creates a second, each followed by the rest of its request's life. */
  reachedAt: number;
  note?: string;
  consequence: string;
  raise: string;
}

const secretReads = sumOf(runs(['seal']), (run) => operations(run, 'secretsmanager.GetSecretValue'));

const LIMITS: Limit[] = [
  {
    name: 'Quota of mails a day',
    size: `${count(quota.mails_a_day)} a day for a new production account; 200 in the sandbox`,
    reachedAt: quota.mails_a_day / 86_400 / life.mails,
    note: `${count(quota.mails_a_day / life.mails)} creates a day`,
    consequence:
      'The signer has `email_sent: false` with `quota_exceeded`, and the sender can resend the next day. Notices and reminders are mailed later.',
    raise: 'The SES quota, early: it grows with a good reputation.',
  },
  {
    name: 'Mails a second',
    size: `${quota.mails_a_second} for a new production account; 1 in the sandbox`,
    reachedAt: quota.mails_a_second / life.mails,
    consequence:
      'The create call retries a throttled mail for up to 20 seconds. Then the signer has `email_sent: false` with `throttled`, and the sender can resend.',
    raise: 'The SES quota.',
  },
  {
    name: 'Seals at once',
    size: `${slotsOf('seal', 'seal').text} (\`-c sealConcurrency\`)`,
    reachedAt: SEALS_A_SECOND,
    consequence:
      'Requests wait as `awaiting_stamp`. Nothing is lost, and the backlog of one owner does not delay others. An alarm fires after half an hour.',
    raise: '`-c sealConcurrency`, see below. Check the limit of the timestamp authority first.',
  },
  {
    name: 'Gateway’s rate',
    size: `${OWN_LIMITS.callsASecond} calls a second of each route (\`infra/gateway.ts\`)`,
    reachedAt: OWN_LIMITS.callsASecond / callsOfBusiestRoute(runs(Object.keys({ ...API, ...SIGNING }))),
    consequence:
      '429 with `Retry-After: 1` before anything was executed; a retry with the same `Idempotency-Key` is safe.',
    raise: `\`throttlingRateLimit\`; the account’s quota is ${count(quota.gateway_calls_a_second)} a second.`,
  },
  {
    name: 'Notices',
    size: slotsOf('complete-mail', 'mail').text,
    reachedAt: messagesASecond('complete-mail', 'mail') / (life.functions['complete-mail']?.invocations ?? 0),
    consequence:
      'Notices to signers and senders are late; the create call itself sends and reports the invitations.',
    raise: '`concurrency` of `complete-mail`.',
  },
  {
    name: 'DynamoDB table',
    size: `${count(quota.table_write_units_a_second)} write units a second; after a sudden increase twice the previous peak (a new table takes 4,000)`,
    reachedAt: quota.table_write_units_a_second / sumOf(allRuns, ({ cost }) => cost.writeUnits),
    consequence:
      'DynamoDB throttles writes. The SDK sends a call three times, the store a transaction five times; then the call returns 5xx, without partial changes.',
    raise: 'The table’s quota; warm throughput before a campaign.',
  },
  {
    name: 'One owner’s index partition',
    size: `${count(quota.partition_write_units_a_second)} write units a second`,
    reachedAt: quota.partition_write_units_a_second / ASSUMED.ownerListWrites,
    note: 'of one owner',
    consequence: 'DynamoDB throttles writes, of that owner’s requests only.',
    raise: 'Spread the owner, see below.',
  },
  {
    name: 'Lambda concurrency',
    size: `${count(quota.concurrent_functions)} for an account and region; a new one may have 10`,
    reachedAt: quota.concurrent_functions / sumOf(allRuns, busySeconds),
    note: 'in a new account 1 or 2',
    consequence: `The gateway answers 5xx; queues keep their messages. All queue consumers together run at most ${CONSUMERS_AT_ONCE} functions, so they cannot starve the API.`,
    raise: 'The account’s quota, before going live.',
  },
  {
    name: 'Publishing of events',
    size: slotsOf('publish-event', 'events').text,
    reachedAt: messagesASecond('publish-event', 'events') / life.events,
    consequence: 'Events wait in their queue.',
    raise: '`concurrency` of `publish-event`.',
  },
  {
    name: 'Deliveries',
    size: slotsOf('deliver-webhook', 'deliveries').text,
    reachedAt: EVENTS_A_SECOND / life.events,
    consequence:
      'Events wait in their queue. Each endpoint is its own message group, so a busy one delays itself first.',
    raise: '`concurrency` of `deliver-webhook`.',
  },
  {
    name: 'Outbox’s index shards',
    size: `${OWN_LIMITS.dueShards} partitions of ${count(quota.partition_write_units_a_second)} write units`,
    reachedAt: (OWN_LIMITS.dueShards * quota.partition_write_units_a_second) / ASSUMED.outboxIndexUnits,
    consequence: 'Writes are throttled for everyone.',
    raise:
      '`DUE_SHARDS`. It can be raised at any time: jobs read all shards up to that number, and an entry stays in its shard. It must not be lowered while the removed shards have entries.',
  },
  {
    name: 'API Gateway',
    size: `${count(quota.gateway_calls_a_second)} calls a second for an account`,
    reachedAt: quota.gateway_calls_a_second / httpCalls,
    consequence: '429',
    raise: 'The quota, or cells, see below.',
  },
  {
    name: 'KMS, with `-c sealKey`',
    size: `${count(quota.key_signatures_a_second)} signatures a second`,
    // The document's and the evidence file's.
    reachedAt: quota.key_signatures_a_second / 2,
    consequence: 'The seal is retried later.',
    raise: 'The quota; more keys and certificates by owner.',
  },
  {
    name: 'Secrets Manager',
    size: `${count(quota.secret_reads_a_second)} reads a second`,
    reachedAt: quota.secret_reads_a_second / secretReads,
    consequence: 'The seal is retried later.',
    raise: 'Cache the values for a minute in the seal function.',
  },
];

const BOUNDS: [above: number, to: number, heading: string][] = [
  [0, 10, '10 a second'],
  [10, 100, '100 a second'],
  [100, 1_000, '1,000 a second'],
  [1_000, Number.POSITIVE_INFINITY, 'Not reached'],
];

/** The limits met up to each rate, in the order in which they are. */
const limitTables = (): string =>
  BOUNDS.map(([above, to, heading]) => {
    const met = LIMITS.filter(({ reachedAt }) => reachedAt > above && reachedAt <= to);
    const table = markdownTable(
      ['limit', 'size', 'reached at', 'consequence', 'what to raise'],
      met
        .toSorted((a, b) => a.reachedAt - b.reachedAt)
        .map(({ name, size, reachedAt, note, consequence, raise }) => [
          name,
          size,
          `${count(reachedAt)}${note ? ` (${note})` : ''}`,
          consequence,
          raise,
        ]),
    );
    return `### ${heading}\n\n${table}\n`;
  }).join('\n');

const SECTIONS: Record<string, () => string> = {
  'What the defaults carry':
    () => `Each row is one kind of work alone, with its share of calls, functions and database writes.

${capacityTable()}

Endpoints that hang have ${slotsOf('deliver-webhook', 'slow-deliveries').text} of their own: ${count(HANGING_EVENTS_A_SECOND)} deliveries a second if each takes its ${HANGING_CALL_SECONDS} seconds.
Seals also wait for the timestamp authority, which has limits of its own: free ones allow a few a second or less. The next authority in the
list is tried; if all refuse, the seal is retried for 70 minutes. One address, or network of IPv6, makes at most ${count(OWN_LIMITS.callsAMinuteAndAddress / 60)} calls a second
(\`PER_ADDRESS_PER_MINUTE\` in \`infra/firewall.ts\`); more get 429.
`,
  'Limits in the order in which they are reached':
    () => `\`reached at\` is in creates a second, each followed by the rest of its request’s life. Sizes are AWS’s default quotas
(\`docs/cost/quotas.json\`) and the stack’s defaults.

${limitTables()}
For a sustained 1,000 creates a second, use cells instead of one stack.
`,
};

/** Replaces these sections of the page, up to the next heading. */
export const withCapacity = (page: string): string =>
  Object.entries(SECTIONS).reduce(
    (text, [heading, body]) =>
      text.replace(new RegExp(`(?<=^## ${heading}\\n\\n)[^]*?(?=^## )`, 'm'), () => `${body()}\n`),
    page,
  );
