import { makePdf } from '../../support/pdf.ts';
import { type Seeded, seed } from '../../support/seed-requests.ts';
import { type ApiClient, Service } from '../../support/service.ts';
import { median } from './report.ts';

/** Compares the same calls on a service with few stored requests of an owner and on one with many. */

export const ROUNDS = 200;
const PATH = '/api/v1/signatures';

interface Side {
  service: Service;
  client: ApiClient & { ownerId: string };
  seeded: Seeded;
  count: number;
}

export interface GrowthRow {
  label: string;
  roundTrips: [few: number, many: number];
  medians: [few: number, many: number];
}

type Call = (side: Side, round: number) => Promise<{ status: number }>;

async function open(count: number): Promise<Side> {
  const service = await Service.start();
  const client = await service.client();
  const start = performance.now();
  const seeded = await seed(service.cloud, client.ownerId, count);
  console.log(`Stored ${count} requests in ${Math.round((performance.now() - start) / 1_000)} s.`);
  return { service, client, seeded, count };
}

const list =
  (query: (side: Side) => Record<string, string>): Call =>
  (side) =>
    side.client.get(`${PATH}?${new URLSearchParams({ limit: '20', ...query(side) })}`);

const CALLS = (pdf: string): [label: string, name: string, call: Call][] => {
  const before = ({ seeded }: Side) => ({ created_to: seeded.middle });
  return [
    ['list', 'list-signatures', list(() => ({}))],
    ['list, `limit` 100', 'list-signatures', list(() => ({ limit: '100' }))],
    ['list, `status`', 'list-signatures', list(() => ({ status: 'cancelled' }))],
    ['list, `created_to` in the middle', 'list-signatures', list(before)],
    [
      'list, `created_from` in the middle',
      'list-signatures',
      list(({ seeded }) => ({ created_from: seeded.middle })),
    ],
    [
      'list, `status` and `created_to`',
      'list-signatures',
      list((side) => ({ status: 'sent', ...before(side) })),
    ],
    [
      'list, a second page by `cursor`',
      'list-signatures',
      async (side) => {
        const query = new URLSearchParams({ limit: '20', ...before(side), cursor: await cursorOf(side) });
        return side.client.get(`${PATH}?${query}`);
      },
    ],
    [
      'get',
      'get-signature',
      ({ client, seeded }, round) => client.get(`${PATH}/${seeded.ids[round % seeded.ids.length]}`),
    ],
    [
      'create, 1 signer',
      'create-signature',
      ({ client }, round) =>
        client.post(PATH, {
          title: `New ${round}`,
          signers: [{ email: 'ann@example.com' }],
          document: { content_base64: pdf },
        }),
    ],
  ];
};

const cursors = new WeakMap<Side, string>();

/** Returns the cursor after the first page before the middle, cached. */
async function cursorOf(side: Side): Promise<string> {
  const cached = cursors.get(side);
  if (cached) return cached;
  const query = new URLSearchParams({ limit: '20', created_to: side.seeded.middle });
  const { body } = await side.client.get(`${PATH}?${query}`);
  cursors.set(side, body.next_cursor);
  return body.next_cursor;
}

async function timed(call: Call, side: Side, round: number): Promise<number> {
  const start = performance.now();
  const { status } = await call(side, round);
  const time = performance.now() - start;
  if (status >= 300) throw new Error(`With ${side.count} stored, a call was answered ${status}.`);
  return time;
}

async function compare(
  label: string,
  name: string,
  call: Call,
  sides: readonly [Side, Side],
): Promise<GrowthRow> {
  const roundTrips = async (side: Side) =>
    (await side.service.callsOf(name, () => timed(call, side, 0))).length;
  for (const side of sides) for (let round = 0; round < 5; round += 1) await timed(call, side, round);
  const trips: [number, number] = [await roundTrips(sides[0]), await roundTrips(sides[1])];
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    // Interleaved, so that other load on the machine affects both equally.
    const order = round % 2 ? ([0, 1] as const) : ([1, 0] as const);
    for (const which of order) times[which].push(await timed(call, sides[which], round));
  }
  return { label, roundTrips: trips, medians: [median(times[0]), median(times[1])] };
}

export async function measureGrowth(few: number, many: number): Promise<GrowthRow[]> {
  const opened: Side[] = [];
  try {
    const small = await open(few);
    opened.push(small);
    const large = await open(many);
    opened.push(large);
    const pdf = (await makePdf()).toString('base64');
    const rows: GrowthRow[] = [];
    for (const [label, name, call] of CALLS(pdf)) {
      console.log(`Comparing: ${label}`);
      rows.push(await compare(label, name, call, [small, large]));
    }
    return rows;
  } finally {
    for (const { service } of opened) await service.stop();
  }
}
