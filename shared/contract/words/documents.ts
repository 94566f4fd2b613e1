import { LIMITS } from '../limits.ts';
import * as signatures from '../signatures.ts';
import { documentedAs, named } from './described.ts';
import { IF_CHANGED } from './headers.ts';
import { REQUEST_ID, UPLOAD_ID } from './samples.ts';
import { requestId } from './signatures.ts';
import { DOCUMENTS } from './tags.ts';

const documented = documentedAs(DOCUMENTS);

const formWords = {
  form: [
    '`archival`: with the newest timestamps. The same bytes until an archive first renews them, then a file that begins with those bytes.',
    'archival',
  ],
} as const;

export const DOCUMENT_ENDPOINTS = {
  'get-document': documented(signatures.getDocument, {
    operationId: 'downloadDocument',
    description:
      'The sealed PDF, once all have signed. `document_hash` of the request is the SHA-256 of these bytes. Without an archive it is kept for 7 days.',
    returns: 'The sealed PDF.',
    ...IF_CHANGED,
    params: { id: requestId },
    query: formWords,
  }),
  'delete-document': documented(signatures.deleteDocument, {
    description:
      'Deletes the original, the sealed PDF and the evidence file of an ended request at once and permanently. The record and its audit trail stay.',
    returns: 'The PDFs are deleted.',
    params: { id: requestId },
    answer: named('DeletedDocument', signatures.deleteDocument.answer, 'PDFs just deleted.', {
      id: ['The request’s id.', REQUEST_ID],
      pdf_purged: ['Always true.', true],
      pdf_purged_at: ['When they were deleted.', '2026-11-22T09:00:00.000Z'],
    }),
  }),
  'get-evidence': documented(signatures.getEvidence, {
    operationId: 'downloadEvidence',
    description:
      'A sealed PDF that proves how the document was signed: each signer’s data, the consent, and all events with their hashes. Kept as long as the sealed document.',
    returns: 'The evidence file.',
    ...IF_CHANGED,
    params: { id: requestId },
    query: formWords,
  }),
  'get-audit-trail': documented(signatures.getAuditTrail, {
    operationId: 'downloadAuditTrail',
    description:
      'What happened so far, as a PDF made on demand, for a request in any status. It is for information and carries no signature: the evidence is in the sealed files.',
    returns: 'The audit trail.',
    params: { id: requestId },
  }),
  'create-upload': documented(signatures.createUpload, {
    description:
      'A form for sending a PDF straight to storage, instead of inline as base64. Post its `fields` and then the file, as `file`, to its `url` ' +
      '(multipart/form-data), and create the request with `document.upload_id`. An upload can be used once, within an hour.',
    returns: 'The form.',
    answer: named('Upload', signatures.createUpload.answer, 'A one-time form for uploading a PDF.', {
      upload_id: ['Pass it as `document.upload_id`.', UPLOAD_ID],
      url: ['Where to post the form.', 'https://example-bucket.s3.eu-north-1.amazonaws.com/'],
      fields: [
        'The form’s fields, to be sent unchanged before the file.',
        { key: 'uploads/6e5d4c3b', policy: 'eyJleHBpcmF0aW9uIjoi' },
      ],
      max_bytes: ['The largest file that is accepted.', LIMITS.documentBytes],
      expires_at: ['Until when the upload can be used.', '2026-11-21T11:00:00.000Z'],
    }),
  }),
} as const;
