import { createHash } from 'node:crypto';
import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import {
  GetObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
} from '@aws-sdk/client-s3';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { connect, type Operator } from '../../admin/operator.ts';
import { verifyAudit } from '../../admin/verify-audit.ts';
import { inParallel } from '../../shared/runtime/in-parallel.ts';
import { BY_DUE, DUE_SHARDS, type DueKind, dueShard } from '../../shared/store/keys.ts';
import { loadRequestWithTrail } from '../../shared/store/requests.ts';
import { bucket, database, output } from '../support/aws.ts';
import { pipes } from '../support/operator-terminal.ts';
import { requestAnswer, type Snapshot, type StoredObject, snapshot, storedRequest } from './snapshot.ts';
import type { World } from './world.ts';

/** Collects a snapshot: the API's answers, table and bucket by the AWS SDK, the operator's audit, inbox and queues. */

const PATH = '/api/v1/signatures';
/** Work that would be due by now, or would never be. */
const DUE_KINDS: readonly DueKind[] = ['OUTBOX', 'DELIVERY', 'ORPHAN', 'STAMP'];

interface Listed {
  id: string;
  expires_at: string;
}

/** All requests, or those of one status. */
export async function listed(world: World, status?: string): Promise<Listed[]> {
  const answers: Listed[] = [];
  const query = `${PATH}?limit=100${status ? `&status=${status}` : ''}`;
  for (let cursor = ''; ; ) {
    const { body } = await world.client.get(`${query}${cursor}`);
    answers.push(...body.data);
    if (!body.has_more) return answers;
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
  }
}

type Items = Record<string, unknown>[];

type Query = (input: Omit<QueryCommandInput, 'TableName'>) => Promise<Items>;

/** One client for many reads: its connections stay open until it is closed. */
async function reading<T>({ service }: World, work: (query: Query) => Promise<T>): Promise<T> {
  const client = database(service);
  const query: Query = async (input) => {
    const items: Items = [];
    let ExclusiveStartKey: QueryCommandInput['ExclusiveStartKey'];
    do {
      const page = await client.send(
        new QueryCommand({ ...input, TableName: output(service, 'TableName'), ExclusiveStartKey }),
      );
      items.push(...(page.Items ?? []).map((item) => unmarshall(item)));
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
    return items;
  };
  try {
    return await work(query);
  } finally {
    client.destroy();
  }
}

/** As the command `request verify-audit` does, over one connection for all requests. */
async function auditOf(operator: Operator, id: string) {
  const request = await loadRequestWithTrail(operator.table, id);
  if (!request) throw new Error(`There is no request ${id}.`);
  return verifyAudit(id, request, undefined, operator);
}

async function readRequest(
  world: World,
  { query, operator }: { query: Query; operator: Operator },
  id: string,
): Promise<Snapshot['requests'][number]> {
  const [items, { body }, audit] = await Promise.all([
    query({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: `REQ#${id}` } },
      ConsistentRead: true,
    }),
    world.client.get(`${PATH}/${id}`),
    auditOf(operator, id),
  ]);
  const under = (prefix: string) => items.filter(({ sk }) => String(sk).startsWith(prefix));
  const stored = storedRequest.parse({
    id,
    state: under('R#META')[0],
    content: under('R#CONTENT')[0],
    signers: under('R#SIGNER#'),
    events: under('A#'),
  });
  const why = JSON.stringify({
    broken_at: audit.broken_at,
    evidence_fault: audit.evidence_fault,
    differences: audit.differences,
  });
  return { ...stored, answer: requestAnswer.parse(body), audit: { intact: audit.intact, why } };
}

async function readObjects(world: World): Promise<StoredObject[]> {
  const s3 = bucket(world.service);
  const Bucket = output(world.service, 'DocumentsBucket');
  const versions = new Map<string, number>();
  let page: ListObjectVersionsCommandOutput | undefined;
  do {
    const marker = { KeyMarker: page?.NextKeyMarker, VersionIdMarker: page?.NextVersionIdMarker };
    page = await s3.send(new ListObjectVersionsCommand({ Bucket, Prefix: 'requests/', ...marker }));
    const gone = new Set((page.DeleteMarkers ?? []).map(({ Key }) => Key));
    for (const { Key = '' } of page.Versions ?? [])
      if (!gone.has(Key)) versions.set(Key, (versions.get(Key) ?? 0) + 1);
  } while (page.IsTruncated);
  const objects: StoredObject[] = [];
  await inParallel(versions, async ([key, count]) => {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: key }));
    const bytes = Buffer.from((await Body?.transformToByteArray()) ?? []);
    objects.push({
      key,
      versions: count,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      seals: bytes.toString('latin1').split('/ByteRange').length - 1,
    });
  });
  return objects;
}

async function readDue(world: World): Promise<Snapshot['due']> {
  const kinds = DUE_KINDS.flatMap((kind) =>
    Array.from({ length: DUE_SHARDS }, (_, shard) => ({ kind, shard })),
  );
  const found = await reading(world, (query) =>
    Promise.all(
      kinds.map(async ({ kind, shard }) => {
        const items = await query({
          IndexName: BY_DUE.name,
          KeyConditionExpression: `${BY_DUE.pk} = :pk`,
          ExpressionAttributeValues: { ':pk': { S: dueShard(kind, shard) } },
        });
        return items.map(({ pk }) => ({ kind, what: String(pk) }));
      }),
    ),
  );
  return found.flat();
}

export async function waitingWork(world: World) {
  // The outbox first: its work goes on to the queues, and would be seen in neither if they were read before.
  const due = await readDue(world);
  const queues = world.service.cloud.services.queues().map((queue) => ({
    name: queue.name,
    waiting: queue.visible + queue.in_flight,
    deadLetters: queue.dead_letters,
  }));
  return { queues, due };
}

async function readRequests(world: World): Promise<Snapshot['requests']> {
  const requests: Snapshot['requests'] = [];
  const all = await listed(world);
  const target = { dir: world.service.dir, stack: undefined, region: undefined };
  const operator = await connect(target, pipes());
  await reading(world, (query) =>
    inParallel(all, async ({ id }) => {
      requests.push(await readRequest(world, { query, operator }, id));
    }),
  );
  return requests;
}

export async function collect(world: World): Promise<Snapshot> {
  const { interruptions, notify, creates, acts, endpoints } = world;
  const requests = await readRequests(world);
  const mails = world.service.cloud.services
    .inbox()
    .flatMap(({ to, subject }) => to.map((address) => ({ to: address, subject })));
  return snapshot.parse({
    at: new Date(world.now).toISOString(),
    interruptions,
    notify,
    creates,
    acts,
    requests,
    objects: await readObjects(world),
    mails,
    receivers: endpoints.map(({ id, receiver }, place) => ({
      endpointId: id,
      isSteady: place === 0,
      deliveries: receiver.deliveries,
    })),
    ...(await waitingWork(world)),
  });
}
