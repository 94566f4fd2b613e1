import type { UtcTime } from '../../runtime/time.ts';
import { SEAL_LEVEL } from './page.ts';

/** Every word of ours in a mail; `shared/mail/` adds the sender's. English sets the keys for all languages. */
export const MAIL = {
  /** Between a label and its value, where both are on one line. */
  colon: ':',
  greeting: (name: string | null) => (name ? `Hello ${name},` : 'Hello,'),
  testMark: 'TEST',
  testNotice: 'TEST: this request was made to try out the service. Signing it has no legal effect.',
  document: 'Document',
  messageFrom: (sender: string) => `Message from ${sender}`,
  code: 'Your access code',
  codeValidity: (minutes: number, until: string) => `Valid for ${minutes} minutes, until ${until}.`,
  codeEnded: 'If the code has expired, open the page anyway: you can ask for a new one there.',
  codeOnThePage: 'You need an access code to go on. Ask for it on the page and it is sent to this address.',
  signUntil: (date: string) => `You can sign until ${date}.`,
  keptUntil: (date: string) =>
    `The document can be downloaded until ${date}. Please save a copy before then.`,
  /** Above the address of the button. */
  linkBelow: 'Or open this address in your browser:',
  /** The sender's own pages. */
  links: { imprintUrl: 'Imprint', privacyUrl: 'Privacy', supportUrl: 'Help' },
  footer: (sender: string) => `Sent by Signature requests on behalf of ${sender}.`,
  /** The last lines: why this mail came, and what to do if it was not expected. */
  unexpected: {
    request:
      'If you were not expecting this e-mail, you can ignore it: nothing is signed unless you do it yourself on the page. Please do not forward it, because the link and the code are meant for you alone.',
    reminder:
      'If you were not expecting this e-mail, you can ignore it: nothing is signed unless you do it yourself on the page. Please do not forward it, because the link is meant for you alone.',
    code: 'If you did not ask for a code, you can ignore this e-mail: without the code nobody can see the document or sign it. Please do not pass the code on to anyone.',
    sealed:
      'You are receiving this e-mail because you signed the document. Please do not forward it, because the link is meant for you alone.',
    notice: 'You are receiving this e-mail because you were asked to sign the document.',
    senderNotice: (requestId: string) =>
      `You are receiving this e-mail because notices about signature requests are sent to this address. Request: ${requestId}`,
  },
  invitation: {
    subject: (sender: string, title: string) => `${sender} asks you to sign “${title}”`,
    intro: (sender: string) => `${sender} asks you to sign a document electronically.`,
    button: 'Review and sign',
  },
  resend: {
    subject: (sender: string, title: string) => `New access code from ${sender} for “${title}”`,
    intro: (sender: string) =>
      `${sender} has sent you a new access code for signing a document. Earlier codes no longer work.`,
  },
  code_on_request: {
    subject: (_sender: string, title: string) => `Your access code for “${title}”`,
    intro: (_sender: string) => 'Here is the access code you asked for. Earlier codes no longer work.',
    button: 'Back to the document',
  },
  reminder: {
    subject: (sender: string, title: string) => `Reminder: ${sender} asks you to sign “${title}”`,
    intro: (sender: string) => `${sender} is still waiting for your signature on a document.`,
  },
  sealed: {
    subject: (_sender: string, title: string) => `Signed and sealed: “${title}”`,
    intro: (sender: string) =>
      `Everyone has signed the document that ${sender} sent. It has been sealed, so that any later change to it can be detected.`,
    button: 'Get the sealed document',
  },
  signers: (n: number): string => (n === 1 ? 'Signer' : 'Signers'),
  declineReason: 'Reason',
  openRequest: 'Open the request',
  /** To signers, about endings without a seal. */
  signerNotices: {
    cancelled: {
      subject: (_sender: string, title: string) => `Cancelled: “${title}”`,
      intro: (sender: string) =>
        `${sender} has cancelled the request to sign this document. You do not need to do anything.`,
    },
    declined: {
      subject: (_sender: string, title: string) => `Ended without a result: “${title}”`,
      intro: (sender: string) =>
        `Another person has declined to sign the document that ${sender} sent, so the request has ended for everyone. You do not need to do anything.`,
    },
    expired: {
      subject: (_sender: string, title: string) => `Expired: “${title}”`,
      intro: (sender: string) =>
        `The time to sign the document that ${sender} sent has run out, and not everyone has signed it. You do not need to do anything.`,
    },
  },
  /** To the sender. `next` says what is left to do. */
  senderNotices: {
    completed: {
      subject: (_sender: string, title: string) => `Completed: “${title}”`,
      intro: (_sender: string) => 'Everyone has signed the document, and it is sealed.',
    },
    declined: {
      subject: (_sender: string, title: string) => `Declined: “${title}”`,
      intro: (_sender: string) =>
        'A signer has declined to sign the document, so the request has ended for everyone.',
    },
    expired: {
      subject: (_sender: string, title: string) => `Expired: “${title}”`,
      intro: (_sender: string) =>
        'The time to sign the document has run out, and not everyone has signed it. The request has ended.',
    },
    mail_failed: {
      subject: (_sender: string, title: string) => `E-mail not sent: “${title}”`,
      intro: (_sender: string) => 'An e-mail about the document could not be sent.',
      next: (n: number): string =>
        n === 1
          ? 'Please check the address, and contact the person another way if necessary.'
          : 'Please check the addresses, and contact these people another way if necessary.',
    },
    mail_bounced: {
      subject: (_sender: string, title: string) => `E-mail returned: “${title}”`,
      intro: (_sender: string) => 'An e-mail about the document could not be delivered and came back.',
      next: 'Please check the address, and contact the person another way if necessary. Until you send the invitation again, no reminders are sent to this address.',
    },
    mail_complained: {
      subject: (_sender: string, title: string) => `E-mail reported as spam: “${title}”`,
      intro: (_sender: string) =>
        'The recipient of an e-mail about the document, or their mail program, reported it as spam.',
      next: 'Please get in touch with the person before you send the invitation again. Until then, no reminders are sent to this address.',
    },
    code_entry_ended: {
      subject: (_sender: string, title: string) => `A signer needs a new invitation: “${title}”`,
      intro: (_sender: string) =>
        'Too many access codes were tried or asked for with the link of a signer. To protect the document, no more codes can be requested with this link.',
      next: 'Please make sure that the right person has the link, and send the invitation again. The link then works as before.',
    },
    sealing_failed: {
      subject: (_sender: string, title: string) => `Sealing failed: “${title}”`,
      intro: (_sender: string) => 'Everyone has signed the document, but it could not be sealed.',
      next: 'Every signature is recorded. The operator of this service has been alerted and is looking into it. For now you do not need to do anything.',
    },
  },
  /** To users of the dashboard. */
  account: {
    signIn: {
      subject: 'Your code to sign in',
      intro: 'Here is the code to sign in with. Enter it in the browser in which you asked for it.',
      code: 'Your sign-in code',
      unexpected:
        'Did you not ask for a code? You can ignore this e-mail: the code works only in the browser in which it was asked for. Please do not pass it on to anyone.',
    },
    newMember: {
      subject: (organization: string) => `${organization} has given you access`,
      intro: (organization: string) =>
        `${organization} has made you a member. You can now work with its signature requests.`,
      button: 'Sign in',
      howTo:
        'There is no password: you sign in with this e-mail address, and a code is sent to it each time.',
      unexpected:
        'Were you not expecting this e-mail? You can ignore it: nothing happens unless you sign in.',
    },
  },
};

