import type {
  CreatedSignatureRequest,
  SignatureRequest,
  SignatureRequestSummary,
} from '../../client/src/node.ts';

/** Only these members are shown to an assistant: a token or signing link would let it sign. */

const SUMMARY = ['id', 'title', 'status', 'created_at', 'expires_at', 'is_expired', 'reference'] as const;

export const listed = (request: SignatureRequestSummary) => pick(request, ...SUMMARY, 'signer_count');

export const created = (request: CreatedSignatureRequest) => ({
  ...pick(request, 'id', 'status', 'expires_at'),
  signers: request.signers.map((signer) => pick(signer, 'id', 'name', 'email', 'email_sent', 'email_error')),
});

export const detailed = (request: SignatureRequest) => ({
  ...pick(request, ...SUMMARY, 'document_hash'),
  signers: request.signers.map((signer) => ({
    ...pick(signer, 'id', 'name', 'email', 'status', 'sent_at', 'opened_at', 'signed_at', 'declined_at'),
    // A status of "sent" alone would hide a mail that came back.
    ...pick(signer, 'decline_reason', 'mails'),
  })),
});

const pick = <From extends object, Name extends keyof From>(from: From, ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<From, Name>;
