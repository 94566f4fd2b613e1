import type { UtcTime } from '../../runtime/time.ts';

const tries = (n: number) => (n === 1 ? '1 try' : `${n} tries`);
const people = (n: number) => (n === 1 ? '1 other person' : `${n} other people`);

/** The choice of a language, on every page. */
export const LANGUAGE = { label: 'Language', name: 'English' };

/** Texts in place of a page: until its scripts have come, and where none may run. */
export const INSTEAD = {
  notLoaded:
    'The page has not loaded yet. If it does not appear, check your connection and load the page again, or open the link in a newer browser.',
  noScript: {
    sign: 'This page needs JavaScript to show you the document and take your signature. Turn it on for this page, or open the link in another browser.',
    verify:
      'This page needs JavaScript to check the file on your device. Turn it on for this page, or use another browser.',
    app: 'This page needs JavaScript. Turn it on for this page, or use another browser.',
  },
};

/** Every word of the signing page. English sets the keys: a language that lacks one does not compile. */
export const PAGE = {
  /** Links of the sender's brand. */
  brand: {
    imprint: 'Imprint',
    privacy: 'Privacy',
    support: 'Help',
    by: 'Sent with Signature requests',
  },
  opening: 'Opening your link',
  test: 'Test: not legally binding.',
  progress: (step: number, of: number) => `Step ${step} of ${of}`,
  steps: ['Confirm', 'Read', 'Sign'],
  optional: 'optional',
  checkFields: (n: number) =>
    n === 1 ? 'One thing needs your attention.' : `${n} things need your attention.`,
  connection: {
    lost: 'No connection. What you have entered is kept, and we keep trying.',
    busy: 'The service is busy. What you have entered is kept, and we try again within a minute.',
    tryNow: 'Try now',
  },
  trouble: {
    heading: 'Something went wrong',
    text: 'This is our fault, not yours. Please try again.',
    again: 'Try again',
    inline: 'Something went wrong on our side. What you have entered is kept; please try again.',
  },
  code: {
    heading: 'A document is waiting for your signature',
    headingSigned: 'You have signed this document',
    headingAgain: 'Confirm once more that it is you',
    intro: 'Enter the code from your e-mail. You then see the document and who sent it.',
    introSend:
      'We will e-mail a six-digit code to the address that received the invitation. With it you can see the document and who sent it.',
    introSigned: 'Confirm with a code that it is you, to see the status and download your copy.',
    sessionEnded:
      'Access ends after 30 minutes, to protect you. A new code takes you back to where you were. What you have entered is kept.',
    noCookies:
      'Your browser keeps no cookies, so it cannot prove that you have entered a code. Allow cookies for this page, or open the link in another browser.',
    label: 'Six-digit code',
    worksUntil: (time: string) => `The code from your latest e-mail works until ${time}.`,
    submit: 'Continue',
    checking: 'Checking',
    haveCode: 'I have a code',
    send: 'E-mail me a code',
    sendAgain: 'E-mail me a new code',
    sendAgainIn: (seconds: number) => `You can ask for a new code in ${seconds} s`,
    sending: 'Sending',
    sent: 'A code is on its way. Only the newest one works.',
    notArrived: 'Nothing after two minutes? Check your spam folder before you ask for another code.',
    wrong: (left: number) => `That is not the right code. You have ${tries(left)} left.`,
    triesLeft: (left: number) => `You have ${tries(left)} left.`,
    format: 'Enter all six digits.',
    expired: 'That code no longer works. Ask for a new one.',
    tooMany: (time: string) => `You can ask for another code from ${time}.`,
    noMore:
      'No further code can be sent: too many were asked for. If you do not have the newest one, please ask the sender to send you the link again.',
    emailFailed: 'The e-mail could not be sent. Please try again in a moment.',
    busy: 'The code could not be checked just now. Please try again in a moment.',
    lost: 'The connection was lost. Please try again.',
    lockedHeading: 'Locked for now',
    locked: (time: string) =>
      `Too many codes were entered or asked for. To protect the document, the link is locked until ${time}. After that you can ask for a new code.`,
    lockedCheck: 'Check again',
    endedHeading: 'This link no longer accepts codes',
    ended:
      'Too many codes were entered or asked for. To protect the document, codes work again only after the sender has sent you the link again. Please ask the sender to do so.',
    about: 'What is this page?',
    aboutText: [
      'An organization or a person has asked you to sign a document, and the request reached you by e-mail through this service.',
      'Until the code is entered, this page tells nobody what the document is or who you are.',
      'Nothing is signed until you have read the document and pressed “Sign the document”. You never need a password or a payment here.',
      'If you do not know what this is about, simply close the page.',
    ],
  },
  document: {
    heading: 'Read the document',
    from: (sender: string) => `Sent by ${sender}`,
    messageFrom: (sender: string) => `Message from ${sender}`,
    attachments: (n: number) => (n === 1 ? '1 attached file' : `${n} attached files`),
    attachmentsNote:
      'They are inside the PDF and are sealed with it. To read them, download the document and open it in a PDF program.',
    moreAttachments: (n: number) => (n === 1 ? 'and 1 more' : `and ${n} more`),
    unnamed: 'without a name',
    to: 'Addressed to',
    file: 'File',
    until: 'Sign by',
    others: 'Other signers',
    othersCount: (total: number, signed: number) => `${signed} of ${total} signed`,
    loading: 'Loading the document',
    notLoaded: 'The document could not be loaded. Please try again.',
    loaded: (pages: number) =>
      pages === 1 ? 'The document is shown. 1 page.' : `The document is shown. ${pages} pages.`,
    region: 'Document',
    page: (page: number, of: number) => `Page ${page} of ${of}`,
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    download: 'Download',
    downloaded: 'The download has started.',
    goToPage: 'Go to page',
    pages: 'Pages',
    search: 'Search in the document',
    searching: 'Searching',
    found: (n: number, of: number, page: number) => `${n} of ${of}, on page ${page}`,
    notFound: 'Not found.',
    searchFailed: 'The document could not be searched.',
    nextMatch: 'Next match',
    previousMatch: 'Previous match',
    closeSearch: 'Close the search',
    noText: 'This page is an image. It has no text that can be read aloud.',
    pageFailed: 'This page could not be shown completely. Download the document to read it.',
    cannotShow:
      'This document cannot be shown in your browser. Download it, read it, and then continue. It is exactly the file that you are signing.',
    toPrint: 'Download the document to print it.',
    toSign: 'Continue to sign',
    more: 'Other choices',
    toLater: 'Sign later',
    toDecline: 'Decline',
    back: 'Back to the document',
    changed:
      'The document on your screen was out of date, so it was loaded again. Please look at it again before you sign.',
  },
  sign: {
    heading: 'Sign',
    name: 'Your full name',
    nameHint: 'As it should appear in the signed document.',
    nameMissing: 'Enter your name.',
    nameInvalid: 'This name cannot be used. Please check it.',
    signature: 'Your signature',
    typed: 'Type',
    drawn: 'Draw',
    typedLabel: 'Typed signature',
    typedPreview: 'As it will look in the document',
    typedMissing: 'Type your signature.',
    style: 'Style',
    styles: { italic: 'Italic', serif: 'Upright', sans: 'Plain' },
    image: 'Image',
    imageChoose: 'Image of your signature',
    imageOther: 'Choose another image',
    imageHint: 'PNG or JPEG, at most 5\u00a0MB.',
    imageChosen: 'The image of your signature',
    imageMissing: 'Choose an image of your signature, or choose “Type”.',
    withheld:
      'To protect your privacy, this browser does not let this page read drawings and images. Choose “Type”, or use another browser.',
    imageFaults: {
      too_large: 'This image is too large. Choose one of at most 5\u00a0MB and 50 megapixels.',
      unreadable: 'This file cannot be read as an image. Choose a PNG or a JPEG.',
    },
    pad: 'Drawing area for your signature. Use a finger, a pen or the mouse. With the keyboard, choose “Type” instead.',
    padHint: 'Sign here',
    padDrawn: 'A signature has been drawn.',
    undo: 'Undo',
    clear: 'Clear',
    drawnMissing: 'Draw your signature, or choose “Type”.',
    signatureInvalid: 'This signature could not be used. Please make it again.',
    behalf: 'I am signing',
    forSelf: 'for myself',
    forEntity: 'for an organization',
    entity: 'Name of the organization',
    entityMissing: 'Enter the name of the organization.',
    role: 'Your role',
    roleHint: 'For example: managing director',
    entityId: 'Business ID',
    consent: 'What you agree to',
    agree: 'I have read the document and agree to the text above.',
    agreeMissing: 'Tick the box to continue.',
    consentChanged:
      'The text that you agree to has changed in the meantime. Please read it again and tick the box.',
    submit: 'Sign the document',
    submitting: 'Signing',
  },
  later: {
    text: (until: string) =>
      `You can sign until ${until}. Until then the link in your e-mail keeps working: open it again when it suits you.`,
    kept: 'You can close this page. Nothing has been signed or declined.',
  },
  decline: {
    heading: 'Decline to sign',
    text: 'The request then ends for everyone. This cannot be undone.',
    reason: 'Reason',
    reasonHint: 'The sender can read it.',
    left: (n: number) => (n === 1 ? '1 character left' : `${n} characters left`),
    tooMany: (n: number) => (n === 1 ? '1 character too many' : `${n} characters too many`),
    submit: 'Yes, I decline',
    submitting: 'Declining',
    told: 'The sender gets an e-mail about it.',
  },
  done: {
    heading: 'You have signed',
    at: (when: string) => `Signed on ${when}.`,
    waiting: (n: number) =>
      `${people(n)} ${n === 1 ? 'has' : 'have'} yet to sign. Once everyone has signed, the document will be sealed and you will get an e-mail with a link to your copy.`,
    sealing: 'Everyone has signed. The document is being sealed now, which usually takes less than a minute.',
    sealingLeave: 'There is no need to wait: you will get an e-mail with a link to your copy.',
    sealed: 'Everyone has signed and the document is sealed. Any later change to it can be detected.',
    sealLate:
      'Everyone has signed. Sealing is taking longer than usual; we are working on it. You will get an e-mail when it is done.',
    endedEarly: 'The request ended before everyone had signed, so there will be no sealed document.',
    download: 'Download the sealed document',
    downloadEvidence: 'Download the evidence file',
    /** After a download: a viewer inside a mail program may drop it without a word. */
    noFile: 'No file? Open the link from the e-mail in a browser such as Safari or Chrome.',
    downloading: 'Downloading',
    purged: (when: string) => `The sealed document was removed on ${when}. Ask the sender for a copy.`,
    purgedPlain: 'The sealed document has been removed. Ask the sender for a copy.',
    back: (host: string) => `Back to ${host}`,
    close: 'You can close this page.',
  },
  /** The page that the mail with the sealed document leads to. */
  copy: {
    heading: 'Your sealed document',
    until: (date: string) => `You can download it here until ${date}.`,
    purged: 'The document is no longer here',
    link_expired: 'The time to download it with this link has run out. Ask the sender for a copy.',
    not_found:
      'It may have been copied incompletely, cut short by a mail program, or have expired long ago. Copy the whole address below the button in the e-mail into your browser, or ask the sender for a copy.',
    fault: 'That did not work because of a fault on our side. Please try again.',
  },
  ended: {
    not_found: {
      heading: 'This link does not work',
      text: 'It may have been copied incompletely, or the sender has replaced it. Open it once more from the newest e-mail, or ask the sender for a new one.',
    },
    link_expired: {
      heading: 'This link has expired',
      text: 'Links work for a limited time. If the document still needs your signature, ask the sender for a new request.',
    },
    link_cancelled: {
      heading: 'The request was cancelled',
      text: 'The sender has withdrawn it. You do not need to do anything.',
    },
    link_declined: {
      heading: 'You have declined',
      text: 'You did not sign. You do not need to do anything more.',
    },
    link_invalidated: {
      heading: 'This request has ended',
      text: 'Another signer has declined, so your signature is no longer needed.',
    },
    request_not_active: {
      heading: 'This request is no longer open',
      text: 'The document cannot be signed any more. If you have questions, ask the sender.',
    },
  },
};