/** The text that a signer agrees to. A changed word needs a new version in `CONSENT_VERSIONS`; a test enforces it. */
export const CONSENT =
  'I agree to sign this document electronically. By signing, I confirm that I have read the document, that I intend to sign it and that I accept it in electronic form. My signature is a simple electronic signature. My name, my e-mail address, the time, my IP address and my browser are recorded as evidence of it. The sender can see this record, and parts of it appear in the signed document.';

const MONTHS = 'January February March April May June July August September October November December';

/** The signature page that is appended to the document. */
export const PDF = {
  /** Between a label and its value, where both are on one line. */
  colon: ':',
  kind: 'Signature page',
  document: 'Document',
  fingerprint: 'Fingerprint',
  fingerprintNote: 'SHA-256 of the original document, without this page',
  requestId: 'Request',
  sender: 'Sender',
  anchor: 'Anchor',
  anchorNote: (event: number) =>
    `The hash of event ${event} of the audit trail. It covers all events up to the last signature.`,
  verifyAt: (address: string) => `Check this document and its seal at ${address}.`,
  signatures: (count: number) => (count === 1 ? '1 signature' : `${count} signatures`),
  email: 'E-mail',
  signedAt: 'Signed',
  firstViewed: 'First viewed',
  proof: 'Verified by',
  /** Only the code always comes by e-mail: a client may hand over the link itself. */
  proofByLinkAndCode: 'Link and e-mailed one-time code',
  ipAddress: 'IP address',
  notRecorded: 'not recorded',
  consent: 'Consent',
  consentOf: (language: string, version: string) => `${language}, version ${version}`,
  onBehalfOf: (entity: string) => `on behalf of ${entity}`,
  inTheRoleOf: (role: string) => `as ${role}`,
  entityId: (id: string) => `ID ${id}`,
  statement:
    'Each signer named on this page signed the document with a simple electronic signature within the meaning of ' +
    'Article 3(10) of Regulation (EU) No 910/2014 (eIDAS). This page was added once everyone had signed. The ' +
    'signing service then closed the file with an electronic seal (PAdES) that carries a timestamp (RFC 3161). ' +
    'The seal covers the whole file, this page included: any later change to it can be detected with a PDF reader ' +
    'or a signature validator.',
  replacedCharacters:
    'Characters in brackets (U+…) are Unicode code points of a script that this page cannot display. The exact ' +
    'text can be copied from this page and is kept in the audit record.',
  test: 'Test – signed in test mode and sealed with a test certificate. This document has no legal effect.',
  testWatermark: 'TEST',
  pageOf: (page: number, pages: number) => `Page ${page} of ${pages}`,
  time: ({ year, month, day, hour, minute, second }: UtcTime) =>
    `${day} ${MONTHS.split(' ')[month]} ${year}, ${hour}:${minute}:${second} UTC`,
};

