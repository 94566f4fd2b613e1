import type { AuditTrailInput } from '../../shared/audit/audit-trail.ts';
import { chain, emptyHead } from '../../shared/requests/chain.ts';
import { codeOf } from '../../shared/requests/creating.ts';
import type { AuditEntry, RequestContent, RequestState, SignerState } from '../../shared/requests/model.ts';
import { newRequest, only } from './requests.ts';
import { countedSalts } from './salts.ts';
import { REQUEST_ID, SHA256 } from './signature-input.ts';

const CREATED_AT = new Date('2026-11-10T08:00:00.000Z');
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
  const { state, content } = newRequest(1, { id: REQUEST_ID, title: 'Lease agreement' }, CREATED_AT).request;
  return {
    request: {
      state: {
        ...state,
        ownerId: 'org-1',
        ownerName: 'Kiinteistö Oy Mannerheimintie 12',
        status: 'opened',
        auditSequence: events.length,
        auditHead: events.at(-1)?.hash ?? emptyHead(REQUEST_ID),
        ...changes.state,
      },
      content: {
        ...content,
        filename: 'lease-agreement.pdf',
        documentSize: 1_234_567,
        documentSha256: SHA256,
        pageCount: 12,
        ...changes.content,
      },
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
  const { request } = newRequest(position + 1, {}, CREATED_AT);
  return {
    ...only(request.signers.slice(position)),
    id: `signer-${position}`,
    accessToken: `SECRET-TOKEN-${position}`,
    status: 'opened',
    sentAt: '2026-11-10T08:00:01.000Z',
    openedAt: '2026-11-10T09:00:00.000Z',
    viewedAt: '2026-11-10T09:01:00.000Z',
    ipAddress: '203.0.113.7',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    code: codeOf('SECRET-HASH', CREATED_AT),
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