/** The level of a seal, on the verify page and in the evidence file. */
export const SEAL_LEVEL = {
  name: 'Level of the seal',
  told: {
    'B-T': (until: string) =>
      `B-T: with a timestamp. It can be verified until ${until}, as long as the issuers of its certificates tell whether they were revoked.`,
    'B-LT': (until: string) =>
      `B-LT: with a timestamp, and with proofs inside that no certificate was revoked. It can be verified without asking anyone until ${until}.`,
    'B-LTA': (until: string) =>
      `B-LTA: with a timestamp, with proofs inside that no certificate was revoked, and with another timestamp over them. It can be verified without asking anyone until ${until}.`,
  },
};

/** Every word of the verify page. English sets the keys: a language that lacks one does not compile. */
export const VERIFY = {
  heading: 'Verify a sealed PDF',
  intro:
    'See who sealed a PDF, when, and whether anything was changed since. The file stays on this device: it is checked here and sent nowhere.',
  document: 'Choose the PDF, or drop it here',
  evidence: 'Evidence file',
  evidenceHint: 'The second file that came with the document, if you have it.',
  optional: 'optional',
  oneFile: 'Only the first of your files was taken: choose them one by one.',
  remove: 'Remove',
  trusted: 'Certificates that you trust',
  trustedHint:
    'Fingerprints (SHA-256) or certificates (PEM) of the sealer and of the timestamp authority. Get them from the sealer separately, not together with this file.',
  trustedUnread:
    'Neither a fingerprint nor a certificate was found in this text. Paste 64 hexadecimal digits, or a certificate with its lines BEGIN and END.',
  checking: 'Checking',
  broken: 'The check could not be completed on this device. Choose the file again, or try another browser.',
  unreadableFile:
    'This file cannot be read. It may be a folder, or it may have been moved or changed. Choose it again.',
  verdicts: {
    green: {
      heading: 'Genuine and unchanged',
      text: 'The seal was made with a certificate that you trust, and nothing has been changed since.',
    },
    intact: {
      heading: 'Unchanged. Check whose certificate it is.',
      text: 'The seal fits the file. Anyone can make a seal with a name of their choice: compare the fingerprints below with those that the sealer gave you.',
    },
    amber: {
      heading: 'Could not be checked completely',
      text: 'What was found is listed below. Judge for yourself whether you rely on this file.',
    },
    red: { heading: 'Do not rely on this file', text: 'Something is wrong with it.' },
    /** The document itself is not red. */
    evidence: {
      heading: 'Do not rely on the evidence file',
      text: 'Something is wrong with it, or it belongs to another document. What was found about the document itself is listed first.',
    },
  },
  /** Before what kind of signature it is, or what was found. */
  ofSignature: (number: number) => `Signature ${number}:`,
  findings: {
    not_a_pdf: 'The file is not a PDF.',
    damaged: 'The file is damaged: its structure cannot be read.',
    not_signed: 'The PDF has no signature. It may be a copy that was made by printing or saving it again.',
    altered: 'The file is not the one that was signed: its content was changed.',
    signature_wrong:
      'The signature is not valid: its parts do not fit together. The file may be a copy that was made by saving it again.',
    changed_after: 'Something was added or changed after the signature.',
    timestamp_wrong: 'The timestamp is not valid.',
    certificate_not_valid: 'The certificate was not valid at the time of the signature.',
    evidence_of_other: 'The evidence file is about another document.',
    evidence_missing: 'The second file is not an evidence file.',
    evidence_chain_broken: 'An event in the evidence file was changed, removed or added.',
    evidence_anchor_differs:
      'The evidence file does not end at the event that the document names: events were removed or replaced.',
    too_large: 'The file is too large to be checked here.',
    too_complex: 'The file is too complex to be checked here.',
    encrypted: 'The file is encrypted, so it cannot be checked here.',
    cannot_check: 'The signature uses algorithms or a form that this page cannot check.',
    certificate_unsuitable: 'The certificate is not meant for signatures, or its key is too weak.',
    no_timestamp: 'There is no timestamp, so the time of the signature is not proved.',
    changed_between: 'Something was changed after this signature, before the next one.',
    metadata_changed:
      'The description in the file, such as title and author, was changed after the signature. Nothing that is shown was changed.',
    locked_before:
      'The signature locks form fields, and something was added after it. Other programs may call that a change of those fields.',
    unknown_signer: 'The certificate of the sealer is not among those that you trust.',
    unknown_authority: 'The certificate of the timestamp authority is not among those that you trust.',
    authority_expired: 'The certificate of the timestamp authority has expired by now.',
    time_ahead: 'The timestamp is later than the clock of this device.',
    evidence_by_other: 'The evidence file and the document are sealed with different certificates.',
    covers_all: 'The signature covers the whole file.',
    signed_further: 'After the signature, only further signatures or data for their validation were added.',
    evidence_fits:
      'The evidence file is about this document and sealed with the same certificate, and its events form one unbroken chain.',
  },
  level: SEAL_LEVEL,
  seal: 'Seal',
  documentStamp: 'Timestamp of the document',
  by: 'Sealed by',
  signedBy: 'Signed by',
  signedAt: 'Signed',
  codeConfirmed: 'Code from e-mail entered',
  issuer: 'Issued by',
  fingerprint: 'Fingerprint (SHA-256)',
  validity: (from: string, to: string) => `Certificate valid: ${from} to ${to}`,
  time: 'Time',
  authority: 'Timestamp by',
  reason: 'Stated reason',
  isTrusted: 'You trust this certificate.',
  unreadable: 'Cannot be determined.',
  hash: 'SHA-256 of the file',
  copy: 'Copy',
  copied: 'Copied.',
  copyFailed: 'Copying did not work. Select the text above and copy it.',
  compare: 'Compare with a SHA-256 that you have',
  compareInvalid: 'A SHA-256 has 64 characters: digits and letters from a to f.',
  same: 'They are the same.',
  different: 'They differ: this is another file.',
  limits:
    'The issuers of the certificates are not asked whether one was revoked, since that needs the network; only proofs in the file are checked. Names in a certificate are what its issuer confirmed.',
};

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
    'Each signer named on this page signed the document with a simple electronic signature within the meaning of Article 3(10) of Regulation (EU) No 910/2014 (eIDAS). This page was added once everyone had signed. The signing service then closed the file with an electronic seal (PAdES) that carries a timestamp (RFC 3161). The seal covers the whole file, this page included: any later change to it can be detected with a PDF reader or a signature validator.',
  replacedCharacters:
    'Characters in brackets (U+…) are Unicode code points of a script that this page cannot display. The exact text can be copied from this page and is kept in the audit record.',
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
    'All events of the request up to the last signature. Each hash covers the event and the hash before it, so a changed, added or removed event would change the anchor.',
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
    'This file: it carries an electronic seal with a timestamp (PAdES), as the document does. A signature validator, or a PDF reader that checks signatures, shows whether it was changed.',
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
      'Each event carries the SHA-256 hash of the one before it. The head is the hash of the last: it changes if any event is changed, removed or reordered.',
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
export type InsteadTexts = typeof INSTEAD;
export type PageTexts = typeof PAGE;
export type VerifyTexts = typeof VERIFY;
export type ConnectionTexts = PageTexts['connection'];