/** The evidence file: a sealed PDF beside the sealed document. English sets the keys for all languages. */
export const EVIDENCE = {
  kind: 'Evidence of signature',
  created: 'Created',
  level: SEAL_LEVEL,
  anchorNote: (event: number) => `The hash of event ${event}, the last one listed here.`,
  signatures: 'Signatures',
  consentGiven: 'This is the text that the signers agreed to.',
  events: 'Events',
  eventsNote:
    'All events of the request up to the last signature. Each hash covers the event and the hash before it, so a ' +
    'changed, added or removed event would change the anchor.',
  columns: { time: 'Time (UTC)', event: 'Event', by: 'By', hash: 'SHA-256' },
  actors: { client: 'Sender', signer: 'Signer', service: 'Service', operator: 'Operator' },
  eventTypes: {
    request_created: 'Request created',
    invitation_sent: 'Invitation sent',
    invitation_failed: 'Invitation could not be sent',
    link_opened: 'Signing link opened',
    code_sent: 'One-time code sent',
    code_rotated: 'One-time code replaced',
    signer_corrected: 'Signer corrected',
    code_failed: 'One-time code could not be sent',
    code_wrong: 'Wrong one-time code entered',
    link_locked: 'Locked after too many wrong codes',
    code_entry_ended: 'Code entry ended',
    code_verified: 'One-time code verified',
    document_viewed: 'Document shown to the signer',
    signer_signed: 'Signed',
    signer_declined: 'Declined to sign',
    request_cancelled: 'Request cancelled',
    invitation_resent: 'Invitation sent again',
    invitation_resend_failed: 'Invitation could not be sent again',
    reminder_sent: 'Reminder sent',
    reminder_failed: 'Reminder could not be sent',
    seal_queued: 'Seal requested',
    document_sealed: 'Document sealed',
    seal_failed: 'Sealing attempt failed',
    sealed_notice_sent: 'Notice of completion sent',
    sealed_notice_failed: 'Notice of completion could not be sent',
    signer_notice_sent: 'Notice to the signer sent',
    signer_notice_failed: 'Notice to the signer could not be sent',
    sender_notice_sent: 'Notice to the sender sent',
    sender_notice_failed: 'Notice to the sender could not be sent',
    mail_bounced: 'E-mail could not be delivered',
    mail_complained: 'E-mail reported as spam',
    document_downloaded: 'Sealed document downloaded',
    webhook_delivered: 'Webhook delivered',
    webhook_failed: 'Webhook delivery failed',
    request_expired: 'Request expired',
    document_deletion_requested: 'Deletion of the document requested',
    document_purged: 'Document deleted',
    retention_changed: 'Retention changed',
    archive_renewed: 'Timestamps of the archived files renewed',
    person_erased: 'Personal data of the signer erased',
  },
  verify: 'How to verify',
  verifyDocument: (address: string) =>
    `The sealed document: its SHA-256 must be the one above. ${address} computes it and checks seal and timestamp.`,
  verifyFile:
    'This file: it carries an electronic seal with a timestamp (PAdES), as the document does. Any PDF reader or ' +
    'signature validator shows whether it was changed.',
  verifyEvents: (attachment: string) =>
    `The events: the attached file ${attachment} holds their values. The hash of each can be computed from it, up to the anchor.`,
  attachment: 'The events with their values, for computing the hashes again',
};

