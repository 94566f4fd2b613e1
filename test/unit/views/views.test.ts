import { randomUUID } from 'node:crypto';
import { signatureRequest, signer as signerSchema, summary } from '../../../shared/contract/resources.ts';
import { requestView as signingAnswer } from '../../../shared/contract/signing.ts';
import {
  cancel,
  decline,
  deletionRequested,
  expire,
  purged,
  sealed,
} from '../../../shared/requests/ending.ts';
import { open } from '../../../shared/requests/signing.ts';
import { present } from '../../../shared/runtime/present.ts';
import { DAY, HOUR } from '../../../shared/runtime/time.ts';
import { loadRequestWithTrail, type StoredRequest } from '../../../shared/store/requests.ts';
import { CONSENT_TEXTS, CONSENT_VERSIONS } from '../../../shared/texts/languages.ts';
import { signersTrail } from '../../../shared/views/audit-trail.ts';
import { requestView, signerView, summaryView } from '../../../shared/views/signature-request.ts';
import { signingView } from '../../../shared/views/signing.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { at, NOON, signedBy, VISITOR } from '../../support/requests.ts';
import { changed, storedRequest } from '../../support/stored-requests.ts';

const BASE_URL = 'https://sign.example.com';
const HASH = 'b'.repeat(64);
const memory = new MemoryDynamo();
const { table } = memory;
beforeEach(() => memory.clear());

type Rule = Parameters<typeof changed>[2];

/** A stored request with its trail after these steps, each with its time in milliseconds. */
async function after(
  signers: number,
  steps: [Rule, number?][] = [],
  overrides: Parameters<typeof storedRequest>[2] = {},
): Promise<StoredRequest> {
  const { state } = await storedRequest(table, signers, overrides);
  for (const [rule, milliseconds = 0] of steps) await changed(table, state.id, rule, at(milliseconds));
  const stored = await loadRequestWithTrail(table, state.id);
  if (!stored) throw new Error('The request is gone.');
  return stored;
}

const signs =
  (place: number): Rule =>
  (request, now) =>
    signedBy(request, place, now);
const opens =
  (place: number): Rule =>
  (request, now) =>
    open(request, { signerId: request.signers[place]?.id ?? '', visitor: VISITOR }, now);
const cancels: Rule = (request, now) => cancel(request, { actor: 'client', reason: null }, now);
const seals =
  (archiveProtected = false): Rule =>
  (request, now) =>
    sealed(
      request,
      {
        record: { sealedAt: now.toISOString(), objectKey: 'k', size: 1, pagesAdded: 1, technical: {} },
        documentHash: HASH,
        archiveProtected,
        baseUrl: BASE_URL,
      },
      now,
    );
const view = (request: StoredRequest, now = NOON, archive = false) =>
  requestView(request, { archive }, BASE_URL, now);
const ownedBy = (mode: 'live' | 'test', type: 'organization' | 'user' = 'organization') => ({
  owner: { id: randomUUID(), type, name: 'Acme', mode, archive: false, reminders: true },
});

