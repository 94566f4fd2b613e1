import { codeMailed, documentViewed, requestCode } from '../../../shared/requests/codes.ts';
import { compareWithEvents, operationalAttributes } from '../../../shared/requests/compare-with-events.ts';
import { correct } from '../../../shared/requests/correcting.ts';
import type { NewRequest } from '../../../shared/requests/creating.ts';
import {
  cancel,
  decline,
  expire,
  purged,
  restamp,
  sealed,
  sealFailed,
} from '../../../shared/requests/ending.ts';
import { erasePerson } from '../../../shared/requests/erasing.ts';
import {
  invitationsMailed,
  invitationsReported,
  invited,
  resent,
  rotateCode,
} from '../../../shared/requests/inviting.ts';
import type { Change, SignatureRequest } from '../../../shared/requests/model.ts';
import { noticesMailed } from '../../../shared/requests/notices.ts';
import { filesRenewed } from '../../../shared/requests/renewing.ts';
import { open, type SignInput, sign } from '../../../shared/requests/signing.ts';
import { DAY, SECOND } from '../../../shared/runtime/time.ts';
import { drawnSignatureKey, originalKey, sealedKey } from '../../../shared/store/objects.ts';
import { loadRequestWithTrail } from '../../../shared/store/requests.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { at, DOCUMENT_SHA256, NOON, newRequest, OWNER, VISITOR } from '../../support/requests.ts';
import { changed, storedNew } from '../../support/stored-requests.ts';

const memory = new MemoryDynamo();
const { table } = memory;
const OBJECT_KEYS = { original: originalKey, sealed: sealedKey, drawing: drawnSignatureKey };
const SHA256 = 'c'.repeat(64);

type Step = (request: SignatureRequest, now: Date) => Change | undefined;

const idOf = ({ signers }: SignatureRequest, place: number) => signers[place]?.id ?? '';
const by = (request: SignatureRequest, place: number) => ({
  signerId: idOf(request, place),
  visitor: VISITOR,
});

const mail =
  (...outcomes: boolean[]): Step =>
  (request, now) => {
    const signers = request.signers.map((signer, place) => {
      const isSent = outcomes[place] ?? true;
      const outcome = { sent: isSent, error: isSent ? null : 'rejected' };
      return invited(request, signer, outcome, new Date(now.getTime() - place).toISOString());
    });
    return { state: request.state, signers, audit: [], effects: [] };
  };
const report: Step = (request, now) => invitationsReported(request, now);
/** Records the invitations of these signers alone. */
const invites =
  (...places: number[]): Step =>
  (request, now) => {
    const outcome = { sent: true, error: null, at: now.toISOString() };
    return invitationsMailed(request, new Map(places.map((place) => [idOf(request, place), outcome])), now);
  };
const opens =
  (place: number): Step =>
  (request, now) =>
    open(request, by(request, place), now);
const views =
  (place: number): Step =>
  (request, now) =>
    documentViewed(request, by(request, place), now);
const rotates =
  (place: number): Step =>
  (request, now) =>
    rotateCode(request, { signerId: idOf(request, place), codeHash: 'x', locale: 'fi' }, now);
const resends =
  (place: number, isSent = true): Step =>
  (request, now) =>
    resent(request, { signerId: idOf(request, place), sent: isSent, error: isSent ? null : 'rejected' }, now);
const corrects =
  (place: number, changes: { email?: string; name?: string }): Step =>
  (request, now) =>
    correct(request, { signerId: idOf(request, place), ...changes, accessToken: 'new', codeHash: 'x' }, now);
const signs =
  (place: number, input: Partial<SignInput> = {}): Step =>
  (request, now) =>
    sign(
      request,
      {
        ...by(request, place),
        name: `Signer ${place} Smith`,
        documentSha256: DOCUMENT_SHA256,
        consentVersion: '1',
        consentLocale: 'de',
        signature: { type: 'typed', value: 'Signed', style: 'serif' },
        representing: null,
        ...input,
      },
      now,
    );
const drawn =
  (place: number): Step =>
  (request, now) =>
    signs(place, {
      signature: {
        type: 'drawn',
        value: drawnSignatureKey(request.state.id, idOf(request, place), SHA256),
        drawingSha256: SHA256,
      },
      representing: { name: 'Oy Ab', role: 'CEO', entityId: '1234567-8' },
    })(request, now);
