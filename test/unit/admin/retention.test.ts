import { KMSClient } from '@aws-sdk/client-kms';
import { mockClient } from 'aws-sdk-client-mock';
import { ownerCommands } from '../../../admin/owners.ts';
import { cancel } from '../../../shared/requests/ending.ts';
import { present } from '../../../shared/runtime/present.ts';
import { jobKey } from '../../../shared/store/keys.ts';
import { addOwner, findOwner } from '../../../shared/store/owners.ts';
import { loadRequest } from '../../../shared/store/requests.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { operatorOf, person, pipes } from '../../support/operator-terminal.ts';
import { ownerItem } from '../../support/owners.ts';
import { OWNER } from '../../support/requests.ts';
import { changed, storedNew } from '../../support/stored-requests.ts';

const memory = new MemoryDynamo();
const { table, beforeWrites } = memory;

/** More than a page of the list, and less than two. */
const COUNT = 120;
const PAGE = 100;
const POSITION = jobKey(`retention-${OWNER.id}`);

const operator = operatorOf(table);

async function update(input: Record<string, unknown>, terminal = pipes()): Promise<unknown> {
  const found = ownerCommands.find(({ name }) => name === 'org update');
  return found?.run({ id: OWNER.id, ...input }, { ...operator, terminal });
}

const switchArchive = (archive: 'on' | 'off') => update({ archive, yes: true });

/** A switch that is interrupted after so many writes. */
async function interrupted(archive: 'on' | 'off', writes: number): Promise<void> {
  beforeWrites.push(...Array.from({ length: writes }, () => () => undefined), () => {
    throw new Error('interrupted');
  });
  await expect(switchArchive(archive)).rejects.toThrow('interrupted');
  beforeWrites.length = 0;
}

let ids: string[];

/** An owner with so many requests. */
async function stored(archive: boolean, count: number): Promise<void> {
  memory.clear();
  await addOwner(table, ownerItem({ id: OWNER.id, archive }));
  ids = [];
  for (let made = 0; made < count; made += 1)
    ids.push((await storedNew(table, 1, { owner: { ...OWNER, archive } })).state.id);
}

async function countProtected(): Promise<number> {
  const requests = await Promise.all(ids.map((id) => loadRequest(table, id)));
  return requests.filter((request) => request?.state.archiveProtected).length;
}

it('turning the archive off that was interrupted is completed by running it again', async () => {
  await stored(true, COUNT);
  await interrupted('off', PAGE + 3);
  expect(await countProtected()).toBeLessThan(COUNT - PAGE);
  await switchArchive('off');
  expect(await countProtected()).toBe(0);
});

it('turning the archive off reaches every document, though turning it off and on before was interrupted', async () => {
  await stored(true, COUNT);
  await interrupted('off', PAGE + 3);
  await interrupted('on', 20);
  await switchArchive('off');
  expect(await countProtected()).toBe(0);
});

it('an archive that is switched off while another operator switches it on protects no document', async () => {
  for (const writes of [1, 2]) {
    await stored(false, 2);
    beforeWrites.push(...Array.from({ length: writes }, () => () => undefined), () => switchArchive('off'));
    await expect(switchArchive('on')).rejects.toThrow('switched again');
    expect(await countProtected()).toBe(0);
  }
});

it('turning the archive off again reaches every document, though it was turned on before the first run stored its position', async () => {
  await stored(true, COUNT);
  beforeWrites.push(...Array.from({ length: 1 + PAGE }, () => () => undefined), () => switchArchive('on'));
  await expect(switchArchive('off')).rejects.toThrow('switched again');
  await switchArchive('off');
  expect(await countProtected()).toBe(0);
});

it('turning the archive off again reaches every document, though the first run stored its position while it was turned on', async () => {
  await stored(true, COUNT);
  await interrupted('off', PAGE + 3);
  const position = present(memory.item(POSITION), 'the position');
  // Turning it on deletes the position, then changes the owner, then the documents.
  beforeWrites.push(
    () => undefined,
    () => memory.set({ ...position, ...POSITION }),
    ...Array.from({ length: 20 }, () => () => undefined),
    () => {
      throw new Error('interrupted');
    },
  );
  await expect(switchArchive('on')).rejects.toThrow('interrupted');
  beforeWrites.length = 0;
  await switchArchive('off');
  expect(await countProtected()).toBe(0);
});

describe('the question before an archive ends', () => {
  const CONSEQUENCE =
    'The documents of ended requests of Acme (at most 1) will be removed for good: seven days after each one’s end, older ones by the next run of purge.';

  beforeEach(async () => {
    await stored(true, 2);
    await changed(table, ids[0] ?? '', (request, now) =>
      cancel(request, { actor: 'client', reason: null }, now),
    );
  });

  it('says how many requests it is about, and without a yes nothing changes', async () => {
    const no = person('no');
    await expect(update({ archive: 'off' }, no)).rejects.toThrow('Nothing was changed.');
    expect(no.seen).toEqual([`${CONSEQUENCE} Continue? (yes/no) `]);
    await expect(update({ archive: 'off' })).rejects.toThrow(`${CONSEQUENCE} Give --yes to do it.`);
    expect((await findOwner(table, OWNER.id))?.archive).toBe(true);
    expect(await countProtected()).toBe(2);
  });

  it('is answered once: repeating an interrupted command resumes it', async () => {
    beforeWrites.push(
      () => undefined,
      () => {
        throw new Error('interrupted');
      },
    );
    await expect(update({ archive: 'off' }, person('yes'))).rejects.toThrow('interrupted');
    await update({ archive: 'off' });
    expect(await countProtected()).toBe(0);
  });

  it('is not asked before an archive begins, nor while no request has ended', async () => {
    await switchArchive('off');
    await update({ archive: 'on' });
    await stored(true, 1);
    await update({ archive: 'off' });
    expect(await countProtected()).toBe(0);
  });
});

it('a new webhook address is stored after the documents, since an interrupted command prints no secret', async () => {
  await stored(true, 1);
  mockClient(KMSClient)
    .onAnyCommand()
    .resolves({ CiphertextBlob: Buffer.from('encrypted') });
  const both = { archive: 'off', 'webhook-url': 'https://hooks.example.com/' };
  beforeWrites.push(
    () => undefined,
    () => {
      throw new Error('interrupted');
    },
  );
  await expect(update(both)).rejects.toThrow('interrupted');
  expect((await findOwner(table, OWNER.id))?.webhookUrl).toBeNull();
  expect(await update(both)).toMatchObject({
    archive: false,
    webhook_url: 'https://hooks.example.com/',
    webhook_secret: expect.stringMatching(/^whsec_/),
  });
});
