import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { archiveCommands } from '../../../admin/archive.ts';
import { metaKey, ownerKey } from '../../../shared/store/keys.ts';
import { sealedKey } from '../../../shared/store/objects.ts';
import { addOwner } from '../../../shared/store/owners.ts';
import { ArchiveStage } from '../../support/archive-stage.ts';
import { BAD_NEWS, operatorOf, pipes } from '../../support/operator-terminal.ts';
import { ownerItem } from '../../support/owners.ts';
import { OWNER } from '../../support/requests.ts';
import { storedRequest } from '../../support/stored-requests.ts';

let stage: ArchiveStage;
beforeAll(async () => {
  stage = await ArchiveStage.open();
});
afterAll(() => stage.close());

it('archive schedule names a request whose file is gone, and gives the others their due date', async () => {
  const { memory, objects } = stage;
  const { table } = memory;
  mockClient(S3Client)
    .on(GetObjectCommand)
    .callsFake((input) => objects.s3.send(new GetObjectCommand(input)));
  const good = await stage.sealed();
  await table.delete(ownerKey(OWNER.id));
  await addOwner(table, ownerItem({ archive: true }));
  const { renewal, due_pk, due_sk, ...sealed } = memory.item(metaKey(good)) ?? {};
  memory.set({ ...sealed, ...metaKey(good) });
  const gone = (await storedRequest(table, 1, { owner: { ...OWNER, archive: true } })).state.id;
  const seal = { ...(sealed.seal as object), objectKey: sealedKey(gone) };
  memory.set({ ...memory.item(metaKey(gone)), ...metaKey(gone), seal, documentHash: sealed.documentHash });

  const notes: string[] = [];
  const run = () =>
    archiveCommands
      .find(({ name }) => name === 'archive schedule')
      ?.run({}, { ...operatorOf(table), terminal: pipes(notes), output: () => 'documents' });
  const failed = [{ request_id: gone, fault: expect.stringContaining(`${sealedKey(gone)} is gone`) }];
  expect(await run()).toEqual({ scheduled: [good], failed });
  expect(await run()).toEqual({ scheduled: [], failed });
  expect(notes).toEqual([BAD_NEWS, BAD_NEWS]);
  expect(memory.item(metaKey(good))).toMatchObject({ renewal, due_pk, due_sk });
});