describe('the full view of a request', () => {
  it('a request is shown as the contract says, with its signers and trail', async () => {
    const request = await after(2, [[opens(1), HOUR]]);
    const { state, signers } = request;
    const shown = view(request);
    expect(signatureRequest.parse({ ...shown, metadata: {} })).toEqual({ ...shown, metadata: {} });
    expect(shown).toMatchObject({
      id: state.id,
      status: 'opened',
      title: 'Contract',
      message: '',
      created_at: NOON.toISOString(),
      sent_at: NOON.toISOString(),
      signed_at: null,
      cancelled_at: null,
      expires_at: at(30 * DAY).toISOString(),
      is_expired: false,
      document_hash: null,
      sender_email: null,
      created_via: 'api',
      owner_type: 'organization',
      organization_id: state.ownerId,
      test: false,
      reminders: true,
    });
    expect(shown).not.toHaveProperty('user_id');
    expect(shown.signers).toMatchObject([
      { id: signers[0]?.id, email: 'signer0@example.com', name: 'Signer 0', status: 'sent', opened_at: null },
      {
        id: signers[1]?.id,
        access_token: signers[1]?.accessToken,
        sign_url: `${BASE_URL}/sign/${signers[1]?.accessToken}`,
        status: 'opened',
        opened_at: at(HOUR).toISOString(),
        locale: 'en',
      },
    ]);
    expect(shown.audit_trail.events).toMatchObject([
      { sequence: 1, type: 'request_created', actor: 'client', signer_id: null, ip_address: null },
      {
        sequence: 2,
        type: 'link_opened',
        at: at(HOUR).toISOString(),
        actor: 'signer',
        signer_id: signers[1]?.id,
        ip_address: VISITOR.ipAddress,
        user_agent: VISITOR.userAgent,
        details: {},
        previous_hash: request.events[0]?.hash,
        hash: request.events[1]?.hash,
      },
    ]);
  });

  it('a user’s request names the user', async () => {
    const shown = view(await after(1, [], ownedBy('live', 'user')));
    expect(shown).toMatchObject({ owner_type: 'user', user_id: expect.any(String) });
    expect(shown).not.toHaveProperty('organization_id');
  });

  it('a request made on the dashboard says so, and names its maker', async () => {
    const createdBy = { userId: 'user-1', email: 'mia@example.com' };
    expect(view(await after(1, [], { createdBy }))).toMatchObject({
      created_via: 'web',
      sender_email: 'mia@example.com',
    });
  });

  it('only a request with one signer has the deprecated single-signer fields', async () => {
    const request = await after(1, [[opens(0), HOUR]]);
    const token = request.signers[0]?.accessToken;
    expect(view(request)).toMatchObject({
      token,
      sign_url: `${BASE_URL}/sign/${token}`,
      signer_email: 'signer0@example.com',
      signer_name: 'Signer 0',
      opened_at: at(HOUR).toISOString(),
    });
    const shown = view(await after(2));
    for (const name of ['token', 'sign_url', 'signer_email', 'signer_name', 'opened_at'])
      expect(shown).not.toHaveProperty(name);
  });

  it('a request is expired from its expiry on, even before the job has run', async () => {
    const request = await after(1);
    expect(view(request, at(30 * DAY - 1)).is_expired).toBe(false);
    expect(view(request, at(30 * DAY)).is_expired).toBe(true);
    expect(view(await after(1, [[(current, now) => expire(current, now), 30 * DAY]]), NOON)).toMatchObject({
      status: 'expired',
      is_expired: true,
    });
    expect(view(await after(1, [[cancels]]), at(30 * DAY))).toMatchObject({
      status: 'cancelled',
      cancelled_at: NOON.toISOString(),
      is_expired: false,
    });
  });
});

