import { codeMailed, documentViewed, requestCode } from '../../../shared/requests/codes.ts';
import { compareWithEvents } from '../../../shared/requests/compare-with-events.ts';
import { correct } from '../../../shared/requests/correcting.ts';
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
import { invitationsReported, invited, resent, rotateCode } from '../../../shared/requests/inviting.ts';
import type { Change, SignatureRequest } from '../../../shared/requests/model.ts';
import { noticesMailed } from '../../../shared/requests/notices.ts';
import { open, type SignInput, sign } from '../../../shared/requests/signing.ts';
import { DAY, SECOND } from '../../../shared/runtime/time.ts';
import { drawnSignatureKey, originalKey, sealedKey } from '../../../shared/store/objects.ts';
import { loadRequestWithTrail } from '../../../shared/store/requests.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { DOCUMENT_SHA256, NOON, VISITOR } from '../../support/requests.ts';
import { changed, storedNew } from '../../support/stored-requests.ts';

const memory = new MemoryDynamo();
const { table } = memory;
const OBJECT_KEYS = { original: originalKey, sealed: sealedKey, drawing: drawnSignatureKey };
const SHA256 = 'c'.repeat(64);
const later = (milliseconds: number) => new Date(NOON.getTime() + milliseconds);

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
const seals: Step = (request, now) =>
  sealed(
    request,
    {
      record: {
        sealedAt: NOON.toISOString(),
        objectKey: sealedKey(request.state.id),
        size: 9,
        pagesAdded: 1,
        technical: { algorithm: 'rsa', subject: 'CN=Seal' },
      },
      documentHash: SHA256,
      archiveProtected: false,
      baseUrl: 'https://example.com',
    },
    now,
  );
const cancels: Step = (request, now) => cancel(request, { actor: 'client', reason: 'Wrong file' }, now);
const declines =
  (place: number): Step =>
  (request, now) =>
    decline(request, { ...by(request, place), reason: 'No' }, now);
const failsToSeal: Step = (request, now) => sealFailed(request, { code: 'x' }, now);
const notified: Step = (request, now) =>
  noticesMailed(
    request,
    'completed',
    [{ kind: 'completed', recipient: idOf(request, 0), sent: false, error: 'rejected' }],
    now,
  );
const asksForCode: Step = (request, now) => requestCode(request, { ...by(request, 0), codeHash: 'x' }, now);
const codeSent: Step = (request, now) =>
  codeMailed(request, { ...by(request, 0), sent: true, error: null }, now);
const expires: Step = (request) => expire(request, later(31 * DAY));
const purges: Step = (request) => purged(request, later(90 * DAY));

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
  'was cancelled after a signature': [...sentTo, signs(1), cancels],
  'was declined': [...sentTo, signs(1), declines(0)],
  'was declined without a visit': [...sentTo, declines(0)],
  expired: [...sentTo, opens(1), expires],
  'was signed by one': [...sentTo, signs(1)],
  'awaits its seal': signedByAll,
  'could not be sealed': [...signedByAll, failsToSeal],
  'awaits its seal again': [...signedByAll, failsToSeal, (request, now) => restamp(request, now)],
  'was sealed': [...signedByAll, seals],
  'was sealed and its signers told': [...signedByAll, seals, notified],
  'was purged': [...signedByAll, seals, purges],
  'forgot one signer': [...signedByAll, seals, purges, erases(0)],
  'forgot both signers': [...signedByAll, seals, purges, erases(1), erases(0)],
  'forgot who declined': [...sentTo, signs(1), declines(0), purges, erases(0)],
};

/** Each step of a life at its own second. */
async function live(steps: Step[]) {
  const { state } = await storedNew(table, 2);
  for (const [n, step] of steps.entries()) await changed(table, state.id, step, later((n + 1) * SECOND));
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
