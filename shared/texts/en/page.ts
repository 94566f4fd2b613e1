const tries = (n: number) => (n === 1 ? '1 try' : `${n} tries`);
const people = (n: number) => (n === 1 ? '1 other person' : `${n} other people`);

/** The choice of a language, on every page. */
export const LANGUAGE = { label: 'Language', name: 'English' };

/** What stands in place of a page: until its scripts have come, and where none may run. */
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
      text: 'No fault was found, but not everything could be checked.',
    },
    red: { heading: 'Do not rely on this file', text: 'Something is wrong with it.' },
  },
  /** Before what kind of signature it is, or what was found. */
  ofSignature: (number: number) => `Signature ${number}:`,
  findings: {
    not_a_pdf: 'The file is not a PDF.',
    damaged: 'The file is damaged: its structure cannot be read.',
    not_signed: 'The PDF has no signature. It may be a copy that was made by printing or saving it again.',
    altered: 'The file is not the one that was signed: its content was changed.',
    signature_wrong: 'The signature is not valid: its parts do not fit together.',
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
      'The evidence file is about this document and sealed with the same certificate, and its events are complete.',
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

export type LanguageTexts = typeof LANGUAGE;
export type InsteadTexts = typeof INSTEAD;
export type PageTexts = typeof PAGE;
export type VerifyTexts = typeof VERIFY;
export type LevelTexts = typeof SEAL_LEVEL;
export type ConnectionTexts = PageTexts['connection'];
