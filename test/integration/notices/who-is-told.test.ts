/** @behaviour lambda.batches */

import { jest } from '@jest/globals';
import { CAUSES, noticeRows, ROLES, type Role, TITLE } from '../../../docs/notices.ts';
import type { NoticeReason } from '../../../shared/requests/model.ts';
import { DAY } from '../../../shared/runtime/time.ts';
import { signerKey } from '../../../shared/store/keys.ts';
import { originalKey } from '../../../shared/store/objects.ts';
import { outboxWrite } from '../../../shared/store/outbox.ts';
import { bucket, output, replaceObject } from '../../support/aws.ts';
import { NoticeStage } from '../../support/notice-stage.ts';
import { first, type Invited } from '../../support/signing-stage.ts';
import { until } from '../../support/until.ts';

jest.setTimeout(120_000);

/** Walks the table of docs/notices.md: each thing that can happen, and the inbox of each role. */

let stage: NoticeStage;
beforeAll(async () => {
  stage = await NoticeStage.open();
}, 90_000);
afterAll(() => stage.close());

interface Scene {
  id: string;
  title: string;
  sender: string;
  signers: Record<Exclude<Role, 'sender'>, Invited>;
}

/** A request with a signer for each role; only one invitation could not be sent. */
async function sceneOf(reason: NoticeReason): Promise<Scene> {
  const title = `About ${reason}`;
  const sender = `${reason}@sender.example.com`;
  const request = await stage.sendWithFailedInvitation(title);
  await stage.notify(sender);
  return { id: request.id, title, sender, signers: request.signers };
}

async function returnsInvitation({ id, signers }: Scene, type: 'bounce' | 'complaint', event: string) {
  const mail = first(stage.service.mails(signers.about.email));
  await stage.service.cloud.services.returnMail(mail.id, type);
  await until(async () => (await stage.signing.trail(id, event)).length > 0, event, 40);
}

async function everyoneSigns({ id, signers }: Scene, final: string): Promise<void> {
  for (const signer of Object.values(signers)) {
    const client = await stage.signing.verified(signer, { freshCode: true });
    expect((await client.sign()).status).toBe(200);
  }
  await stage.signing.untilStatus(id, final);
}

const HAPPEN: Record<NoticeReason, (scene: Scene) => Promise<void>> = {
  completed: (scene) => everyoneSigns(scene, 'signed'),
  declined: async ({ signers }) => {
    const signer = await stage.signing.verified(signers.about);
    expect((await signer.decline('Too expensive')).body.sender_notified).toBe(true);
  },
  cancelled: async ({ id }) => {
    expect((await stage.signing.cancel(id)).status).toBe(200);
  },
  expired: async ({ id }) => {
    stage.service.advance(31 * DAY);
    await stage.service.runSchedule('expir');
    await stage.signing.untilStatus(id, 'expired');
  },
  mail_failed: async ({ id, signers }) => {
    stage.service.refuseMail('resend-invitation');
    expect((await stage.signing.resend(id, signers.about.id)).body.email_sent).toBe(false);
  },
  mail_bounced: (scene) => returnsInvitation(scene, 'bounce', 'mail_bounced'),
  mail_complained: (scene) => returnsInvitation(scene, 'complaint', 'mail_complained'),
  code_entry_ended: async ({ id, signers }) => {
    const wrongCodes = Array(19).fill(new Date(stage.service.cloud.clock.now()).toISOString());
    await stage.table.update(signerKey(id, stage.positionOf(signers.about)), { wrongCodes });
    const refused = await stage.signing.linkOf(signers.about).verify('000000');
    expect(refused.body).toMatchObject({ error: 'locked', locked_until: null });
  },
  sealing_failed: async (scene) => {
    const Bucket = output(stage.service, 'DocumentsBucket');
    const Key = originalKey(scene.id);
    await replaceObject(bucket(stage.service), { Bucket, Key, Body: Buffer.from('Another document') });
    await everyoneSigns(scene, 'stamp_failed');
  },
};

/** Mails that are no answer to what the signer did. */
const isNotice = (subject: string) => !/access code|asks you to sign/.test(subject);

it.each(noticeRows())('who is told of: $reason', async ({ reason, subjects }) => {
  const scene = await sceneOf(reason);
  await HAPPEN[reason](scene);
  await stage.untilOutboxIsEmpty();
  const address = (role: Role) => (role === 'sender' ? scene.sender : scene.signers[role].email);
  const told = ROLES.map((role) => [
    role,
    stage.service
      .mails(address(role))
      .map(({ subject }) => subject)
      .filter((subject) => subject.includes(scene.title) && isNotice(subject)),
  ]);
  expect(told).toEqual(
    ROLES.map((role) => {
      const subject = subjects[role]?.replace(TITLE, scene.title);
      // Of a completed request nobody in particular is the signer whom it is about.
      const ofOthers = role === 'about' && !CAUSES[reason].isAboutSigner;
      const expected = ofOthers ? subjects.invited?.replace(TITLE, scene.title) : subject;
      return [role, expected ? [expected] : []];
    }),
  );
  expect(await stage.service.admin('request', 'verify-audit', scene.id)).toMatchObject({ intact: true });
});

it('the sender reads who declined and why, and their address is in no answer', async () => {
  const mail = stage.service
    .mails('declined@sender.example.com')
    .find(({ subject }) => subject.startsWith('Declined'));
  expect(mail?.text).toContain('> Too expensive');
  expect(mail?.text).toMatch(/> Person \d+ \(person\d+@example\.com\)/);
  const { body } = await stage.signing.client.get('/api/v1/signatures?status=declined');
  const answer = await stage.signing.get(body.data[0].id);
  expect(answer.sender_email).toBeNull();
  expect(JSON.stringify(answer)).not.toContain('sender.example.com');
});

it('nobody is told where notices are off, and the signer reads that nobody is', async () => {
  await stage.notify('none');
  await stage.service.admin('org', 'update', stage.signing.client.ownerId, '--signer-notices', 'off');
  const request = await stage.sendWithFailedInvitation('In silence');
  const signer = await stage.signing.verified(request.signers.about);
  expect((await signer.decline()).body).toMatchObject({ status: 'declined', sender_notified: false });
  await stage.untilOutboxIsEmpty();
  for (const { email } of Object.values(request.signers))
    expect(stage.service.mails(email).filter(({ subject }) => isNotice(subject))).toEqual([]);
});

it('a task from before there were other notices still mails the sealed document', async () => {
  const request = await stage.signing.send();
  const [person] = request.signers;
  if (!person) throw new Error('There is no signer.');
  await stage.signing.sign(person);
  await stage.signing.untilStatus(request.id, 'signed');
  await stage.untilOutboxIsEmpty();
  const sealedMails = () => stage.service.mails(person.email).filter(({ subject }) => /sealed/.test(subject));
  expect(sealedMails()).toHaveLength(1);
  await stage.table.update(signerKey(request.id, 0), { sealedNotice: undefined });
  const { put } = outboxWrite({
    id: 'before',
    requestId: request.id,
    ownerId: stage.signing.client.ownerId,
    mode: 'live',
    createdAt: new Date(stage.service.cloud.clock.now()).toISOString(),
    sends: 0,
    notBefore: null,
    kind: 'mail',
    task: 'sealed_notices',
  }) as { put: Parameters<typeof stage.table.put>[0] };
  await stage.table.put(put);
  await stage.sweepUntilOutboxIsEmpty();
  expect(sealedMails()).toHaveLength(2);
});
