import { sha256Hex } from '../../../shared/runtime/hash.ts';
import { DAY, MINUTE } from '../../../shared/runtime/time.ts';
import { DOCUMENT_SHA256, NOON, newRequest } from '../../support/requests.ts';
import { head, iso } from './rules.ts';

const owner = (mode: 'live' | 'test', settings: { archive?: boolean; reminders?: boolean } = {}) => ({
  owner: {
    id: 'owner-1',
    type: 'organization' as const,
    name: 'Acme',
    mode,
    archive: false,
    reminders: true,
    ...settings,
  },
});

describe('create', () => {
  it('a new request is pending and expires after thirty days', () => {
    const { request, change } = newRequest(2, owner('live'));
    expect(request.state).toEqual({
      id: request.state.id,
      ownerId: 'owner-1',
      ownerType: 'organization',
      ownerName: 'Acme',
      mode: 'live',
      status: 'pending',
      title: 'Contract',
      reference: null,
      locale: 'en',
      signerCount: 2,
      signedCount: 0,
      createdBy: null,
      createdAt: NOON.toISOString(),
      invitationsReportedAt: null,
      sentAt: null,
      openedAt: null,
      signedAt: null,
      cancelledAt: null,
      endedAt: null,
      expiresAt: iso(30 * DAY),
      reminders: true,
      archiveProtected: false,
      documentHash: null,
      evidenceHash: null,
      seal: null,
      renewal: null,
      renewed: null,
      stampQueuedAt: null,
      purgeAt: null,
      purgedAt: null,
      version: 0,
      auditSequence: 0,
      auditHead: '',
      trailVersion: 2,
      anchor: null,
      erasures: 0,
      lastEventAt: null,
    });
    expect(change.state).toEqual(request.state);
    expect(change.signers).toEqual(request.signers);
  });

  it('a request expires after the days that were asked for', () => {
    expect(newRequest(1, { expiresInDays: 1 }).request.state.expiresAt).toBe(iso(DAY));
  });

  it('a new signer has a code for ten minutes and is leased to its creator for one', () => {
    const { request } = newRequest(2);
    expect(request.signers[1]).toEqual({
      id: request.signers[1]?.id,
      position: 1,
      email: 'signer1@example.com',
      name: 'Signer 1',
      nameAsInvited: 'Signer 1',
      asCreated: null,
      accessTokenAsCreated: null,
      addressSince: null,
      nameAsSigned: null,
      locale: 'en',
      localeAsInvited: 'en',
      accessToken: expect.stringContaining('token-1'),
      status: 'pending',
      sentAt: null,
      openedAt: null,
      viewedAt: null,
      signedAt: null,
      declinedAt: null,
      invalidatedAt: null,
      declineReason: null,
      ipAddress: null,
      userAgent: null,
      representingAsInvited: null,
      representingAsSigned: null,
      representingRole: null,
      representingEntityId: null,
      invitation: null,
      code: { hash: 'hash', expiresAt: iso(10 * MINUTE) },
      codeAttempts: 0,
      codeFailureToldAt: null,
      lastAttemptAt: null,
      codeRequests: [],
      wrongCodes: [],
      sessions: [],
      mailLeaseUntil: iso(MINUTE),
      signature: null,
      sealedNotice: null,
      mails: [],
      returnedMails: [],
      remindersSent: 0,
      remindAt: null,
      erasedAt: null,
      version: 0,
    });
  });

  it('a signer without a name is called by the address', () => {
    const signer = {
      id: 's',
      email: 'a@example.com',
      name: null,
      locale: 'fi' as const,
      accessToken: 't',
      codeHash: 'h',
    };
    expect(newRequest(1, { signers: [signer] }).request.signers[0]).toMatchObject({
      name: 'a@example.com',
      nameAsInvited: null,
      locale: 'fi',
      localeAsInvited: 'fi',
    });
  });

  it('a new request is announced with its signers, and mailed by others only after a minute', () => {
    const { request, change } = newRequest(1);
    expect(change.audit).toEqual([
      {
        type: 'request_created',
        at: NOON.toISOString(),
        actor: 'client',
        details: {
          signers: 1,
          document_sha256: DOCUMENT_SHA256,
          document_size: 1_000,
          filename: 'contract.pdf',
          page_count: 1,
          already_signed: false,
          attachments: null,
          return_url: null,
          title: 'Contract',
          reference: null,
          message_sha256: sha256Hex(''),
          metadata_sha256: sha256Hex('{}'),
          sender: 'Acme',
          sender_id: request.state.ownerId,
          sender_type: 'organization',
          mode: 'live',
          locale: 'en',
          expires_at: iso(30 * DAY),
          invited: [
            {
              signer_id: request.signers[0]?.id,
              position: 0,
              name: 'Signer 0',
              email: 'signer0@example.com',
              locale: 'en',
              representing: null,
            },
          ],
        },
      },
    ]);
    expect(change.effects).toEqual([
      {
        kind: 'event',
        type: 'signature_request.created',
        data: {
          ...head(request),
          signers: [
            {
              signer_id: request.signers[0]?.id,
              email: 'signer0@example.com',
              name: 'Signer 0',
              status: 'pending',
              locale: 'en',
              position: 0,
            },
          ],
        },
      },
      { kind: 'mail', task: 'invitations', notBefore: iso(MINUTE) },
    ]);
  });

  it('a request that a user made on the dashboard says who, in its state and in the trail', () => {
    const createdBy = { userId: 'user-1', email: 'eva@example.com' };
    const { request, change } = newRequest(1, { createdBy });
    expect(request.state.createdBy).toEqual(createdBy);
    expect(change.audit[0]?.details).toMatchObject({
      created_by: { user_id: 'user-1', email: 'eva@example.com' },
    });
  });

  it.each([
    ['live', true, true],
    ['live', false, false],
    ['test', true, false],
  ] as const)('a %s request of an owner with archive %j is protected: %j', (mode, archive, protectedByIt) => {
    expect(newRequest(1, owner(mode, { archive })).request.state.archiveProtected).toBe(protectedByIt);
  });

  it.each([
    [true, true, true],
    [true, false, false],
    [false, true, false],
  ])('a request with reminders %j of an owner with reminders %j has them: %j', (own, owners, has) => {
    expect(
      newRequest(1, { ...owner('live', { reminders: owners }), reminders: own }).request.state.reminders,
    ).toBe(has);
  });
});
