/** @behaviour s3.versions sqs.dead-letters */

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectVersionsCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { marshall } from '@aws-sdk/util-dynamodb';
import { encode } from 'fast-png';
import type * as adminModule from '../../../admin/run.ts';
import { apiKeyKey, ownersKeyKey, requestPartition } from '../../../shared/store/keys.ts';
import { evidenceKey, originalKey, sealedKey } from '../../../shared/store/objects.ts';
import { Table } from '../../../shared/store/table.ts';
import { bucket, database, output, replaceObject } from '../../support/aws.ts';
import { makeDemoCa, makeDemoSealIdentity, toPkcs12 } from '../../support/demo-keys.ts';
import { loadOnce } from '../../support/load-once.ts';
import { person, pipes } from '../../support/operator-terminal.ts';
import { makePdf } from '../../support/pdf.ts';
import { runFolder } from '../../support/run-folder.ts';
import { follow } from '../../support/runbook.ts';
import { first, wrongCode } from '../../support/signing-stage.ts';
import { until } from '../../support/until.ts';
import { Stage } from './stage.ts';

/**
 * Follows entries of docs/runbook.md to the letter: each command is taken from the page, with the reader's values in its
 * placeholders. Entries that begin with a fault are in operator.test.ts. test/unit/project/runbook.test.ts checks that no
 * command is left out.
 */

const admin = loadOnce<typeof adminModule>(new URL('../../../admin/run.ts', import.meta.url));

let stage: Stage;
let folder: string;
let s3: S3Client;
beforeAll(async () => {
  stage = await Stage.openCold();
  folder = mkdtempSync(join(tmpdir(), 'runbook-'));
  s3 = bucket(stage.service);
}, 90_000);
afterAll(async () => {
  s3?.destroy();
  rmSync(folder, { recursive: true, force: true });
  await stage?.close();
});

/** Runs an `admin` command of the page. */
async function followHere(
  section: string,
  command: string,
  values: Readonly<Record<string, string>> = {},
  terminal = pipes(),
): Promise<ReturnType<typeof JSON.parse>> {
  const [, ...words] = follow(section, command, values);
  return JSON.parse(await admin.run([...words, '--json', '--dir', stage.service.dir], terminal));
}

/** Makes a call of `aws s3api` on the page: its options are the input's members. */
function followS3(section: string, command: string, values: Readonly<Record<string, string>>) {
  const words = follow(section, command, values);
  const at = (option: string) => words[words.indexOf(option) + 1] ?? '';
  return {
    Bucket: at('--bucket'),
    ...(words.includes('--prefix') && { Prefix: at('--prefix') }),
    Key: at('--key'),
    ...(words.includes('--version-id') && { VersionId: at('--version-id') }),
    file: words.at(-1) ?? '',
  };
}

const owner = () => ({ ID: stage.client.ownerId });

