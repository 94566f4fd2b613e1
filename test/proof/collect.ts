import { createHash } from 'node:crypto';
import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import {
  GetObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
} from '@aws-sdk/client-s3';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { inParallel } from '../../shared/runtime/in-parallel.ts';
import { bucket, database, output } from '../support/aws.ts';
import { requestAnswer, type Snapshot, type StoredObject, snapshot, storedRequest } from './snapshot.ts';
import type { World } from './world.ts';

/** Collects a snapshot: the API's answers, table and bucket by the AWS SDK, the operator's audit, inbox and queues. */

const PATH = '/api/v1/signatures';
const SHARDS = 8;
/** Work that would be due by now, or would never be. */
const DUE_KINDS = ['OUTBOX', 'DELIVERY', 'ORPHAN', 'STAMP'] as const;

async function listed(world: World) {
  const answers = [];
  for (let cursor = ''; ; ) {
    const { body } = await world.client.get(`${PATH}?limit=100${cursor}`);
    answers.push(...body.data);
    if (!body.has_more) break;
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
  }
  return answers.map(({ id }) => String(id));
}

type Items = Record<string, unknown>[];

async function query(world: World, input: Omit<QueryCommandInput, 'TableName'>): Promise<Items> {
  const client = database(world.service);
  const items: Items = [];
  let ExclusiveStartKey: QueryCommandInput['ExclusiveStartKey'];
  do {
    const page = await client.send(
      new QueryCommand({ ...input, TableName: output(world.service, 'TableName'), ExclusiveStartKey }),
    );
    items.push(...(page.Items ?? []).map((item) => unmarshall(item)));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}

async function readRequest(world: World, id: string): Promise<Snapshot['requests'][number]> {
  const [items, { body }, audit] = await Promise.all([
    query(world, {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: `REQ#${id}` } },
      ConsistentRead: true,
    }),
    world.client.get(`${PATH}/${id}`),
    world.service.admin('request', 'verify-audit', id),
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
  const kinds = DUE_KINDS.flatMap((kind) => Array.from({ length: SHARDS }, (_, shard) => ({ kind, shard })));
  const found = await Promise.all(
    kinds.map(async ({ kind, shard }) => {
      const items = await query(world, {
        IndexName: 'byDue',
        KeyConditionExpression: 'due_pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: `${kind}#${shard}` } },
      });
      return items.map(({ pk }) => ({ kind, what: String(pk) }));
    }),
  );
  return found.flat();
}

export const waitingWork = async (world: World) => ({
  queues: world.service.cloud.services.queues().map((queue) => ({
    name: queue.name,
    waiting: queue.visible + queue.in_flight,
    deadLetters: queue.dead_letters,
  })),
  due: await readDue(world),
});

export async function collect(world: World): Promise<Snapshot> {
  const { interruptions, notify, creates, acts, endpoints } = world;
  const requests: Snapshot['requests'] = [];
  const ids = await listed(world);
  await inParallel(ids, async (id) => {
    requests.push(await readRequest(world, id));
  });
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
