import { randomUUID } from 'node:crypto';
import { create, type NewRequest } from '../../shared/requests/creating.ts';
import { invitationsAttempted, invited } from '../../shared/requests/inviting.ts';
import type { Change, SignatureRequest, Visitor } from '../../shared/requests/model.ts';

/** Requests for unit tests, made by the product's own rules. */

export const NOON = new Date('2026-11-21T12:00:00.000Z');
export const VISITOR: Visitor = { ipAddress: '203.0.113.7', userAgent: 'test' };
export const DOCUMENT_SHA256 = 'a'.repeat(64);

export function newRequest(
  signers = 2,
  overrides: Partial<NewRequest> = {},
  now = NOON,
): { request: SignatureRequest; change: Change } {
  return create(
    {
      id: randomUUID(),
      owner: {
        id: randomUUID(),
        type: 'organization',
        name: 'Acme',
        mode: 'live',
        archive: false,
        reminders: true,
      },
      title: 'Contract',
      locale: 'en',
      reminders: true,
      content: {
        message: '',
        metadataJson: '{}',
        filename: 'contract.pdf',
        documentSize: 1_000,
        documentSha256: DOCUMENT_SHA256,
        documentKey: 'requests/x/original.pdf',
        pageCount: 1,
        alreadySigned: false,
      },
      signers: Array.from({ length: signers }, (_, index) => ({
        id: randomUUID(),
        email: `signer${index}@example.com`,
        name: `Signer ${index}`,
        locale: 'en' as const,
        accessToken: `token-${index}`,
        codeHash: 'hash',
      })),
      ...overrides,
    },
    now,
  );
}

/** A decision as it stands after it was written. */
export const applied = (request: SignatureRequest, change: Change | undefined): SignatureRequest =>
  change ? { content: request.content, state: change.state, signers: change.signers } : request;

/** A request whose invitations have all been mailed. */
export function sentRequest(signers = 2, overrides: Partial<NewRequest> = {}): SignatureRequest {
  const { request } = newRequest(signers, overrides);
  const mailed = {
    ...request,
    signers: request.signers.map((signer) =>
      invited(request, signer, { sent: true, error: null }, NOON.toISOString()),
    ),
  };
  return applied(mailed, invitationsAttempted(mailed, NOON));
}