describe('the retention of the sealed PDF', () => {
  const sealedSteps: [Rule, number?][] = [[signs(0)], [seals()]];

  it('a request without a sealed PDF has no dates', async () => {
    expect(view(await after(1, [[cancels]])).retention).toEqual({
      is_archive_protected: false,
      pdf_purged: false,
      pdf_purged_at: null,
      pdf_available_until: null,
      pdf_days_remaining: null,
    });
  });

  it.each([
    [0, 7],
    [1, 7],
    [DAY, 6],
    [6 * DAY, 1],
    [7 * DAY - 1, 1],
    [7 * DAY, 0],
    [9 * DAY, 0],
  ])('%i ms after the seal %i days remain', async (milliseconds, days) => {
    expect(view(await after(1, sealedSteps), at(milliseconds)).retention).toMatchObject({
      pdf_purged: false,
      pdf_available_until: at(7 * DAY).toISOString(),
      pdf_days_remaining: days,
    });
  });

  it('a purged PDF has the time of its purge and no days left', async () => {
    const steps: [Rule, number?][] = [...sealedSteps, [(request, now) => purged(request, now), 8 * DAY]];
    expect(view(await after(1, steps), NOON).retention).toEqual({
      is_archive_protected: false,
      pdf_purged: true,
      pdf_purged_at: at(8 * DAY).toISOString(),
      pdf_available_until: at(7 * DAY).toISOString(),
      pdf_days_remaining: 0,
    });
    expect(view(await after(1, steps), NOON, true).retention).toMatchObject({
      pdf_available_until: at(7 * DAY).toISOString(),
    });
  });

  it('a PDF that its owner deleted early keeps its date too', async () => {
    const asked: Rule = (request, now) =>
      present(deletionRequested(request, { archive: false, actor: 'client' }, now), 'a change');
    const steps: [Rule, number?][] = [
      ...sealedSteps,
      [asked, DAY],
      [(request, now) => purged(request, now), DAY + 5],
    ];
    expect(view(await after(1, steps), NOON).retention).toMatchObject({
      pdf_purged_at: at(DAY + 5).toISOString(),
      pdf_available_until: at(7 * DAY).toISOString(),
      pdf_days_remaining: 0,
    });
  });

  it('a PDF under archive protection has no end', async () => {
    const request = await after(1, [[signs(0)], [seals(true)]]);
    expect(view(request, NOON, true).retention).toMatchObject({
      is_archive_protected: true,
      pdf_available_until: null,
      pdf_days_remaining: null,
    });
    expect(view(await after(1, sealedSteps), NOON, true).retention).toMatchObject({
      is_archive_protected: true,
      pdf_available_until: null,
    });
  });

  it('archive protection does not apply to test requests', async () => {
    const shown = view(await after(1, sealedSteps, ownedBy('test')), NOON, true);
    expect(shown).toMatchObject({
      test: true,
      retention: { is_archive_protected: false, pdf_days_remaining: 7 },
    });
  });
});