const sealsWith =
  (
    more: Pick<Parameters<typeof sealed>[1], 'evidenceHash' | 'holdsUntil'> = {},
    archiveProtected = false,
  ): Step =>
  (request, now) =>
    sealed(
      request,
      {
        ...more,
        record: {
          sealedAt: NOON.toISOString(),
          objectKey: sealedKey(request.state.id),
          size: 9,
          pagesAdded: 1,
          technical: { algorithm: 'rsa', subject: 'CN=Seal' },
        },
        documentHash: SHA256,
        archiveProtected,
        baseUrl: 'https://example.com',
      },
      now,
    );
const seals = sealsWith();
const renews: Step = (request, now) =>
  filesRenewed(
    request,
    {
      renewals: 0,
      files: {
        documentHash: 'd'.repeat(64),
        evidenceHash: 'e'.repeat(64),
        endsAt: at(900 * DAY).toISOString(),
      },
      actor: 'service',
    },
    now,
  );
const cancels: Step = (request, now) => cancel(request, { actor: 'client', reason: 'Wrong file' }, now);
const declines =
  (place: number): Step =>
  (request, now) =>
    decline(request, { ...by(request, place), reason: 'No' }, now);
const failsToSeal: Step = (request, now) => sealFailed(request, { code: 'x' }, now);
const notifies =
  (place: number, sent: boolean): Step =>
  (request, now) => {
    const mail = { recipient: idOf(request, place), sent, error: sent ? null : 'rejected' };
    return noticesMailed(request, 'completed', [{ kind: 'completed', ...mail }], now);
  };
const asksForCode: Step = (request, now) => requestCode(request, { ...by(request, 0), codeHash: 'x' }, now);
const codeSent: Step = (request, now) =>
  codeMailed(request, { ...by(request, 0), sent: true, error: null }, now);
const expires: Step = (request) => expire(request, at(31 * DAY));
const purges: Step = (request) => purged(request, at(90 * DAY));

const erases =
  (place: number): Step =>
  (request, now) =>
    erasePerson(request, { signerId: idOf(request, place), shownAs: 'Erased person' }, now);

const RIGHT = { email: 'right@example.com', name: 'Right' };
const sentTo = [mail(), report];
const signedByAll = [...sentTo, opens(0), views(0), signs(0), opens(1), drawn(1)];

const LIVES: Record<string, Step[]> = {
  'was just created': [],
  'has mailed but not reported its invitations': [mail()],
  'could mail nobody, and has not reported it': [mail(false, false)],
  'was sent': sentTo,
  'could mail one of two': [mail(false, true), report],
  'could mail nobody': [mail(false, false), report],
  'could mail nobody at first': [mail(false, false), report, rotates(1), resends(1)],
  'was resent in another language': [...sentTo, rotates(0), resends(0), rotates(1), resends(1, false)],
  'was resent while a signer signed': [...sentTo, rotates(0), signs(0), resends(0)],
  'was resent while it was cancelled': [...sentTo, rotates(0), cancels, resends(0)],
  'was resent while another declined': [...sentTo, rotates(0), declines(1), resends(0)],
  'could mail nobody before it was cancelled': [mail(false, false), report, rotates(0), cancels, resends(0)],
  'could mail nobody before it was opened': [mail(false, false), report, opens(1), rotates(0), resends(0)],
  'was opened': [...sentTo, opens(1), asksForCode, codeSent, views(1)],
  'was opened before its invitations were reported': [opens(0), mail(), report],
  'was corrected, and is being mailed': [...sentTo, opens(0), views(0), corrects(0, RIGHT)],
  'was corrected and mailed': [...sentTo, corrects(1, { name: 'Right' }), resends(1)],
  'was corrected and could not be mailed': [...sentTo, opens(0), corrects(0, RIGHT), resends(0, false)],
  'was corrected twice and signed': [
    ...sentTo,
    ...[opens(0), views(0), corrects(0, RIGHT), resends(0), opens(0)],
    ...[
      corrects(0, { email: 'righter@example.com' }),
      resends(0),
      opens(0),
      views(0),
      signs(0),
      opens(1),
      signs(1),
    ],
  ],
  'forgot a corrected signer': [...sentTo, corrects(0, RIGHT), resends(0), cancels, purges, erases(0)],
  'was cancelled': [...sentTo, opens(0), cancels],
  'was cancelled before the second signer was invited': [invites(0), cancels, invites()],
  'was cancelled while the first signer was invited': [cancels, invites(0)],
  'was declined before the second signer was invited': [invites(0), declines(0), invites()],
  'expired before the second signer was invited': [invites(0), expires, invites()],
  'was cancelled after a signature': [...sentTo, signs(1), cancels],
  'was declined': [...sentTo, signs(1), declines(0)],
  'was declined without a visit': [...sentTo, declines(0)],
  expired: [...sentTo, opens(1), expires],
  'was signed by one': [...sentTo, signs(1)],
  'awaits its seal': signedByAll,
  'could not be sealed': [...signedByAll, failsToSeal],
  'awaits its seal again': [...signedByAll, failsToSeal, (request, now) => restamp(request, now)],
  'was sealed': [...signedByAll, seals],
  'was sealed and its signers told': [...signedByAll, seals, notifies(0, false), notifies(1, true)],
  'was sealed with evidence, and renewed': [
    ...signedByAll,
    sealsWith({ evidenceHash: 'f'.repeat(64), holdsUntil: at(400 * DAY).toISOString() }, true),
    renews,
  ],
  'was purged': [...signedByAll, seals, purges],
  'forgot one signer': [...signedByAll, seals, purges, erases(0)],
  'forgot both signers': [...signedByAll, seals, purges, erases(1), erases(0)],
  'forgot who declined': [...sentTo, signs(1), declines(0), purges, erases(0)],
};

