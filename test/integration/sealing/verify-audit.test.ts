/** @behaviour s3.missing-objects */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteObjectCommand, GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type * as operators from '../../../admin/operator.ts';
import type * as audits from '../../../admin/verify-audit.ts';
import { ACTORS, MODES, REQUEST_STATUSES, SIGNER_STATUSES } from '../../../shared/contract/fields.ts';
import { chain, emptyHead } from '../../../shared/requests/chain.ts';
import type { AuditEntry, AuditType } from '../../../shared/requests/model.ts';
import { DAY } from '../../../shared/runtime/time.ts';
import { changeRequest } from '../../../shared/store/change.ts';
import type { Item } from '../../../shared/store/items.ts';
import { auditKey, type Key, metaKey, requestPartition, signerKey } from '../../../shared/store/keys.ts';
import { evidenceKey } from '../../../shared/store/objects.ts';
import { loadRequestWithTrail } from '../../../shared/store/requests.ts';
import { Table } from '../../../shared/store/table.ts';
import { LOCALES } from '../../../shared/texts/languages.ts';
import { bucket, database, output, replaceObject } from '../../support/aws.ts';
import { makeDemoCa, makeDemoSealIdentity, toPkcs12 } from '../../support/demo-keys.ts';
import { loadOnce } from '../../support/load-once.ts';
import { pipes } from '../../support/operator-terminal.ts';
import { makePdfWithFiles } from '../../support/pdf.ts';
import { runFolder } from '../../support/run-folder.ts';
import { countedSalts } from '../../support/salts.ts';
import { drawnSignature } from '../../support/signature-input.ts';
import { first, SigningStage } from '../../support/signing-stage.ts';
import { until } from '../../support/until.ts';

const { connect } = loadOnce<typeof operators>(new URL('../../../admin/operator.ts', import.meta.url));
const { verifyAudit } = loadOnce<typeof audits>(new URL('../../../admin/verify-audit.ts', import.meta.url));

/** Attacks by somebody who can write to the table, on a request that is signed and sealed. */

let stage: SigningStage;
let dynamo: DynamoDBClient;
let table: Table;
let s3: S3Client;
let Bucket: string;
let copy: string;
let id: string;
beforeAll(async () => {
  stage = await SigningStage.open(await makePdfWithFiles(1));
  s3 = bucket(stage.service);
  Bucket = output(stage.service, 'DocumentsBucket');
  copy = join(stage.service.dir, 'copy.pdf');
  dynamo = database(stage.service);
  table = new Table(dynamo, output(stage.service, 'TableName'));
  id = await sealedRequest();
}, 120_000);
afterAll(async () => {
  dynamo?.destroy();
  s3?.destroy();
  await stage?.close();
});

/** A request of which every attribute is set that can be: typed and drawn, for oneself and for a company. */
async function sealedRequest(): Promise<string> {
  const request = await stage.send(2, { message: 'Please sign', metadata: { order: 7 } });
  const [typist, mistyped] = request.signers;
  if (!typist || !mistyped) throw new Error('Two signers were asked for.');
  const painter = await stage.correct(request.id, mistyped, {
    email: 'painter@example.com',
    name: 'Painter',
  });
  await stage.resend(request.id, typist.id);
  const typing = await stage.verified(typist);
  await typing.call('GET', '/document');
  await typing.sign({
    representing: { name: 'Oy Ab', role: 'CEO', entity_id: '1234567-8' },
  });
  const png_base64 = Buffer.from(drawnSignature()).toString('base64');
  await stage.sign(painter, { signature: { type: 'drawn', png_base64 } });
  await stage.untilStatus(request.id, 'signed');
  await untilQuiet(request.id);
  return request.id;
}

/** Notices and webhooks add events for a while. */
async function untilQuiet(requestId: string): Promise<void> {
  const count = async (type: string) => (await stage.trail(requestId, type)).length;
  await until(
    async () => (await count('sealed_notice_sent')) === 2 && (await count('webhook_delivered')) === 7,
    'the last events',
  );
}