describe('other views', () => {
  it('a signer is shown with all its times and its own part of the trail', async () => {
    const request = await after(2, [
      [opens(0), 1],
      [signs(0), 2],
      [opens(1), 3],
      [
        (current, now) =>
          decline(current, { signerId: current.signers[1]?.id ?? '', reason: 'No', visitor: VISITOR }, now),
        4,
      ],
    ]);
    const [first, second] = request.signers.map((signer) => signerView(signer, request, BASE_URL));
    for (const shown of [first, second]) expect(signerSchema.parse(shown)).toEqual(shown);
    expect(first).toMatchObject({
      name_as_invited: 'Signer 0',
      name_as_signed: 'Signer 0',
      position: 0,
      status: 'signed',
      opened_at: at(1).toISOString(),
      signed_at: at(2).toISOString(),
      declined_at: null,
      ip_address: VISITOR.ipAddress,
      user_agent: VISITOR.userAgent,
      audit_trail: { events: [{ type: 'link_opened' }, { type: 'signer_signed' }] },
    });
    expect(second).toMatchObject({
      status: 'declined',
      declined_at: at(4).toISOString(),
      decline_reason: 'No',
      name_as_signed: null,
      audit_trail: { events: [{ type: 'link_opened' }, { type: 'signer_declined' }] },
    });
  });

  it('signers have their newest events, and none loses them to events about nobody or about another', async () => {
    const request = await after(2, [
      [opens(1), 1],
      [opens(0), 2],
      [signs(0), 3],
    ]);
    const cut = (most: number, hasEarlierEvents = false, { events } = request) => {
      const trail = signersTrail({ events, hasEarlierEvents }, most);
      const counts = request.signers.map(
        ({ id }) => trail.events.filter((event) => event.signerId === id).length,
      );
      return { counts, isCut: trail.hasEarlierEvents, types: trail.events.map(({ type }) => type) };
    };
    expect(cut(3)).toMatchObject({ counts: [2, 1], isCut: false });
    expect(cut(3, true)).toMatchObject({ counts: [2, 1], isCut: true });
    expect(cut(2)).toMatchObject({ counts: [1, 1], isCut: true });
    expect(cut(2).types.toSorted()).toEqual(['link_opened', 'signer_signed']);
    const ofOne = request.events.filter(({ signerId }) => signerId === request.signers[0]?.id);
    expect(cut(2, false, { ...request, events: ofOne })).toMatchObject({ counts: [2, 0], isCut: false });
  });

  it('a summary shows what the list promises', async () => {
    const { state } = await after(2, [[cancels, HOUR]], ownedBy('test'));
    const shown = summaryView(state, NOON);
    expect(summary.parse(shown)).toEqual({
      id: state.id,
      status: 'cancelled',
      title: 'Contract',
      reference: null,
      signer_count: 2,
      created_at: NOON.toISOString(),
      sent_at: NOON.toISOString(),
      signed_at: null,
      cancelled_at: at(HOUR).toISOString(),
      expires_at: at(30 * DAY).toISOString(),
      is_expired: false,
      test: true,
    });
  });

  it('a signer sees the request, the document and the consent, but of the others only numbers', async () => {
    const request = await after(4, [[signs(1)]]);
    const [signer] = request.signers;
    if (!signer) throw new Error('There is no signer.');
    const shown = signingView(request, { ...signer, locale: 'fi', representingAsInvited: 'Oy Ab' });
    expect(signingAnswer.parse(shown)).toEqual(shown);
    expect(shown).toEqual({
      request: {
        id: request.state.id,
        title: 'Contract',
        message: '',
        sender_name: 'Acme',
        status: request.state.status,
        expires_at: at(30 * DAY).toISOString(),
        return_url: null,
      },
      signer: {
        id: signer.id,
        name: 'Signer 0',
        email: 'signer0@example.com',
        status: 'sent',
        locale: 'fi',
        representing_as_invited: 'Oy Ab',
      },
      others: { total: 3, signed: 1 },
      document: {
        filename: 'contract.pdf',
        size: request.content.documentSize,
        sha256: request.content.documentSha256,
      },
      consent: { version: CONSENT_VERSIONS.fi, locale: 'fi', text: CONSENT_TEXTS.fi },
    });
    expect(JSON.stringify(shown)).not.toMatch(/signer1@|token-/);
  });

  it('only a test request is marked as one', async () => {
    const request = await after(1, [], ownedBy('test'));
    const [signer] = request.signers;
    expect(signer && signingView(request, signer).request.test).toBe(true);
    expect(summaryView(request.state, NOON).test).toBe(true);
    expect(summaryView((await after(1)).state, NOON).test).toBe(false);
  });

  it('a signer sees that there is an evidence file', async () => {
    const request = await after(1, [[signs(0)], [seals()]]);
    const [signer] = request.signers;
    const state = { ...request.state, evidenceHash: HASH };
    expect(signer && signingView({ ...request, state }, signer).request).toMatchObject({ evidence: true });
  });

  it('a signer sees when the sealed document was removed, and nothing of that where there never was one', async () => {
    const request = await after(1, [[signs(0)], [seals()]]);
    const [signer] = request.signers;
    const purgedAt = at(8 * DAY).toISOString();
    const shown = (documentHash: string | null) =>
      signer &&
      signingView({ ...request, state: { ...request.state, documentHash, purgedAt } }, signer).request;
    expect(shown(HASH)).toMatchObject({ purged_at: purgedAt });
    expect(shown(null)).not.toHaveProperty('purged_at');
  });

  it('a signer sees which files are attached to the document', async () => {
    const request = await after(1);
    const [signer] = request.signers;
    const attachments = { count: 30, listed: [{ filename: 'factur-x.xml', size: 12_345 }] };
    const shown = signer && signingView({ ...request, content: { ...request.content, attachments } }, signer);
    expect(shown?.document.attachments).toEqual(attachments);
    expect(signingAnswer.parse(shown)).toEqual(shown);
  });
});
