import type { AuditTrailInput } from '../../shared/audit/audit-trail.ts';
import { type AuditEvent, chain, emptyHead } from '../../shared/requests/chain.ts';
import type { AuditEntry, RequestContent, RequestState, SignerState } from '../../shared/requests/model.ts';
import { countedSalts } from './salts.ts';
import { REQUEST_ID, SHA256 } from './signature-input.ts';

export const SEALED_SHA256 = [...SHA256].reverse().join('');

interface AuditChanges {
  readonly state?: Partial<RequestState>;
  readonly content?: Partial<RequestContent>;
  readonly signers?: readonly SignerState[];
  readonly entries?: readonly AuditEntry[];
  readonly signatures?: AuditTrailInput['signatures'];
}

export function auditInput(changes: AuditChanges = {}): AuditTrailInput {
  const events = chain(
    [...(changes.entries ?? entries(3))],
    { sequence: 0, head: emptyHead(changes.state?.id ?? REQUEST_ID) },
    countedSalts(),
  );
  return {
    request: {
      state: state(events, changes.state),
      content: content(changes.content),
      signers: [...(changes.signers ?? [auditSigner(0)])],
    },
    events,
    signatures: changes.signatures ?? [],
    generatedAt: '2026-11-21T10:00:00.000Z',
  };
}

export const SEAL = {
  sealedAt: '2026-11-19T10:00:00.000Z',
  objectKey: 'sealed/key',
  size: 1_300_000,
  pagesAdded: 1,
  technical: {
    subject: 'CN=Demo Seal, O=Signature Requests, C=FI',
    issuer: 'CN=Demo CA, C=FI',
    serial: '5A91C03BD2',
    notBefore: '2026-01-01T00:00:00.000Z',
    notAfter: '2028-01-01T00:00:00.000Z',
    algorithm: 'RSA with SHA-256',
    timestampAuthority: 'CN=Demo TSA, C=FI',
    timestampTime: '2026-11-19T10:00:00.000Z',
    timestampSerial: '0123456789',
    timestampPolicy: '1.2.3.4.1',
  },
};

export function auditSigner(position: number, changes: Partial<SignerState> = {}): SignerState {
  return {
    id: `signer-${position}`,
    position,
    email: `signer${position}@example.com`,
    name: `Signer ${position}`,
    nameAsInvited: `Signer ${position}`,
    asCreated: null,
    accessTokenAsCreated: null,
    addressSince: null,
    nameAsSigned: null,
    locale: 'en',
    localeAsInvited: 'en',
    accessToken: `SECRET-TOKEN-${position}`,
    status: 'opened',
    sentAt: '2026-11-10T08:00:01.000Z',
    openedAt: '2026-11-10T09:00:00.000Z',
    viewedAt: '2026-11-10T09:01:00.000Z',
    signedAt: null,
    declinedAt: null,
    invalidatedAt: null,
    declineReason: null,
    ipAddress: '203.0.113.7',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    representingAsInvited: null,
    representingAsSigned: null,
    representingRole: null,
    representingEntityId: null,
    invitation: null,
    code: { hash: 'SECRET-HASH', expiresAt: '2026-11-10T08:10:00.000Z' },
    codeAttempts: 0,
    lastAttemptAt: null,
    codeRequests: [],
    wrongCodes: [],
    sessions: [],
    mailLeaseUntil: null,
    signature: null,
    sealedNotice: null,
    codeFailureToldAt: null,
    mails: [],
    returnedMails: [],
    remindersSent: 0,
    remindAt: null,
    erasedAt: null,
    version: 0,
    ...changes,
  };
}

export function entries(count: number): AuditEntry[] {
  return Array.from({ length: count }, (_, index): AuditEntry => {
    const at = new Date(Date.UTC(2026, 10, 10, 8, 0, index * 7)).toISOString();
    if (index === 0)
      return { type: 'request_created', at, actor: 'client', details: { document_sha256: SHA256 } };
    return {
      type: index % 3 === 0 ? 'code_wrong' : 'link_opened',
      at,
      actor: 'signer',
      signerId: 'signer-0',
      visitor: { ipAddress: '203.0.113.7', userAgent: null },
      details:
        index % 10 === 0 ? { reason: `Reason number ${index}, which goes over one line of its column` } : {},
    };
  });
}

function state(events: readonly AuditEvent[], changes: Partial<RequestState> = {}): RequestState {
  return {
    id: REQUEST_ID,
    ownerId: 'org-1',
    ownerType: 'organization',
    ownerName: 'Kiinteistö Oy Mannerheimintie 12',
    mode: 'live',
    status: 'opened',
    title: 'Lease agreement',
    reference: null,
    createdBy: null,
    locale: 'en',
    signerCount: 1,
    signedCount: 0,
    createdAt: '2026-11-10T08:00:00.000Z',
    invitationsReportedAt: null,
    sentAt: '2026-11-10T08:00:02.000Z',
    openedAt: '2026-11-10T09:00:00.000Z',
    signedAt: null,
    cancelledAt: null,
    endedAt: null,
    expiresAt: '2026-12-10T08:00:00.000Z',
    reminders: false,
    archiveProtected: false,
    documentHash: null,
    evidenceHash: null,
    seal: null,
    renewal: null,
    renewed: null,
    stampQueuedAt: null,
    purgeAt: null,
    purgedAt: null,
    version: 1,
    auditSequence: events.length,
    auditHead: events.at(-1)?.hash ?? emptyHead(REQUEST_ID),
    trailVersion: 2,
    anchor: null,
    erasures: 0,
    lastEventAt: null,
    ...changes,
  };
}

function content(changes: Partial<RequestContent> = {}): RequestContent {
  return {
    message: '',
    metadataJson: '{}',
    filename: 'lease-agreement.pdf',
    documentSize: 1_234_567,
    documentSha256: SHA256,
    documentKey: 'originals/key',
    pageCount: 12,
    alreadySigned: false,
    attachments: null,
    returnUrl: null,
    ...changes,
  };
}