/** The audit trail. Names of events and actors are those of the evidence file. */
export const AUDIT = {
  kind: 'Audit trail',
  foot: (id: string) => `Request ${id} · informational, not signed`,
  notSigned: 'This audit trail is informational and is not signed.',
  sealIsEvidence: 'The sealed document is the legal evidence.',
  filesAreEvidence: 'The sealed document and its sealed evidence file are the legal evidence.',
  asOf: (time: string) => `It shows the request as of ${time}.`,
  testMark:
    'Test – made in test mode, without legal effect. Test requests are sealed with a test certificate.',
  sections: {
    signers: 'Signers',
    seal: 'Seal',
    integrity: 'Integrity of this trail',
    webhooks: 'Appendix: webhook deliveries',
  },
  statuses: {
    pending: 'Pending: no invitation could be sent yet',
    sent: 'Sent',
    opened: 'Opened',
    signed: 'Signed and sealed',
    cancelled: 'Cancelled',
    declined: 'Declined',
    expired: 'Expired',
    awaiting_stamp: 'Signed by all, awaiting the seal',
    stamp_failed: 'Signed by all, sealing failed',
  },
  signerStatuses: {
    pending: 'Pending',
    sent: 'Invited',
    opened: 'Opened',
    signed: 'Signed',
    declined: 'Declined',
    invalidated: 'Invalidated',
  },
  request: {
    id: 'Request ID',
    status: 'Status',
    createdVia: 'Created via',
    viaDashboard: 'Dashboard',
    sent: 'Invitations sent',
    opened: 'First opened',
    message: 'Message',
  },
  document: {
    size: 'Size',
    bytes: (exact: string) => (exact === '1' ? '1 byte' : `${exact} bytes`),
    moreAttachments: (n: number) => (n === 1 ? 'and 1 more' : `and ${n} more`),
    unnamed: 'without a name',
    original: 'Original, SHA-256',
    deleted: 'Deleted',
    noSignaturePage:
      'None. The document already carried signatures, which an added page would have put in doubt.',
    evidenceNamesSigners: 'The evidence file names the signers.',
  },
  seal: {
    format: 'Format',
    formatName: (level: string) => `PAdES ${level} (ETSI EN 319 142-1) with an RFC 3161 timestamp`,
    file: 'Sealed file',
    pagesAdded: (pages: number) =>
      pages === 0 ? 'no page added' : pages === 1 ? '1 page added' : `${pages} pages added`,
  },
  signaturesNote:
    'They are shown here because the document already carried signatures and so got no signature page.',
  signer: {
    times: 'Status and times (UTC)',
    origin: 'IP address and browser',
    invitedAs: (name: string) => `Invited as ${name}`,
    sent: 'Invited',
    viewed: 'Viewed',
    reason: (reason: string) => `Reason: ${reason}`,
    erased: 'Erased person',
    typed: 'Typed signature',
    drawn: 'Drawn signature',
  },
  event: {
    forSigner: (name: string) => `For ${name}`,
    inAppendix: 'Webhook deliveries have numbers in the same order and stand in the appendix.',
    leftOut: (count: number) =>
      `${count === 1 ? '1 entry is' : `${count} entries are`} left out here. The API lists all of them: GET /api/v1/signatures/{id}/events.`,
  },
  yes: 'yes',
  no: 'no',
  chain: {
    head: 'Head of the chain',
    chain: 'Chain',
    intact: (events: number) =>
      `Intact: ${events === 1 ? '1 event' : `${events} events`}, checked when this file was made`,
    broken: (event: number | null) =>
      `BROKEN at event ${event}: the hashes of the events do not match the head`,
    howToRead: 'How to read it',
    meaning:
      'Each event carries the SHA-256 hash of the one before it. The head is the hash of the last: it changes if any ' +
      'event is changed, removed or reordered.',
    characters: 'Characters',
  },
  /** The members of events and seals, in the order in which they print. */
  details: {
    title: 'Title',
    reference: 'Reference',
    filename: 'File name',
    document_size: 'Size in bytes',
    page_count: 'Pages',
    already_signed: 'Already carried signatures',
    attachments: 'Attached files',
    return_url: 'Return address',
    document_sha256: 'Document, SHA-256',
    message_sha256: 'Message, SHA-256',
    metadata_sha256: 'Metadata, SHA-256',
    sender: 'Sender',
    sender_type: 'Kind of sender',
    sender_id: 'Sender ID',
    created_by: 'Created by',
    user_id: 'User ID',
    mode: 'Mode',
    expires_at: 'Expires',
    signers: 'Number of signers',
    invited: 'Invited',
    name: 'Name',
    email: 'E-mail',
    representing: 'On behalf of',
    role: 'Role',
    entity_id: 'Entity ID',
    locale: 'Language',
    position: 'Position',
    signer_id: 'Signer ID',
    signature_type: 'Kind of signature',
    signature_style: 'Style of the signature',
    text: 'Typed text',
    drawing_sha256: 'Drawing, SHA-256',
    consent_version: 'Version of the consent',
    consent_locale: 'Language of the consent',
    document_hash: 'Sealed document, SHA-256',
    evidence_hash: 'Evidence file, SHA-256',
    pages_added: 'Pages added',
    sealed_at: 'Sealed',
    sealed_size: 'Sealed size in bytes',
    subject: 'Certificate subject',
    issuer: 'Certificate issuer',
    serial: 'Certificate serial',
    notBefore: 'Valid from',
    notAfter: 'Valid until',
    algorithm: 'Algorithm',
    level: 'Level of the seal',
    timestampAuthority: 'Timestamp authority',
    timestampTime: 'Timestamp time',
    timestampSerial: 'Timestamp serial',
    timestampPolicy: 'Timestamp policy',
    event_type: 'Kind of event',
    event_id: 'Event ID',
    endpoint_id: 'Endpoint',
    http_status: 'HTTP status',
    duration_ms: 'Milliseconds',
    manual: 'Repeated on request',
    attempts_left: 'Attempts left',
    reason: 'Reason',
    code: 'Cause',
    archive_protected: 'Kept in the archive',
    renewal: 'Renewal',
    renewed_document_hash: 'Renewed document, SHA-256',
    renewed_evidence_hash: 'Renewed evidence file, SHA-256',
    holds_until: 'Verifiable by itself until',
    shown_as: 'Shown as',
    notice: 'Notice',
    mail: 'Kind of e-mail',
    mail_sent_at: 'E-mail sent',
    error: 'Error',
  },
  /** Values of details, by the name of the detail. */
  values: {
    mode: { live: 'live', test: 'test' },
    sender_type: { organization: 'organization', user: 'user' },
    signature_type: { typed: 'typed', drawn: 'drawn' },
    signature_style: { italic: 'italic', serif: 'upright', sans: 'plain' },
    notice: {
      completed: 'completed',
      declined: 'declined',
      cancelled: 'cancelled',
      expired: 'expired',
      mail_failed: 'e-mail not sent',
      mail_bounced: 'e-mail returned',
      mail_complained: 'e-mail reported as spam',
      code_entry_ended: 'code entry ended',
      sealing_failed: 'sealing failed',
    },
    mail: {
      invitation: 'invitation',
      resend: 'invitation sent again',
      code: 'one-time code',
      reminder: 'reminder',
      completed: 'notice of completion',
      declined: 'notice: declined by another',
      cancelled: 'notice: cancelled',
      expired: 'notice: expired',
    },
  },
};

export type MailTexts = typeof MAIL;
export type PdfTexts = typeof PDF;
export type EvidenceTexts = typeof EVIDENCE;
export type AuditTexts = typeof AUDIT;
