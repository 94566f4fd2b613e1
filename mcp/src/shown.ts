import type {
  CreatedSignatureRequest,
  SignatureRequest,
  SignatureRequestSummary,
} from '../../client/src/node.ts';

/** The members that an assistant sees, and no other: never a token or a link to sign, which would let it sign. */

type Summary = Pick<
  SignatureRequestSummary,
  'id' | 'title' | 'status' | 'created_at' | 'expires_at' | 'reference'
>;

const summaryOf = ({ id, title, status, created_at, expires_at, reference }: Summary) => ({
  id,
  title,
  status,
  created_at,
  expires_at,
  reference,
});

export const listed = (request: SignatureRequestSummary) => ({
  ...summaryOf(request),
  signer_count: request.signer_count,
});

export const created = ({ id, status, expires_at, signers }: CreatedSignatureRequest) => ({
  id,
  status,
  expires_at,
  signers: signers.map(({ id: signerId, name, email, email_sent, email_error }) => ({
    id: signerId,
    name,
    email,
    email_sent,
    email_error,
  })),
});

export const detailed = (request: SignatureRequest) => ({
  ...summaryOf(request),
  document_hash: request.document_hash,
  signers: request.signers.map((signer) => ({
    id: signer.id,
    name: signer.name,
    email: signer.email,
    status: signer.status,
    sent_at: signer.sent_at,
    opened_at: signer.opened_at,
    signed_at: signer.signed_at,
    declined_at: signer.declined_at,
    decline_reason: signer.decline_reason,
    // A status of "sent" alone would pass over a mail that came back.
    mails: signer.mails,
  })),
});