/** With a value for every member that may have one. */
type WithAll<T> = T extends string | number | boolean ? T : { [K in keyof T]-?: WithAll<NonNullable<T[K]>> };

/** Each step of a life at its own second. */
async function live(steps: Step[], overrides: Partial<NewRequest> = {}) {
  const { state } = await storedNew(table, 2, overrides);
  for (const [n, step] of steps.entries()) await changed(table, state.id, step, at((n + 1) * SECOND));
  const stored = await loadRequestWithTrail(table, state.id);
  if (!stored) throw new Error('The request was stored.');
  return stored;
}

describe('compareWithEvents', () => {
  it.each(Object.entries(LIVES))('a request that %s is what its events state', async (_, steps) => {
    const stored = await live(steps);
    expect(compareWithEvents(stored.state.id, stored, OBJECT_KEYS)).toEqual([]);
  });

  it('a rewritten attribute is named with its value and the one that the events state', async () => {
    const stored = await live(signedByAll);
    const [first, second] = stored.signers;
    if (!first?.signature || !second?.signature) throw new Error('Both have signed.');
    const forged = {
      ...stored,
      state: { ...stored.state, title: 'Another contract', status: 'signed' as const },
      content: { ...stored.content, message: 'Please' },
      signers: [
        { ...first, email: 'mallory@example.com' },
        { ...second, signature: { ...second.signature, consentVersion: '2' } },
      ],
    };
    const digest = stored.events[0]?.details.message_sha256;
    expect(compareWithEvents(stored.state.id, forged, OBJECT_KEYS)).toEqual([
      { item: 'request', attribute: 'status', stored: 'signed', event: 'awaiting_stamp' },
      { item: 'request', attribute: 'title', stored: 'Another contract', event: 'Contract' },
      {
        item: 'content',
        attribute: 'message',
        stored: expect.not.stringMatching(String(digest)),
        event: digest,
      },
      { item: 'signer 0', attribute: 'email', stored: 'mallory@example.com', event: 'signer0@example.com' },
      { item: 'signer 1', attribute: 'signature.consentVersion', stored: '2', event: '1' },
    ]);
  });

  it('all that a request can be made with is what its events state', async () => {
    const { request } = newRequest();
    // A member that a request gets some day does not compile until it has a value here.
    const everything: WithAll<NewRequest> = {
      id: request.state.id,
      owner: { ...OWNER, reminders: false },
      title: 'Lease',
      reference: 'order-1',
      createdBy: { userId: 'user-1', email: 'eva@example.com' },
      expiresInDays: 7,
      locale: 'fi',
      reminders: false,
      content: {
        message: 'Please sign',
        metadataJson: '{"order":1}',
        filename: 'lease.pdf',
        documentSize: 2_000,
        documentSha256: 'b'.repeat(64),
        documentKey: request.content.documentKey,
        pageCount: 2,
        alreadySigned: true,
        attachments: { count: 1, listed: [{ filename: 'a.xml', size: 3 }] },
        returnUrl: 'https://example.com/done',
      },
      signers: [0, 1].map((n) => ({
        name: 'Aino',
        locale: 'sv',
        codeHash: 'x',
        id: `signer-${n}`,
        email: `${n}@example.com`,
        accessToken: `t-${n}`,
      })),
    };
    const nameless = everything.signers.map((signer) => ({ ...signer, name: null }));
    for (const signers of [everything.signers, nameless]) {
      const { id } = newRequest().request.state;
      const stored = await live([...sentTo, corrects(0, RIGHT)], { ...everything, id, signers });
      expect(
        compareWithEvents(id, stored, { ...OBJECT_KEYS, original: () => stored.content.documentKey }),
      ).toEqual([]);
    }
  });

  it.each([
    'was sent',
    'could mail nobody',
    'was corrected, and is being mailed',
    'was sealed and its signers told',
    'was sealed with evidence, and renewed',
  ])(
    'of a request that %s, every attribute that is changed or missing is named, unless it is operational',
    async (life) => {
      const stored = await live(LIVES[life] ?? []);
      const operational = operationalAttributes();
      const named = (changes: Partial<typeof stored>) =>
        compareWithEvents(stored.state.id, { ...stored, ...changes }, OBJECT_KEYS).length > 0;
      const unnoticed = (item: object, isNamed: (changed: object) => boolean) =>
        Object.entries(item).flatMap(([name, value]) =>
          // A message and metadata are texts always, if only empty ones.
          [value === null || /^(message|metadataJson)$/.test(name) ? 'forged' : null, 'forged'].every(
            (other) => isNamed({ ...item, [name]: other }),
          )
            ? []
            : [name],
        );
      const [signer, ...others] = stored.signers;
      if (!signer) throw new Error('There are two signers.');
      expect(
        unnoticed(stored.state, (state) => named({ state: state as typeof stored.state })).toSorted(),
      ).toEqual(operational.request.toSorted());
      expect(
        unnoticed(stored.content, (content) => named({ content: content as typeof stored.content })),
      ).toEqual(operational.content);
      expect(
        unnoticed(signer, (changed) => named({ signers: [changed as typeof signer, ...others] })).toSorted(),
      ).toEqual(operational.signer.toSorted());
    },
  );

  it('work that was taken up and counted is operational, and what people did is not', () => {
    const { request, content, signer } = operationalAttributes();
    expect(request).toEqual(expect.arrayContaining(['stampQueuedAt', 'version']));
    expect(content).toEqual([]);
    expect(signer).toEqual(expect.arrayContaining(['code', 'mailLeaseUntil']));
    expect(signer).not.toContain('signature');
  });

  it('a corrected signer who is not mailed yet is not sent', async () => {
    const stored = await live([...sentTo, corrects(0, RIGHT)]);
    const signers = stored.signers.map((signer) => ({ ...signer, status: 'sent' as const }));
    expect(compareWithEvents(stored.state.id, { ...stored, signers }, OBJECT_KEYS)).toEqual([
      { item: 'signer 0', attribute: 'status', stored: 'sent', event: 'pending' },
    ]);
  });

  it('a seal that is missing is named as a whole', async () => {
    const stored = await live([...signedByAll, seals]);
    const forged = { ...stored, state: { ...stored.state, seal: null } };
    expect(compareWithEvents(stored.state.id, forged, OBJECT_KEYS)).toMatchObject([
      { item: 'request', attribute: 'seal', stored: null, event: { size: 9 } },
    ]);
  });

  it('a signer more or less is named', async () => {
    const stored = await live(sentTo);
    const fewer = { ...stored, signers: stored.signers.slice(0, 1) };
    const missing = { item: 'request', attribute: 'signers', stored: 1, event: 2 };
    expect(compareWithEvents(stored.state.id, fewer, OBJECT_KEYS)).toEqual([missing]);
  });

  it('an erased value of an event is not compared', async () => {
    const stored = await live(signedByAll);
    const events = stored.events.map((event) => {
      const { name: _, ...details } = event.details;
      return event.type === 'signer_signed' ? { ...event, details } : event;
    });
    const signers = stored.signers.map((signer) => ({ ...signer, nameAsSigned: null }));
    expect(compareWithEvents(stored.state.id, { ...stored, events, signers }, OBJECT_KEYS)).toEqual([]);
  });
});
