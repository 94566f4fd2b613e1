import { randomUUID } from 'node:crypto';
import type { Caller } from '../../shared/accounts/authenticate.ts';
import { choicesIn, create, type NewRequest } from '../../shared/requests/creating.ts';
import { deletionRequested, purged } from '../../shared/requests/ending.ts';
import { invited } from '../../shared/requests/inviting.ts';
import { linkToken } from '../../shared/requests/links.ts';
import type { Change, SignatureRequest, Visitor } from '../../shared/requests/model.ts';
import { type SignInput, sign } from '../../shared/requests/signing.ts';
import { originalKey } from '../../shared/store/objects.ts';

/** Requests for unit tests, made by the product's own rules. */

export const NOON = new Date('2026-11-21T12:00:00.000Z');
/** The time so many milliseconds after noon. */
export const at = (milliseconds: number) => new Date(NOON.getTime() + milliseconds);

export const VISITOR: Visitor = { ipAddress: '203.0.113.7', userAgent: 'test' };
export const DOCUMENT_SHA256 = 'a'.repeat(64);

export const OWNER = {
  id: 'owner-1',
  type: 'organization',
  name: 'Acme',
  mode: 'live',
  archive: false,
  reminders: true,
} as const;

export function newRequest(
  signers = 2,
  overrides: Partial<NewRequest> = {},
  now = NOON,
): { request: SignatureRequest; change: Change } {
  const id = overrides.id ?? randomUUID();
  return create(
    {
      id,
      owner: { ...OWNER, id: randomUUID() },
      ...choicesIn({ title: 'Contract' }),
      createdBy: null,
      locale: 'en',
      content: {
        message: '',
        metadataJson: '{}',
        filename: 'contract.pdf',
        documentSize: 1_000,
        documentSha256: DOCUMENT_SHA256,
        documentKey: originalKey(id),
        pageCount: 1,
        alreadySigned: false,
        attachments: null,
        returnUrl: null,
      },
      signers: Array.from({ length: signers }, (_, index) => ({
        id: randomUUID(),
        email: `signer${index}@example.com`,
        name: `Signer ${index}`,
        locale: 'en' as const,
        accessToken: linkToken(id, `token-${index}`.padEnd(43, '_')),
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

/** The change after all invitations of a request were mailed, and before they are reported. */
export const invitationsMailed = (request: SignatureRequest, now = NOON): Change => {
  const signers = request.signers.map((signer) =>
    invited(request, signer, { sent: true, error: null }, now.toISOString()),
  );
  const state = { ...request.state, status: 'sent', sentAt: now.toISOString() } as const;
  return { state, signers, audit: [], effects: [] };
};

/** A request whose invitations have all been mailed. */
export function sentRequest(signers = 2, overrides: Partial<NewRequest> = {}): SignatureRequest {
  const { request } = newRequest(signers, overrides);
  return applied(request, invitationsMailed(request));
}

export function only<T>([item, ...others]: readonly T[]): T {
  if (item === undefined || others.length > 0) throw new Error(`There are ${others.length} besides the one.`);
  return item;
}

/** The change that one signer's signature makes, by the signer's position. */
export const signedBy = (
  request: SignatureRequest,
  place: number,
  now = NOON,
  signature: SignInput['signature'] = { type: 'typed', value: `Signer ${place}` },
): Change | undefined =>
  sign(
    request,
    {
      signerId: request.signers[place]?.id ?? '',
      visitor: VISITOR,
      name: `Signer ${place}`,
      documentSha256: request.content.documentSha256,
      consentVersion: '1',
      consentLocale: 'en',
      signature,
      representing: null,
    },
    now,
  );

/** The change that removes the PDFs of a request before they are due. */
export function purgedEarly(request: SignatureRequest, now: Date): Change | undefined {
  const asked = deletionRequested(request, { archive: false, actor: 'operator' }, now);
  return purged(applied(request, asked), now, 'operator');
}

/** The caller that an API key of the owner identifies. */
export const newCaller = (changes: Partial<Caller> = {}): Caller => ({
  ownerId: 'owner-1',
  ownerType: 'organization',
  ownerName: 'Acme',
  mode: 'live',
  subscription: 'active',
  archive: false,
  reminders: true,
  ...changes,
});