describe('entries about what waits and runs', () => {
  it('the first look and the look at queues and jobs show a service without problems', async () => {
    const status = await followHere('First look', 'admin status');
    expect(status.problems).toEqual([]);
    expect((await followHere('Seals that wait', 'admin status')).awaiting_stamp.count).toBe(0);
    for (const queue of await followHere('Queues that wait', 'admin queue list'))
      expect(queue).toMatchObject({ waiting: expect.any(Number), in_flight: expect.any(Number) });
    const jobs = await followHere('Outbox backlog', 'admin job list');
    expect(jobs).toContainEqual(expect.objectContaining({ job: 'sweep' }));
    expect(await followHere('Outbox backlog', 'admin queue redrive NAME', { NAME: 'events' })).toEqual({
      queue: 'events',
      moved: 0,
    });
  });

  it('a job that did not run, or failed, is run by hand', async () => {
    const listed = await followHere('Jobs that do not run', 'admin job list');
    expect(listed).toContainEqual(expect.objectContaining({ job: 'expire' }));
    expect(await followHere('Routine work', 'admin job list')).toHaveLength(listed.length);
    const late = await followHere('Jobs that do not run', 'admin job run NAME', { NAME: 'expire' });
    expect(late).toMatchObject({ job: 'expire', ended_at: expect.any(String) });
    const failed = await followHere('Items that fail', 'admin job run NAME', { NAME: 'purge' });
    expect(failed).toMatchObject({ job: 'purge', failed: 0 });
    const jobs = await followHere('Items that fail', 'admin job list');
    expect(jobs).toContainEqual(expect.objectContaining({ job: 'purge', failed: 0 }));
    const renewed = await followHere('Renewals that are overdue', 'admin job run gather-revocation');
    expect(renewed).toMatchObject({ job: 'gather-revocation', failed: 0 });
    const { id } = await stage.send();
    const shown = await followHere('Items that fail', 'admin request show ID', { ID: id });
    expect(shown).toMatchObject({ purge_at: null, purged_at: null });
  });

  it('a mail that bounced is shown with its request', async () => {
    const { id, signers } = await stage.send();
    const [mail] = stage.service.mails(signers[0]?.email ?? '');
    await stage.service.cloud.services.returnMail(mail?.id ?? '', 'bounce');
    await until(async () => (await stage.countEvents(id, 'mail_bounced')) === 1, 'the bounce', 40);
    const shown = await followHere('A mail that did not arrive', 'admin request show ID', { ID: id });
    expect(shown.signers[0].mails).toMatchObject([{ kind: 'invitation', outcome: 'bounced' }]);
  });

  it('dead letters that nothing can process are deleted', async () => {
    expect(await followHere('Dead letters', 'admin queue clear NAME', { NAME: 'mail' })).toEqual({
      queue: 'mail',
      cleared: 0,
    });
  });
});

describe('entries about certificates', () => {
  it('a new certificate and a new timestamp authority are imported, and shown by the status', async () => {
    const { service } = stage;
    const now = new Date(service.cloud.clock.now());
    const fileOf = (name: string, test: boolean) => {
      const identity = makeDemoSealIdentity(makeDemoCa(now), { now, test });
      const file = join(folder, name);
      // The command reads the environment that the test's process was started with.
      writeFileSync(file, toPkcs12(identity, runFolder()));
      return { FILE: file, NAME: 'TEST_RUN_FOLDER' };
    };
    const imported = await followHere(
      'Certificates',
      'admin seal-key import-p12 --file FILE --passphrase-env NAME',
      fileOf('seal.p12', false),
    );
    expect(imported.test).toBe(false);
    const importedForTest = await followHere(
      'Certificates',
      'admin seal-key import-p12 --file FILE --passphrase-env NAME --test',
      fileOf('test-seal.p12', true),
    );
    expect(importedForTest.test).toBe(true);
    const authorities = await followHere('Certificates', 'admin timestamp set --url URL --ca-file FILE', {
      URL: service.cloud.timestampUrl,
      FILE: service.cloud.timestampCa,
    });
    expect(authorities).toHaveLength(1);
    expect(await followHere('Certificates', 'admin timestamp list')).toEqual(authorities);
    await followHere('Certificates', 'admin job run check-certificates');
    const { certificates } = await followHere('Certificates', 'admin status');
    expect(certificates).toContainEqual(
      expect.objectContaining({ certificate: 'seal', expires_at: imported.expires_at }),
    );
    expect(certificates).toContainEqual(
      expect.objectContaining({ certificate: 'test_seal', expires_at: importedForTest.expires_at }),
    );
    expect(await followHere('Certificates', 'admin request restamp --all-failed')).toEqual({ queued: 0 });
  });
});

