import type { MailKind, MailResult, RequestStatus, SignerStatus } from '../fields.ts';

/** The words of each value of the enumerations that have a name of their own. */

export const REQUEST_STATUS_WORDS: Record<RequestStatus, string> = {
  pending: 'created, but no invitation could be mailed yet',
  sent: 'at least one invitation was mailed',
  opened: 'at least one signer has opened the link',
  signed: 'all have signed and the document is sealed',
  cancelled: 'the sender cancelled it',
  declined: 'a signer declined',
  expired: 'the time to sign ran out',
  awaiting_stamp: 'all have signed and the document is being sealed',
  stamp_failed: 'all have signed, but sealing failed; an operator is alerted and can start it again',
};

export const SIGNER_STATUS_WORDS: Record<SignerStatus, string> = {
  pending: 'the invitation could not be mailed yet',
  sent: 'the invitation was mailed',
  opened: 'the signer has opened the link',
  signed: 'the signer has signed',
  declined: 'the signer has declined',
  invalidated: 'the link no longer works: the request was cancelled or another signer declined',
};

export const MAIL_KIND_WORDS: Record<MailKind, string> = {
  invitation: 'the invitation',
  resend: 'the invitation, sent again by the sender or to a corrected address',
  code: 'a code that the signer asked for',
  reminder: 'a reminder',
  completed: 'the notice that the document is sealed',
  declined: 'the notice that another signer declined',
  cancelled: 'the notice that the sender cancelled',
  expired: 'the notice that the time to sign ran out',
};

export const MAIL_RESULT_WORDS: Record<MailResult, string> = {
  sent: 'handed over for delivery, and not come back so far',
  failed: 'refused at once',
  bounced: 'came back for good',
  complained: 'reported as spam by the recipient',
};