interface Verdict {
  intact: boolean;
  broken_at: number | null;
  anchored: boolean;
  evidence_fault: string | null;
  differences: { item: string; attribute: string }[];
  erased: { item: string; attribute: string }[];
  operational: Record<string, readonly string[]>;
}

/** The verdict, or the message of the command's failure. */
const verified = async (...options: string[]): Promise<Verdict | string> => {
  try {
    return await stage.service.admin('request', 'verify-audit', id, ...options);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

/** The verdict on these items. To write each of hundreds of rewritings into the table took most of the file's time. */
async function verdictOn(stored: Item[], operator: operators.Operator): Promise<Verdict | string> {
  const written = Object.assign(new Table(dynamo, ''), { queryAll: async () => stored });
  try {
    const request = await loadRequestWithTrail(written, id);
    return request ? await verifyAudit(id, request, undefined, operator) : 'There is no request.';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const items = () => table.queryAll({ pk: requestPartition(id), consistent: true });

type Path = readonly (string | number)[];

/** Every value in an item that holds no others, by its path. */
function leaves(value: unknown, path: Path = []): Path[] {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (members.length === 0) return [path];
  return members.flatMap(([name, member]) =>
    leaves(member, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

const ENUMS = [
  REQUEST_STATUSES,
  SIGNER_STATUSES,
  LOCALES,
  ACTORS,
  MODES,
  ['typed', 'drawn'],
  ['organization', 'user'],
];

/** Another value that the schema takes, where there is one. */
function another(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') {
    const choices: readonly string[] = ENUMS.find((each: readonly string[]) => each.includes(value)) ?? [];
    return choices.find((choice) => choice !== value) ?? `${value}x`;
  }
  if (Array.isArray(value)) return ['2026-11-21T12:00:00.000Z'];
  return value === null ? '2026-11-21T12:00:00.000Z' : { added: 'x' };
}

function rewritten(item: Item, path: Path): Item {
  const copy = structuredClone(item);
  const holder = path.slice(0, -1).reduce<Item>((at, name) => at[name] as Item, copy);
  const last = path.at(-1) ?? '';
  holder[last] = another(holder[last]);
  return copy;
}

const nameOf = ({ sk }: Item): { kind: string; item: string } => {
  const [, kind = '', position = ''] = String(sk).split('#');
  if (kind === 'META') return { kind: 'request', item: 'request' };
  if (kind === 'CONTENT') return { kind: 'content', item: 'content' };
  if (kind === 'SIGNER') return { kind: 'signer', item: `signer ${Number(position)}` };
  return { kind: 'event', item: `event ${Number(kind)}` };
};

/** Outcome for a rewritten attribute: `named`, `operational`, or not at all. */
function dealtWith(verdict: Verdict | string, stored: Item, path: Path): string | undefined {
  const { kind, item } = nameOf(stored);
  const attribute = path.join('.');
  // An item that its schema refuses stops the command, which names item and attribute.
  if (typeof verdict === 'string')
    return verdict.includes(`${stored.sk} is damaged: ${path[0]}`) ? 'named' : undefined;
  const isNamed =
    verdict.differences.some(
      (each) => each.item === item && `${attribute}.`.startsWith(`${each.attribute}.`),
    ) ||
    (kind === 'event' && item === `event ${verdict.broken_at}`);
  if (isNamed) return verdict.intact ? undefined : 'named';
  const operational = [...(verdict.operational[kind] ?? []), ...(verdict.operational.every_item ?? [])];
  return operational.includes(String(path[0])) ? 'operational' : undefined;
}

describe('request verify-audit', () => {
  it('a request that nobody has touched is intact', async () => {
    expect(await verified()).toMatchObject({
      intact: true,
      broken_at: null,
      compared: true,
      anchored: true,
      evidence_fault: null,
      differences: [],
      erased: [],
    });
  });

  it('every attribute of every item is a fact whose rewriting is named, or listed as operational', async () => {
    // The events alone must tell, which also is faster than to verify the file's seal each time.
    const file = await evidenceFile();
    await s3.send(new DeleteObjectCommand({ Bucket, Key: evidenceKey(id) }));
    const unnoticed: string[] = [];
    const named = new Set<string>();
    const operator = await connect({ dir: stage.service.dir, stack: undefined, region: undefined }, pipes());
    const stored = await items();
    for (const [place, item] of stored.entries()) {
      for (const path of leaves(item).filter(([name]) => name !== 'pk' && name !== 'sk')) {
        const verdict = await verdictOn(stored.with(place, rewritten(item, path)), operator);
        const outcome = dealtWith(verdict, item, path);
        if (!outcome) unnoticed.push(`${nameOf(item).item}: ${path.join('.')}`);
        if (outcome === 'named') named.add(`${nameOf(item).item} ${path.join('.')}`);
      }
    }
    await replaceObject(s3, { Bucket, Key: evidenceKey(id), Body: file });
    expect(unnoticed).toEqual([]);
    // The facts that the attack of old rewrote.
    for (const fact of [
      'request title',
      'request documentHash',
      'content documentSha256',
      'content attachments.count',
      'content attachments.listed.0.filename',
      'signer 0 email',
      'signer 1 asCreated.email',
      'signer 0 nameAsSigned',
      'signer 0 representingRole',
      'signer 0 ipAddress',
      'signer 0 signature.value',
      'signer 1 signature.drawingSha256',
    ])
      expect(named).toContain(fact);
    expect(await verified()).toMatchObject({ intact: true });
  }, 300_000);

  it('a signer or an event that is removed shows', async () => {
    for (const sk of ['R#SIGNER#01', 'A#000003']) {
      const item = first((await items()).filter((each) => each.sk === sk)) as Item & Key;
      await table.delete({ pk: item.pk, sk: item.sk });
      expect(await verified()).toMatchObject({ intact: false });
      await table.put(item);
    }
    expect(await verified()).toMatchObject({ intact: true });
  });

  it('a value that is gone with its salt shows, also beside an event that erased nobody', async () => {
    const before = await items();
    const item = first(before.filter(({ type }) => type === 'link_opened')) as Item & Key;
    const { userAgent: _, ...salts } = item.salts as Record<string, string>;
    await table.put({ ...item, userAgent: null, salts });
    const value = { item: `event ${item.sequence}`, attribute: 'userAgent' };
    expect(await verified()).toMatchObject({
      intact: false,
      broken_at: null,
      differences: [{ ...value, stored: null, event: expect.stringContaining('commitment') }],
      erased: [value],
    });
    await appendErasure();
    expect(await verified()).toMatchObject({ intact: false, broken_at: null, erased: [value] });
    await table.delete(auditKey(id, before.filter(({ sequence }) => sequence).length + 1));
    for (const each of before) await table.put(each as Item & Key);
  });

  it('a trail and records that are rewritten together, hashes and all, differ from the evidence file', async () => {
    const before = await items();
    await rewriteAll();
    expect(await verified()).toMatchObject({
      intact: false,
      broken_at: null,
      anchored: false,
      evidence_fault: null,
      differences: expect.arrayContaining([
        { item: 'event 1', attribute: 'details.title', stored: 'Another contract', event: 'Contract' },
        {
          item: 'event 1',
          attribute: 'details.invited.0.email',
          stored: 'mallory@example.com',
          event: expect.stringMatching(/^person\d+@/),
        },
        { item: 'request', attribute: 'anchor.hash', stored: expect.any(String), event: expect.any(String) },
      ]),
    });
    // Without the evidence file nothing tells.
    const key = evidenceKey(id);
    const file = await evidenceFile();
    await s3.send(new DeleteObjectCommand({ Bucket, Key: key }));
    expect(await verified()).toMatchObject({
      intact: true,
      anchored: false,
      evidence_fault: expect.stringContaining('missing'),
    });
    await replaceObject(s3, { Bucket, Key: key, Body: file });
    for (const item of before) await table.put(item as Item & Key);
    expect(await verified()).toMatchObject({ intact: true, anchored: true });
  });

  it('an evidence file that is changed or belongs to another request proves nothing', async () => {
    const other = await stage.send(1);
    await stage.sign(first(other.signers));
    await stage.untilStatus(other.id, 'signed');
    const changed = Buffer.from(await evidenceFile());
    changed.writeUInt8(changed.readUInt8(1_000) ^ 1, 1_000);
    for (const bytes of [changed, await evidenceFile(other.id), Buffer.from('%PDF-1.7')]) {
      await writeFile(copy, bytes);
      expect(await verified('--evidence', copy)).toMatchObject({
        anchored: false,
        evidence_fault: expect.stringContaining('the given file is not our seal'),
        differences: [],
      });
    }
  });

  it('evidence is anchored however often the certificate was replaced since', async () => {
    const now = new Date(stage.service.cloud.clock.now());
    for (const year of [1, 2, 3]) {
      const file = join(stage.service.dir, `seal-${year}.p12`);
      // The command reads the environment that the test's process was started with.
      await writeFile(file, toPkcs12(makeDemoSealIdentity(makeDemoCa(now), { now }), runFolder()));
      const passphrase = ['--passphrase-env', 'TEST_RUN_FOLDER'];
      await stage.service.admin('seal-key', 'import-p12', '--file', file, ...passphrase);
      expect(await verified()).toMatchObject({ evidence_fault: null, anchored: true });
    }
  });

  it('after the purge a copy of the evidence file is needed', async () => {
    await writeFile(copy, await evidenceFile());
    stage.service.advance(8 * DAY);
    await stage.service.runSchedule('purge');
    expect(await verified()).toMatchObject({
      intact: true,
      anchored: false,
      evidence_fault: expect.stringContaining('purged'),
    });
    expect(await verified('--evidence', copy)).toMatchObject({ intact: true, anchored: true });
  });
});

async function evidenceFile(requestId = id): Promise<Buffer> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: evidenceKey(requestId) }));
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
}

/** As the erasure of a person will be recorded. */
const appendErasure = () =>
  changeRequest({ table, now: () => new Date() }, id, ({ state, signers }, now) => ({
    state,
    signers,
    audit: [{ type: 'person_erased' as AuditType, at: now.toISOString(), actor: 'operator' }],
    effects: [],
  }));

/** Somebody who can write to the table and knows this code: another title and signer, in records, events and hashes. */
async function rewriteAll(): Promise<void> {
  const stored = await loadRequestWithTrail(table, id);
  const [signer] = stored?.signers ?? [];
  if (!stored || !signer) throw new Error('The request is stored.');
  const swap = <T>(value: T): T =>
    JSON.parse(
      JSON.stringify(value)
        .replaceAll(signer.email, 'mallory@example.com')
        .replaceAll('"Contract"', '"Another contract"'),
    );
  const entries = swap(stored.events).map(
    ({ ipAddress, userAgent, ...event }) =>
      ({ ...event, visitor: { ipAddress, userAgent } }) as unknown as AuditEntry,
  );
  const events = chain(entries, { sequence: 0, head: emptyHead(id) }, countedSalts());
  for (const event of events) await table.put({ ...auditKey(id, event.sequence), ...event });
  const anchor = events.find(({ type }) => type === 'seal_queued');
  const meta = await table.get(metaKey(id));
  await table.put({
    ...meta,
    ...metaKey(id),
    title: 'Another contract',
    auditHead: events.at(-1)?.hash,
    anchor: { sequence: anchor?.sequence, hash: anchor?.hash },
  });
  await table.update(signerKey(id, 0), { email: 'mallory@example.com' });
}