describe('entries about requests', () => {
  it('a request is found, looked at and cancelled', async () => {
    const request = await stage.send();
    const listed = await followHere('Find a request', 'admin request list --org ID', owner());
    expect(listed.requests[0]).toMatchObject({ request_id: request.id, status: 'sent' });
    const [signer] = request.signers;
    const found = await followHere('Find a request', 'admin request list --signer ADDRESS', {
      ADDRESS: signer?.email ?? '',
    });
    expect(found.requests).toEqual([listed.requests[0]]);

    const ID = request.id;
    expect(await followHere('Look at a request', 'admin request show ID', { ID })).toMatchObject({
      request_id: ID,
    });
    const verdict = await followHere('Look at a request', 'admin request verify-audit ID', { ID });
    expect(verdict).toMatchObject({ intact: true });
    const values = { ID, TEXT: 'Asked for by phone' };
    const cancelled = await followHere('Cancel a request', 'admin request cancel ID --reason TEXT', values);
    expect(cancelled).toMatchObject({ request_id: ID, status: 'cancelled' });
  });

  it('a guessed code is in the trail with the address that entered it', async () => {
    const { id, signers } = await stage.send();
    const { access_token: token, email } = first(signers);
    const signer = stage.service.signer(token);
    await signer.open();
    await signer.verify(wrongCode(stage.service.code(email)));
    const shown = await followHere('Guessed codes', 'admin request show ID', { ID: id });
    expect(shown.audit_trail).toContainEqual(
      expect.objectContaining({ type: 'code_wrong', ip_address: expect.any(String) }),
    );
  });

  it('the sign-ins of a user are looked up', async () => {
    const { user_id: ID } = await stage.service.admin('user', 'create', '--email', 'guessed@example.com');
    const users = await followHere('Guessed codes', 'admin user list');
    expect(users).toContainEqual(expect.objectContaining({ user_id: ID, email: 'guessed@example.com' }));
    expect(await followHere('Guessed codes', 'admin account log ID', { ID })).toEqual([]);
  });

  it('an organization that invites invented addresses is stopped', async () => {
    const other = await stage.service.client();
    const { id } = await stage.send(1, {}, other);
    await followHere('Mail reputation', 'admin org update ID --subscription inactive', {
      ID: other.ownerId,
    });
    await expect(stage.send(1, {}, other)).rejects.toThrow('subscription_inactive');
    await followHere('Mail reputation', 'admin request cancel ID', { ID: id });
    const { signers } = await followHere('Mail reputation', 'admin request show ID', { ID: id });
    expect(signers).toEqual([expect.objectContaining({ invitation: expect.anything() })]);
  });

  it('a person’s data is exported and erased', async () => {
    const { id, signers } = await stage.send();
    const ADDRESS = signers[0]?.email ?? '';
    const held = await followHere(
      'A person asks for their data, or to be erased',
      'admin person export --email ADDRESS',
      { ADDRESS },
    );
    expect(JSON.stringify(held)).toContain(id);
    const erased = await followHere(
      'A person asks for their data, or to be erased',
      'admin person erase --email ADDRESS',
      { ADDRESS },
    );
    // The request is still open, so it keeps its signer and is named.
    expect(JSON.stringify(erased)).toContain(id);
    await stage.cancel(id);
    const asked = person('yes');
    await followHere(
      'A person asks for their data, or to be erased',
      'admin person erase --email ADDRESS --purge',
      { ADDRESS },
      asked,
    );
    expect(asked.seen).toEqual([expect.stringContaining('will be removed for good')]);
    expect((await stage.get(id)).retention).toMatchObject({ pdf_purged: true });
  });
});

