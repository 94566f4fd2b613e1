import { grouped } from '../../runtime/grouped.ts';
import type { ErrorCode } from '../errors.ts';
import { LIMITS } from '../limits.ts';

export interface ErrorWords {
  readonly why: string;
  readonly remedy: string;
}

const FIX_FIELD = 'Correct the field that `field` and `message` name, and send the call again.';

/** Codes of status 400: the call itself is at fault. */
export const INPUT_ERROR_WORDS = {
  invalid_request: {
    why: 'The call does not have the form that this document describes, and no more exact code fits.',
    remedy: FIX_FIELD,
  },
  invalid_json: {
    why: 'The body is empty, cut off, begins with a byte order mark, or was built by hand with a missing quotation mark or comma.',
    remedy: 'Build the body with a JSON library. If it can, the message gives line and column of the fault.',
  },
  invalid_title: {
    why: 'Signers recognize a request by its title, so it must be there and be readable.',
    remedy: `Send one line of 1 to ${LIMITS.titleLength} characters without control characters, and with at least one that can be seen.`,
  },
  invalid_message: {
    why: 'The message is not text, is too long, or holds control characters.',
    remedy: `Send plain text of at most ${grouped(LIMITS.messageLength)} characters, or leave \`message\` out.`,
  },
  invalid_signer_email: {
    why: 'Often the address is empty, has a space or a name around it, or lacks its domain.',
    remedy:
      'Send the bare address, such as `mia@example.com`, in ASCII: the domain `münchen.de` is `xn--mnchen-3ya.de`. `field` names the signer.',
  },
  invalid_signer_name: {
    why: 'The name would be printed as nothing, holds control characters, or does not fit on one line.',
    remedy: `Send one line of at most ${LIMITS.nameLength} characters, or leave \`name\` out: the e-mail address then stands for it.`,
  },
  invalid_locale: {
    why: 'The service has no texts in that language, or the code carries a region, such as `en-GB`.',
    remedy: 'Send one of the listed codes, or leave `locale` out.',
  },
  signers_required: {
    why: '`signers` is missing, empty or no list.',
    remedy: `Send a list of 1 to ${LIMITS.signers} signers, each with an \`email\`.`,
  },
  too_many_signers: {
    why: `The list holds more than ${LIMITS.signers} signers.`,
    remedy: 'Split the signers into several requests.',
  },
  ambiguous_signers: {
    why: 'The call uses the old single-signer form and the list at the same time.',
    remedy: 'Send only `signers`.',
  },
  invalid_metadata: {
    why: '`metadata` is a list, a text or a number.',
    remedy: 'Send a JSON object, such as `{"contract": 4711}`.',
  },
  metadata_too_large: {
    why: '`metadata` is counted as sent, with its whitespace.',
    remedy: 'Keep the data in your own system and send its id.',
  },
  invalid_reference: {
    why: '`reference` has a line break or another control character, or is too long.',
    remedy: `Send one line of at most ${LIMITS.referenceLength} characters.`,
  },
  invalid_return_url: {
    why: 'Signers are led there, so it must be a safe address: https, without user, password, spaces, backslashes, and characters that cannot be seen or that reorder text.',
    remedy: `Send an https address of at most ${grouped(LIMITS.returnUrlLength)} characters, encoded as a URI. \`http://localhost\` is accepted too, for development.`,
  },
  invalid_expiry: {
    why: 'A request can be open for 30 days at most.',
    remedy: `Send a whole number from 1 to ${LIMITS.expiryDays}, or leave it out for ${LIMITS.expiryDays}.`,
  },
  document_required: {
    why: 'There is nothing to sign.',
    remedy: 'Send the PDF in `document.content_base64`, or upload it first and send `document.upload_id`.',
  },
  ambiguous_document: {
    why: 'The service cannot tell which of the two PDFs you mean.',
    remedy: 'Send only one of `content_base64` and `upload_id`.',
  },
  invalid_filename: {
    why: 'Only a plain file name can be shown and saved safely.',
    remedy: 'Send the last part of the path, such as `lease.pdf`, or leave it out.',
  },
  invalid_base64: {
    why: 'Often the text is base64url, begins with `data:`, or was cut off.',
    remedy: 'Encode the bytes of the PDF as standard base64, without a prefix.',
  },
  document_too_large: {
    why: 'The PDF, or the body that carries it, is over the limit. The status is 413 if the body was refused before it was read.',
    remedy:
      'Make the PDF smaller, usually its pictures. If it is under 10 MB, send it by `POST /api/v1/uploads`.',
  },
  not_a_pdf: {
    why: 'The bytes do not begin as those of a PDF do: often another kind of file, or an error page.',
    remedy: 'Check what you sent, and convert it to PDF.',
  },
  pdf_encrypted: {
    why: 'A seal cannot be added to a protected file.',
    remedy: 'Save the PDF without password and restrictions.',
  },
  pdf_damaged: {
    why: 'The structure of the PDF is broken, bytes stand before its beginning, or it was cut off.',
    remedy: 'Open the PDF and save or print it as a new PDF, then send that.',
  },
  pdf_no_pages: {
    why: 'There is nothing that a signer could read.',
    remedy: 'Send a PDF with at least one page.',
  },
  pdf_certified: {
    why: 'Its author allowed no changes, and a seal is one.',
    remedy: 'Ask the author for the PDF without certification.',
  },
  pdf_dynamic_form: {
    why: 'Such a form is drawn anew by each viewer, so nobody could prove what was signed.',
    remedy: 'Print the form as a PDF and send that.',
  },
  pdf_signature_broken: {
    why: 'A seal on top would look as if it confirmed the broken signature.',
    remedy: 'Send the PDF as it was when it was signed, or one without that signature.',
  },
  pdf_active_content: {
    why: 'Such a PDF can show one thing and print or do another.',
    remedy: 'Print it as a new PDF, which leaves active content out, and send that.',
  },
  pdf_too_complex: {
    why: 'Reading the PDF would take more time or memory than the service gives to one document.',
    remedy: 'Print it as a new PDF, or split it.',
  },
  invalid_upload: {
    why: 'An upload is good once, within an hour, for the owner who asked for it.',
    remedy: 'Ask for a new form with `POST /api/v1/uploads`, upload the file, and use the new id.',
  },
  invalid_idempotency_key: {
    why: 'The header is there but cannot be used as a key.',
    remedy: `Send a text of 1 to ${LIMITS.idempotencyKeyLength} characters, such as a UUID, or leave the header out.`,
  },
  invalid_status: {
    why: 'Often a misspelt status, or several in one parameter.',
    remedy: 'Send one status of the list.',
  },
  invalid_date: {
    why: 'Often the time zone is missing, or a `+` in the query was not encoded and became a space.',
    remedy: 'Send a date with time and zone, such as `2026-11-21T10:00:00Z`.',
  },
  invalid_limit: {
    why: `A page holds 1 to ${LIMITS.pageSize} entries.`,
    remedy: `Send a whole number from 1 to ${LIMITS.pageSize}, or leave it out for ${LIMITS.defaultPageSize}.`,
  },
  invalid_cursor: {
    why: 'A cursor belongs to one list, one owner and the filters that it was made with.',
    remedy: 'Send the cursor unchanged, with the same filters, or begin again without one.',
  },
  invalid_reason: {
    why: 'The reason is not text, is too long, or holds control characters.',
    remedy: `Send plain text of at most ${LIMITS.reasonLength} characters, or leave it out.`,
  },
  invalid_url: {
    why: 'Events go only to public https addresses, so that nobody can make the service call an inner system.',
    remedy: 'Send an https address on port 443 whose name resolves to public addresses.',
  },
  invalid_event_types: {
    why: 'Often a misspelt name, or the name of a test event, to which endpoints cannot subscribe.',
    remedy: 'Send names of the list, or an empty list for all events.',
  },
  invalid_description: {
    why: 'The note is too long or no text.',
    remedy: `Send at most ${LIMITS.webhookDescriptionLength} characters, or null.`,
  },
  invalid_code_format: {
    why: 'Something other than six digits was entered, such as spaces or the mail’s text.',
    remedy: 'Let the signer enter only the six digits.',
  },
  invalid_signature: {
    why: 'The drawing is no PNG, is larger than 300 KB, or the typed text is blank.',
    remedy: 'Let the signer draw or type the signature again.',
  },
  invalid_name: {
    why: 'A name, a role or the number of a company is too long, has several lines, or holds nothing that can be seen.',
    remedy: 'Send what `field` names as one line with a visible character, no longer than `message` says.',
  },
} as const satisfies Partial<Record<ErrorCode, ErrorWords>>;
