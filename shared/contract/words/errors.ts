import type { ErrorCode } from '../errors.ts';
import { type ErrorWords, INPUT_ERROR_WORDS } from './input-errors.ts';

const ASK_SIGNER_SENDER = 'Tell the signer to ask the sender.';
const NEVER_SEALED =
  'Do not ask for the document again. Create a new request if you still need the signatures.';
const SAME_CALL_AGAIN = 'Wait as long as `Retry-After` says, then send the same call again.';

/** Of each code: why it happens and what to do. Its meaning is in `ERRORS`, as the default message. */
export const ERROR_WORDS: Record<ErrorCode, ErrorWords> = {
  ...INPUT_ERROR_WORDS,
  unauthorized: {
    why: 'Often the key was mistyped, was revoked, is of another service, or `Bearer ` is missing before it. Keys begin with `esk_live_` or `esk_test_`.',
    remedy:
      'Send `Authorization: Bearer <key>` with a key that is in use. If it was revoked, get a new one on the dashboard or from the operator.',
  },
  sign_in_required: {
    why: 'A session lasts 12 hours, or until it is revoked. A cookie without `X-Requested-With: app` does nothing.',
    remedy: 'Let the user sign in again.',
  },
  verification_required: {
    why: 'The link alone opens nothing: the session is missing, has ended, or belongs to another signer.',
    remedy: 'Mail a code with `POST /api/signing/v1/code`, and let the signer enter it.',
  },
  wrong_code: {
    why: 'The digits are not those of the newest mail.',
    remedy: 'Let the signer enter the code of the newest mail. Five wrong ones lock the link for 15 minutes.',
  },
  subscription_required: {
    why: 'Live requests need a subscription. Requests in test mode need none.',
    remedy: 'Ask the operator for a subscription, or use a key of test mode to try things out.',
  },
  subscription_inactive: {
    why: 'The subscription was paused or has ended. What exists can still be read.',
    remedy: 'Ask the operator to make it active again, or use a key of test mode to try things out.',
  },
  forbidden: {
    why: 'The call went to an inner address of the service, or looked like an attack to its firewall.',
    remedy: 'Call the public address of the service. If you do, send the `X-Request-Id` to the operator.',
  },
  admin_required: {
    why: 'Members use requests; only admins manage API keys, webhooks, members, brand and notices.',
    remedy: 'Ask an admin of the organization.',
  },
  not_found: {
    why: 'The path or the id is wrong, or the id belongs to another owner, or to the other mode: keys of test mode see no live requests.',
    remedy:
      'Check the path, the id that `field` names, and that the key is of the owner and the mode that created it.',
  },
  evidence_unavailable: {
    why: 'Evidence files are made when a document is sealed, never later.',
    remedy: 'Use the sealed document and the audit trail instead.',
  },
  method_not_allowed: {
    why: 'The method is not the one that this document gives for the path.',
    remedy: 'Use one of the methods in `Allow`.',
  },
  duplicate_signer: {
    why: 'A code proves who reads a mailbox, so two signers cannot share one. Case and spaces do not count.',
    remedy: 'Give each signer an address of their own, or name each person once.',
  },
  idempotency_key_conflict: {
    why: 'The key was first sent with another body. A single space makes the difference.',
    remedy: 'Use a new key for a new request. To repeat a call, send exactly the same body.',
  },
  idempotency_in_progress: {
    why: 'The first call with this key has not ended yet.',
    remedy: `${SAME_CALL_AGAIN} You then get the answer of the first.`,
  },
  request_not_cancellable: {
    why: 'Only a request that is `pending`, `sent` or `opened` can be cancelled.',
    remedy: 'Read the request to see how it ended. There is nothing left to cancel.',
  },
  request_not_ended: {
    why: 'The document is still needed by the signers, or by the seal.',
    remedy: 'Cancel the request first, or wait for its end.',
  },
  archive_protected: {
    why: 'Documents in an archive are kept on purpose.',
    remedy: 'Ask the operator to end the archive if the document must be deleted.',
  },
  request_not_active: {
    why: 'The request has ended, or all have signed and it is being sealed.',
    remedy: 'Read the request to see its status. Create a new one if you still need the signature.',
  },
  signer_not_active: {
    why: 'There is nothing left for this signer to do, so no mail is sent.',
    remedy: 'Read the signer’s `status`. Resend to signers who are `pending`, `sent` or `opened`.',
  },
  not_yet_signed: {
    why: 'Somebody still has to sign, or the seal is still being made.',
    remedy: 'Wait for the event `signature_request.completed`, or for the status `signed`.',
  },
  request_cancelled: { why: 'Only a request that all have signed is sealed.', remedy: NEVER_SEALED },
  request_declined: { why: 'Only a request that all have signed is sealed.', remedy: NEVER_SEALED },
  request_expired: {
    why: 'Not everyone signed in time. Only a request that all have signed is sealed.',
    remedy: NEVER_SEALED,
  },
  too_many_endpoints: {
    why: 'An event goes to every endpoint that subscribes to it, so their number is limited, in live and test mode apart.',
    remedy: 'Delete one that you no longer need, or pass events on in your own system.',
  },
  endpoint_paused: {
    why: 'A paused endpoint gets no test event either.',
    remedy: 'Send `PATCH` with `{"disabled": false}` first.',
  },
  conflict: {
    why: 'Another call changes the same thing at this moment, still mails this signer or delivers this event. This one was not applied.',
    remedy:
      'Wait as long as `Retry-After` says, if it is there. Then read the resource, and send the call again if it is still needed.',
  },
  already_member: {
    why: 'A person is a member once, as admin or as member.',
    remedy: 'Change the role of the membership that exists.',
  },
  last_admin: {
    why: 'Without an admin nobody could manage the organization any more.',
    remedy: 'Make another member admin first.',
  },
  too_many_members: {
    why: 'The number of members is limited.',
    remedy: 'Remove members who no longer need access.',
  },
  too_many_keys: {
    why: 'The number of keys in use is limited.',
    remedy: 'Revoke a key that is no longer used.',
  },
  link_cancelled: { why: 'The link belongs to a request that is no longer open.', remedy: ASK_SIGNER_SENDER },
  link_declined: {
    why: 'A refusal is final.',
    remedy: 'Tell the signer to ask the sender for a new request if it was a mistake.',
  },
  link_invalidated: { why: 'A request ends for all when one signer declines.', remedy: ASK_SIGNER_SENDER },
  already_signed: {
    why: 'A signature is final, so this signer cannot decline any more.',
    remedy: 'Show that the signature is recorded.',
  },
  document_mismatch: {
    why: 'The hash that was sent is not the one of the stored document.',
    remedy: 'Load the document again, show it, and send the hash of the bytes shown.',
  },
  consent_outdated: {
    why: 'The text was changed after the page had been loaded.',
    remedy: 'Load the request again, show the new text, and send its version.',
  },
  event_not_kept: {
    why: 'The data of one of the event’s signers was erased, and the event’s body with it.',
    remedy: 'Read the request with `GET /api/v1/signatures/{id}`.',
  },
  document_purged: {
    why: 'PDFs are kept for 7 days without an archive, or were deleted on demand.',
    remedy: 'Use the copy that you stored. Download documents soon after `signature_request.completed`.',
  },
  link_expired: {
    why: 'The time to sign is over, or the request ended more than 30 days ago.',
    remedy: 'Create a new request if you still need the signature.',
  },
  code_expired: {
    why: 'A code is good for 10 minutes, and a newer one replaces it.',
    remedy: 'Mail a new code, and let the signer enter the newest.',
  },
  unsupported_media_type: {
    why: 'The header `Content-Type` is missing, or names a form or another charset than UTF-8.',
    remedy: 'Send JSON with `Content-Type: application/json`.',
  },
  too_many_codes: {
    why: 'At most five codes can be asked for in 15 minutes, 30 seconds apart.',
    remedy: `${SAME_CALL_AGAIN} Let the signer look into the spam folder meanwhile.`,
  },
  locked: {
    why: 'Five wrong codes lock a link for 15 minutes. 20 wrong or 20 requested codes end code entry until the sender resends; `locked_until` is then null. For a signer who has signed, these 20 are counted over 24 hours.',
    remedy:
      'Wait until `locked_until`. If that is null, a signer needs a resend by the sender, which lifts both locks; a user who signs in needs a new code.',
  },
  too_many_requests: {
    why: 'Calls from one network come too fast, or the limit of test mode or of mails to new members is reached.',
    remedy: `${SAME_CALL_AGAIN} Spread calls over time, and use webhooks instead of polling.`,
  },
  internal_error: {
    why: 'A fault of the service, not of the call, which may have been carried out. The status is 502 if the fault broke the call off.',
    remedy:
      'Repeat a create with the same `Idempotency-Key`. Before you repeat another change, read the resource. If it fails again, send `request_id` to the operator.',
  },
  email_failed: {
    why: 'The mail server did not take the mail.',
    remedy: 'Try again in a minute. If it fails again, the sender has to check the address.',
  },
  service_unavailable: {
    why: 'A part of the service is starting, overloaded or being repaired. The call may have been carried out.',
    remedy:
      'Wait as long as `Retry-After` says. Repeat a create with the same `Idempotency-Key`. Before you repeat another change, read the resource.',
  },
  timed_out: {
    why: 'The call took longer than 29 seconds. It may have been carried out.',
    remedy:
      'Repeat a create with the same `Idempotency-Key`. Before you repeat another change, read the resource.',
  },
};