describe('entries about organizations', () => {
  const settings = async () => stage.service.admin('org', 'show', stage.client.ownerId);

  it('archive, notices and reminders are switched, and the organization shows it', async () => {
    await followHere('Switch the archive on or off', 'admin org update ID --archive on', owner());
    const notify = { ...owner(), 'ADDRESS|none': 'office@example.com' };
    await followHere('Switch notices on or off', 'admin org update ID --notify ADDRESS|none', notify);
    const notices = { ...owner(), 'on|off': 'off' };
    await followHere('Switch notices on or off', 'admin org update ID --signer-notices on|off', notices);
    await followHere('Switch reminders off', 'admin org update ID --reminders off', owner());
    expect(await followHere('Look at an organization', 'admin org show ID', owner())).toMatchObject({
      archive: true,
      notify: 'office@example.com',
      signer_notices: false,
      reminders: false,
    });
    const { id } = await stage.send();
    await stage.cancel(id);
    const ending = person('yes');
    await followHere('Switch the archive on or off', 'admin org update ID --archive off', owner(), ending);
    expect(ending.seen).toEqual([expect.stringContaining('will be removed for good')]);
    expect(await settings()).toMatchObject({ archive: false });
    const user = await stage.service.admin('user', 'create', '--email', 'user@example.com');
    const values = { ID: user.user_id, 'ADDRESS|none': 'none' };
    const changed = await followHere(
      'Switch notices on or off',
      'admin user update ID --notify ADDRESS|none',
      values,
    );
    expect(changed).toMatchObject({ user_id: user.user_id });
  });

  it('an organization is renamed: new requests have the new name', async () => {
    const values = { ...owner(), NAME: 'Renamed Oy' };
    await followHere('Rename an organization', 'admin org rename ID NAME', values);
    expect((await settings()).name).toBe('Renamed Oy');
    const { id } = await stage.send();
    expect((await stage.service.admin('request', 'show', id)).owner_name).toBe('Renamed Oy');
  });

  it('an owner gets a brand', async () => {
    const logo = join(folder, 'logo.png');
    writeFileSync(
      logo,
      encode({ width: 80, height: 20, channels: 3, depth: 8, data: new Uint8Array(4_800) }),
    );
    await followHere('Give an owner a brand', 'admin brand set ID --name NAME --logo FILE', {
      ...owner(),
      NAME: 'Kotilinna',
      FILE: logo,
    });
    expect(await followHere('Give an owner a brand', 'admin brand show ID', owner())).toMatchObject({
      name: 'Kotilinna',
      logo: { width: 80, height: 20 },
    });
  });

  it('a leaked key is revoked, by itself or by its id, and what it did is found', async () => {
    const leaked = await stage.service.client();
    const { id } = await stage.send(1, {}, leaked);
    const ID = leaked.ownerId;
    const list = () => followHere('A key was leaked', 'admin key list --org ID', { ID });
    // An answer does not wait for it longer than a moment.
    await until(async () => (await list())[0].last_used_at !== null, 'the record of the key’s use');
    const [key] = await list();
    expect(key).toMatchObject({
      prefix: expect.stringMatching(/^esk_live_[\w-]{4}$/),
      last_used_at: expect.any(String),
      revoked_at: null,
    });
    const made = await followHere('A key was leaked', 'admin key create --org ID --name NAME', {
      ID,
      NAME: 'Billing 2',
    });
    await followHere('A key was leaked', 'admin key revoke KEY_ID', { KEY_ID: key.key_id });
    expect((await leaked.get('/api/v1/signatures')).status).toBe(401);
    const revoked = await followHere('A key was leaked', 'admin key revoke', {}, person(made.api_key));
    expect(revoked.key_id).toBe(made.key_id);
    const since = await followHere('A key was leaked', 'admin request list --org ID --since DATE', {
      ID,
      DATE: new Date(stage.service.cloud.clock.now()).toISOString().slice(0, 10),
    });
    expect(since.requests).toEqual([expect.objectContaining({ request_id: id })]);
  });

  it('an organization’s webhook address gets a new secret when it is set again', async () => {
    const { ownerId: ID } = await stage.service.client();
    const setAgain = async () =>
      followHere('Change another secret', 'admin org update ID --webhook-url URL', {
        ID,
        URL: stage.receiver.url,
      });
    const [former, latter] = [await setAgain(), await setAgain()];
    expect(latter.webhook_secret).toMatch(/^whsec_/);
    expect(latter.webhook_secret).not.toBe(former.webhook_secret);
  });

  it('an organization that leaves creates nothing more, and keeps what it has until its keys are revoked', async () => {
    const leaving = await stage.service.client({ archive: true });
    const { id } = await stage.send(1, {}, leaving);
    const ID = leaving.ownerId;
    const ended = await followHere('An organization leaves', 'admin org update ID --subscription none', {
      ID,
    });
    expect(ended).toMatchObject({ subscription: 'none' });
    const refused = await leaving.post('/api/v1/signatures', {
      title: 'Another contract',
      signers: [{ email: 'ann@example.com' }],
      document: { content_base64: (await makePdf()).toString('base64') },
    });
    expect([refused.status, refused.body.error]).toEqual([402, 'subscription_required']);
    const open = await followHere('An organization leaves', 'admin request list --org ID --status STATE', {
      ID,
      STATE: 'sent',
    });
    expect(open.requests).toEqual([expect.objectContaining({ request_id: id })]);
    const values = { ID: id, TEXT: 'The organization leaves' };
    await followHere('An organization leaves', 'admin request cancel ID --reason TEXT', values);
    expect((await leaving.get(`/api/v1/signatures/${id}`)).body.status).toBe('cancelled');
    const [key] = await followHere('An organization leaves', 'admin key list --org ID', { ID });
    await followHere('An organization leaves', 'admin key revoke KEY_ID', { KEY_ID: key.key_id });
    expect((await leaving.get(`/api/v1/signatures/${id}`)).status).toBe(401);
    await followHere('An organization leaves', 'admin org update ID --archive off', { ID }, person('yes'));
    const shown = await stage.service.admin('request', 'show', id);
    expect(shown.purge_at).not.toBeNull();
  });
});

describe('entries about a restore', () => {
  it('a restored table is reconciled, and its queues are emptied', async () => {
    expect(await followHere('Restore the table', 'admin reconcile')).toMatchObject({ consistent: true });
    const status = await followHere('Restore the table', 'admin status');
    expect(status.dead_letters.deliveries).toBe(0);
    const redriven = await followHere('Restore the table', 'admin queue redrive NAME', {
      NAME: 'deliveries',
    });
    expect(redriven).toEqual({ queue: 'deliveries', moved: 0 });
  });

  it('a key that a restore gives back is found by the saved answers, and revoked again', async () => {
    const client = await stage.service.client();
    const ID = client.ownerId;
    const dynamo = database(stage.service);
    const TableName = output(stage.service, 'TableName');
    type ListedKey = { key_id: string; organization_id?: string; revoked_at: string | null };
    const keys = async () =>
      ((await followHere('Restore the table', 'admin key list')) as ListedKey[]).filter(
        ({ organization_id: owner }) => owner === ID,
      );
    const [{ key_id: KEY_ID }] = (await keys()) as [ListedKey];
    const items = [apiKeyKey(KEY_ID), ownersKeyKey(ID, KEY_ID)].map((key) =>
      dynamo.send(new GetItemCommand({ TableName, Key: marshall(key), ConsistentRead: true })),
    );
    const before = await Promise.all(items);
    await followHere('Restore the table', 'admin key revoke KEY_ID', { KEY_ID });

    const saved = await keys();
    expect(saved).toMatchObject([{ key_id: KEY_ID, revoked_at: expect.any(String) }]);
    const listed = await followHere('Restore the table', 'admin org list');
    expect(listed).toContainEqual(expect.objectContaining({ organization_id: ID }));
    const shown = await followHere('Restore the table', 'admin org show ID', { ID });
    expect(shown).toMatchObject({ members: [], archive: false, subscription: expect.any(String) });
    expect(await followHere('Restore the table', 'admin user list')).toEqual(expect.any(Array));

    for (const { Item } of before) await dynamo.send(new PutItemCommand({ TableName, Item }));
    dynamo.destroy();
    expect((await client.get('/api/v1/signatures')).status).toBe(200);
    expect(await keys()).toMatchObject([{ key_id: KEY_ID, revoked_at: null }]);
    await followHere('Restore the table', 'admin key revoke KEY_ID', { KEY_ID });
    expect((await client.get('/api/v1/signatures')).status).toBe(401);
  });

  it('a request whose last signature a restore took back is signed and sealed anew', async () => {
    // Nothing is reported to this owner, so that the trail rests once the signer has the sealed mail.
    const client = await stage.service.client();
    const request = await stage.send(1, {}, client);
    const { id: ID } = request;
    const signer = await stage.verifiedLate(request);
    const dynamo = database(stage.service);
    const table = new Table(dynamo, output(stage.service, 'TableName'));
    const stored = () => table.queryAll({ pk: requestPartition(ID), consistent: true });
    const before = await stored();
    await signer.sign();
    await until(
      async () => (await stored()).some(({ type }) => type === 'sealed_notice_sent'),
      'the sealed mail',
    );
    for (const { pk, sk } of await stored()) await table.delete({ pk: String(pk), sk: String(sk) });
    for (const { pk, sk, ...item } of before) await table.put({ pk: String(pk), sk: String(sk), ...item });

    const Bucket = output(stage.service, 'DocumentsBucket');
    const { seals_without_signatures: found } = await followHere('Restore the table', 'admin reconcile');
    expect(found).toEqual([{ request_id: ID, status: 'opened', keys: [sealedKey(ID), evidenceKey(ID)] }]);
    for (const KEY of found[0].keys) {
      const deletion = followS3('Reconcile', 'aws s3api delete-object --bucket BUCKET --key KEY', {
        BUCKET: Bucket,
        KEY,
      });
      await s3.send(new DeleteObjectCommand(deletion));
    }
    expect(await followHere('Reconcile', 'admin reconcile')).toMatchObject({ consistent: true });
    await signer.sign();
    await stage.service.untilStatus(client, ID, 'signed');
    const verdict = await followHere('Look at a request', 'admin request verify-audit ID', { ID });
    expect(verdict).toMatchObject({ intact: true, anchored: true });
    dynamo.destroy();
  }, 90_000);

  it('a file that somebody replaced comes back by removing what lies above its version', async () => {
    const { id } = await stage.send();
    const Bucket = output(stage.service, 'DocumentsBucket');
    const KEY = originalKey(id);
    const original = await (
      await s3.send(new GetObjectCommand({ Bucket, Key: KEY }))
    ).Body?.transformToString('latin1');
    await replaceObject(s3, { Bucket, Key: KEY, Body: Buffer.from('another document') });

    const { Prefix } = followS3(
      'Restore a file',
      'aws s3api list-object-versions --bucket BUCKET --prefix requests/ID/',
      { BUCKET: Bucket, 'requests/ID/': `requests/${id}/` },
    );
    const listed = await s3.send(new ListObjectVersionsCommand({ Bucket, Prefix }));
    const newer = listed.Versions?.find(({ IsLatest }) => IsLatest)?.VersionId ?? '';
    const marker = listed.DeleteMarkers?.[0]?.VersionId ?? '';

    const copy = followS3(
      'Restore a file',
      'aws s3api get-object --bucket BUCKET --key KEY --version-id VERSION FILE',
      { BUCKET: Bucket, KEY, VERSION: newer, FILE: join(folder, 'evidence.pdf') },
    );
    const { Body } = await s3.send(new GetObjectCommand(copy));
    writeFileSync(copy.file, (await Body?.transformToByteArray()) ?? '');
    for (const VERSION of [newer, marker])
      await s3.send(
        new DeleteObjectCommand(
          followS3(
            'Restore a file',
            'aws s3api delete-object --bucket BUCKET --key KEY --version-id VERSION',
            { BUCKET: Bucket, KEY, VERSION },
          ),
        ),
      );
    expect(existsSync(copy.file) && readFileSync(copy.file, 'utf8')).toBe('another document');
    const restored = await s3.send(new GetObjectCommand({ Bucket, Key: KEY }));
    expect(await restored.Body?.transformToString('latin1')).toBe(original);

    const found = await followHere('Reconcile', 'admin reconcile');
    expect(found).toMatchObject({ consistent: true });
    const cancelled = await followHere('Reconcile', 'admin request cancel ID', { ID: id });
    expect(cancelled).toMatchObject({ status: 'cancelled' });
  });
});
