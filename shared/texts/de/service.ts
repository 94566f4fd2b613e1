import type { AuditTexts, EvidenceTexts, MailTexts, PdfTexts } from '../en/service.ts';
import { SEAL_LEVEL } from './page.ts';

export const MAIL: MailTexts = {
  colon: ':',
  greeting: (name) => (name ? `Guten Tag ${name},` : 'Guten Tag,'),
  testMark: 'TEST',
  testNotice:
    'TEST: Dieser Vorgang wurde erstellt, um den Dienst auszuprobieren. Eine Unterschrift hat keine rechtliche Wirkung.',
  document: 'Dokument',
  messageFrom: (sender) => `Nachricht von ${sender}`,
  code: 'Ihr Zugangscode',
  codeValidity: (minutes, until) => `${minutes} Minuten gültig, bis zum ${until}.`,
  codeEnded:
    'Ist der Code schon abgelaufen? Öffnen Sie die Seite trotzdem: Dort können Sie einen neuen anfordern.',
  codeOnThePage:
    'Zum Fortfahren brauchen Sie einen Zugangscode. Fordern Sie ihn auf der Seite an; er wird an diese Adresse geschickt.',
  signUntil: (date) => `Sie können bis zum ${date} unterschreiben.`,
  keptUntil: (date) =>
    `Das Dokument kann bis zum ${date} heruntergeladen werden. Bitte speichern Sie vorher eine Kopie.`,
  linkBelow: 'Oder öffnen Sie diese Adresse im Browser:',
  links: { imprintUrl: 'Impressum', privacyUrl: 'Datenschutz', supportUrl: 'Hilfe' },
  footer: (sender) => `Gesendet von Signature requests im Auftrag von ${sender}.`,
  unexpected: {
    request:
      'Sie haben diese E-Mail nicht erwartet? Dann können Sie sie ignorieren: Ohne Ihr Zutun auf der Seite wird nichts unterschrieben. Bitte leiten Sie sie nicht weiter, denn Link und Code sind nur für Sie bestimmt.',
    reminder:
      'Sie haben diese E-Mail nicht erwartet? Dann können Sie sie ignorieren: Ohne Ihr Zutun auf der Seite wird nichts unterschrieben. Bitte leiten Sie sie nicht weiter, denn der Link ist nur für Sie bestimmt.',
    code: 'Sie haben keinen Code angefordert? Dann können Sie diese E-Mail ignorieren: Ohne den Code kann niemand das Dokument sehen oder unterschreiben. Bitte geben Sie den Code nicht weiter.',
    sealed:
      'Sie erhalten diese E-Mail, weil Sie das Dokument unterschrieben haben. Bitte leiten Sie sie nicht weiter, denn der Link ist nur für Sie bestimmt.',
    notice: 'Sie erhalten diese E-Mail, weil Sie um Ihre Unterschrift unter dem Dokument gebeten wurden.',
    senderNotice: (requestId) =>
      `Sie erhalten diese E-Mail, weil Mitteilungen über Signaturvorgänge an diese Adresse gehen. Vorgang: ${requestId}`,
  },
  invitation: {
    subject: (sender, title) => `${sender} bittet Sie um Ihre Unterschrift: „${title}“`,
    intro: (sender) => `${sender} bittet Sie, ein Dokument elektronisch zu unterschreiben.`,
    button: 'Lesen und unterschreiben',
  },
  resend: {
    subject: (sender, title) => `Neuer Zugangscode von ${sender} für „${title}“`,
    intro: (sender) =>
      `${sender} hat Ihnen einen neuen Zugangscode zum Unterschreiben eines Dokuments geschickt. Frühere Codes gelten nicht mehr.`,
  },
  code_on_request: {
    subject: (_sender, title) => `Ihr Zugangscode für „${title}“`,
    intro: () => 'Hier ist der Zugangscode, den Sie angefordert haben. Frühere Codes gelten nicht mehr.',
    button: 'Zurück zum Dokument',
  },
  reminder: {
    subject: (sender, title) => `Erinnerung: ${sender} bittet Sie um Ihre Unterschrift: „${title}“`,
    intro: (sender) => `${sender} wartet noch auf Ihre Unterschrift unter einem Dokument.`,
  },
  sealed: {
    subject: (_sender, title) => `Unterschrieben und versiegelt: „${title}“`,
    intro: (sender) =>
      `Alle haben das von ${sender} gesendete Dokument unterschrieben. Es wurde versiegelt, sodass sich jede spätere Änderung erkennen lässt.`,
    button: 'Versiegeltes Dokument abrufen',
  },
  signers: (n) => (n === 1 ? 'Unterzeichnende Person' : 'Unterzeichnende Personen'),
  declineReason: 'Grund',
  openRequest: 'Vorgang öffnen',
  signerNotices: {
    cancelled: {
      subject: (_sender, title) => `Zurückgezogen: „${title}“`,
      intro: (sender) =>
        `${sender} hat die Bitte um Unterschrift unter diesem Dokument zurückgezogen. Sie müssen nichts tun.`,
    },
    declined: {
      subject: (_sender, title) => `Ohne Ergebnis beendet: „${title}“`,
      intro: (sender) =>
        `Eine andere Person hat es abgelehnt, das von ${sender} gesendete Dokument zu unterschreiben. Der Vorgang ist damit für alle beendet. Sie müssen nichts tun.`,
    },
    expired: {
      subject: (_sender, title) => `Abgelaufen: „${title}“`,
      intro: (sender) =>
        `Die Frist zum Unterschreiben des von ${sender} gesendeten Dokuments ist abgelaufen, und nicht alle haben unterschrieben. Sie müssen nichts tun.`,
    },
  },
  senderNotices: {
    completed: {
      subject: (_sender, title) => `Abgeschlossen: „${title}“`,
      intro: () => 'Alle haben das Dokument unterschrieben, und es ist versiegelt.',
    },
    declined: {
      subject: (_sender, title) => `Abgelehnt: „${title}“`,
      intro: () =>
        'Eine Person hat es abgelehnt, das Dokument zu unterschreiben. Der Vorgang ist damit für alle beendet.',
    },
    expired: {
      subject: (_sender, title) => `Frist abgelaufen: „${title}“`,
      intro: () =>
        'Die Frist zum Unterschreiben des Dokuments ist abgelaufen, und nicht alle haben unterschrieben. Der Vorgang ist beendet.',
    },
    mail_failed: {
      subject: (_sender, title) => `E-Mail nicht gesendet: „${title}“`,
      intro: () => 'Eine E-Mail zu dem Dokument konnte nicht gesendet werden.',
      next: (n) =>
        n === 1
          ? 'Bitte prüfen Sie die Adresse und wenden Sie sich nötigenfalls auf anderem Weg an die Person.'
          : 'Bitte prüfen Sie die Adressen und wenden Sie sich nötigenfalls auf anderem Weg an diese Personen.',
    },
    mail_bounced: {
      subject: (_sender, title) => `E-Mail nicht zustellbar: „${title}“`,
      intro: () => 'Eine E-Mail zu dem Dokument konnte nicht zugestellt werden und kam zurück.',
      next: 'Bitte prüfen Sie die Adresse und wenden Sie sich nötigenfalls auf anderem Weg an die Person. Bis Sie die Einladung erneut senden, gehen keine Erinnerungen an diese Adresse.',
    },
    mail_complained: {
      subject: (_sender, title) => `E-Mail als Spam gemeldet: „${title}“`,
      intro: () => 'Eine E-Mail zu dem Dokument wurde auf der Empfängerseite als Spam gemeldet.',
      next: 'Bitte sprechen Sie mit der Person, bevor Sie die Einladung erneut senden. Bis dahin gehen keine Erinnerungen an diese Adresse.',
    },
    code_entry_ended: {
      subject: (_sender, title) => `Neue Einladung nötig: „${title}“`,
      intro: () =>
        'Mit dem Link einer unterzeichnenden Person wurden zu viele Zugangscodes ausprobiert oder angefordert. Zum Schutz des Dokuments lassen sich mit diesem Link keine weiteren Codes anfordern.',
      next: 'Bitte vergewissern Sie sich, dass die richtige Person den Link hat, und senden Sie die Einladung erneut. Danach gilt der Link wie zuvor.',
    },
    sealing_failed: {
      subject: (_sender, title) => `Versiegelung fehlgeschlagen: „${title}“`,
      intro: () => 'Alle haben das Dokument unterschrieben, aber es konnte nicht versiegelt werden.',
      next: 'Alle Unterschriften sind festgehalten. Der Betreiber dieses Dienstes ist alarmiert und prüft den Fehler. Sie müssen vorerst nichts tun.',
    },
  },
  account: {
    signIn: {
      subject: 'Ihr Code zum Anmelden',
      intro:
        'Hier ist Ihr Code zum Anmelden. Geben Sie ihn in dem Browser ein, in dem Sie ihn angefordert haben.',
      code: 'Ihr Anmeldecode',
      unexpected:
        'Sie haben keinen Code angefordert? Dann können Sie diese E-Mail ignorieren: Der Code gilt nur in dem Browser, in dem er angefordert wurde. Geben Sie ihn an niemanden weiter.',
    },
    newMember: {
      subject: (organization) => `${organization} hat Ihnen Zugang gegeben`,
      intro: (organization) =>
        `${organization} hat Sie als Mitglied hinzugefügt. Sie können jetzt mit den Signaturvorgängen arbeiten.`,
      button: 'Anmelden',
      howTo:
        'Es gibt kein Passwort: Sie melden sich mit dieser E-Mail-Adresse an und erhalten jedes Mal einen Code.',
      unexpected:
        'Sie haben diese E-Mail nicht erwartet? Dann können Sie sie ignorieren: Es geschieht nichts, solange Sie sich nicht anmelden.',
    },
  },
};

export const CONSENT =
  'Ich stimme zu, dieses Dokument elektronisch zu unterschreiben. Mit meiner Unterschrift bestätige ich, dass ich das Dokument gelesen habe, dass ich es unterschreiben will und dass ich es in elektronischer Form akzeptiere. Meine Unterschrift ist eine einfache elektronische Signatur. Mein Name, meine E-Mail-Adresse, der Zeitpunkt, meine IP-Adresse und mein Browser werden als Nachweis festgehalten. Der Absender kann diese Angaben einsehen; ein Teil davon erscheint im unterschriebenen Dokument.';

const MONTHS = 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember';

export const PDF: PdfTexts = {
  colon: ':',
  kind: 'Unterschriftenseite',
  document: 'Dokument',
  fingerprint: 'Hashwert',
  fingerprintNote: 'SHA-256 des Originaldokuments ohne diese Seite',
  requestId: 'Vorgang',
  sender: 'Absender',
  anchor: 'Anker',
  anchorNote: (event) =>
    `Der Hashwert von Ereignis ${event} des Prüfprotokolls. Er umfasst alle Ereignisse bis zur letzten Unterschrift.`,
  verifyAt: (address) => `Dieses Dokument und sein Siegel lassen sich unter ${address} prüfen.`,
  signatures: (count) => (count === 1 ? '1 Unterschrift' : `${count} Unterschriften`),
  email: 'E-Mail',
  signedAt: 'Unterschrieben',
  firstViewed: 'Zuerst gesehen',
  proof: 'Bestätigt durch',
  proofByLinkAndCode: 'Link und per E-Mail gesandter Einmalcode',
  ipAddress: 'IP-Adresse',
  notRecorded: 'nicht erfasst',
  consent: 'Zustimmung',
  consentOf: (language, version) => `${language}, Fassung ${version}`,
  onBehalfOf: (entity) => `für ${entity}`,
  inTheRoleOf: (role) => `als ${role}`,
  entityId: (id) => `Kennung ${id}`,
  statement:
    'Alle auf dieser Seite genannten Unterzeichnenden haben das Dokument mit einer einfachen elektronischen Signatur im Sinne von ' +
    'Artikel 3 Nummer 10 der Verordnung (EU) Nr. 910/2014 (eIDAS) unterschrieben. Diese Seite wurde hinzugefügt, ' +
    'nachdem alle unterschrieben hatten. Anschließend hat der Signaturdienst die Datei mit einem elektronischen Siegel ' +
    '(PAdES) samt Zeitstempel (RFC 3161) verschlossen. Das Siegel umfasst die gesamte Datei einschließlich dieser ' +
    'Seite: Jede spätere Änderung lässt sich mit einem PDF-Programm oder einem Signaturprüfdienst erkennen.',
  replacedCharacters:
    'Angaben in eckigen Klammern (U+…) sind Unicode-Nummern von Zeichen, die auf dieser Seite nicht dargestellt werden ' +
    'können. Der genaue Text lässt sich von dieser Seite kopieren und ist im Prüfprotokoll gespeichert.',
  test: 'Test – im Testmodus unterschrieben und mit einem Testzertifikat versiegelt. Dieses Dokument hat keine rechtliche Wirkung.',
  testWatermark: 'TEST',
  pageOf: (page, pages) => `Seite ${page} von ${pages}`,
  time: ({ year, month, day, hour, minute, second }) =>
    `${day}. ${MONTHS.split(' ')[month]} ${year}, ${hour}:${minute}:${second} Uhr UTC`,
};

export const EVIDENCE: EvidenceTexts = {
  kind: 'Unterschriftennachweis',
  created: 'Erstellt',
  level: SEAL_LEVEL,
  anchorNote: (event) => `Der Hashwert von Ereignis ${event}, dem letzten in dieser Liste.`,
  signatures: 'Unterschriften',
  consentGiven: 'Diesem Text haben die Unterzeichnenden zugestimmt.',
  events: 'Ereignisse',
  eventsNote:
    'Alle Ereignisse des Vorgangs bis zur letzten Unterschrift. Jeder Hashwert umfasst das Ereignis und den Hashwert ' +
    'davor: Ein geändertes, hinzugefügtes oder entferntes Ereignis würde den Anker ändern.',
  columns: { time: 'Zeit (UTC)', event: 'Ereignis', by: 'Durch', hash: 'SHA-256' },
  actors: { client: 'Absender', signer: 'Unterzeichnende Person', service: 'Dienst', operator: 'Betreiber' },
  eventTypes: {
    request_created: 'Vorgang erstellt',
    invitation_sent: 'Einladung gesendet',
    invitation_failed: 'Einladung konnte nicht gesendet werden',
    link_opened: 'Signaturlink geöffnet',
    code_sent: 'Einmalcode gesendet',
    code_rotated: 'Einmalcode ersetzt',
    signer_corrected: 'Angaben der unterzeichnenden Person berichtigt',
    code_failed: 'Einmalcode konnte nicht gesendet werden',
    code_wrong: 'Falscher Einmalcode eingegeben',
    link_locked: 'Gesperrt nach zu vielen falschen Codes',
    code_entry_ended: 'Code-Eingabe beendet',
    code_verified: 'Einmalcode bestätigt',
    document_viewed: 'Dokument angezeigt',
    signer_signed: 'Unterschrieben',
    signer_declined: 'Unterschrift abgelehnt',
    request_cancelled: 'Vorgang zurückgezogen',
    invitation_resent: 'Einladung erneut gesendet',
    invitation_resend_failed: 'Einladung konnte nicht erneut gesendet werden',
    reminder_sent: 'Erinnerung gesendet',
    reminder_failed: 'Erinnerung konnte nicht gesendet werden',
    seal_queued: 'Versiegelung angefordert',
    document_sealed: 'Dokument versiegelt',
    seal_failed: 'Versuch der Versiegelung fehlgeschlagen',
    sealed_notice_sent: 'Abschlussnachricht gesendet',
    sealed_notice_failed: 'Abschlussnachricht konnte nicht gesendet werden',
    signer_notice_sent: 'Mitteilung an die unterzeichnende Person gesendet',
    signer_notice_failed: 'Mitteilung an die unterzeichnende Person konnte nicht gesendet werden',
    sender_notice_sent: 'Mitteilung an den Absender gesendet',
    sender_notice_failed: 'Mitteilung an den Absender konnte nicht gesendet werden',
    mail_bounced: 'E-Mail war nicht zustellbar',
    mail_complained: 'E-Mail als Spam gemeldet',
    document_downloaded: 'Versiegeltes Dokument heruntergeladen',
    webhook_delivered: 'Webhook zugestellt',
    webhook_failed: 'Webhook konnte nicht zugestellt werden',
    request_expired: 'Vorgang abgelaufen',
    document_deletion_requested: 'Löschung des Dokuments verlangt',
    document_purged: 'Dokument gelöscht',
    retention_changed: 'Aufbewahrung geändert',
    archive_renewed: 'Zeitstempel der archivierten Dateien erneuert',
    person_erased: 'Personenbezogene Daten der unterzeichnenden Person gelöscht',
  },
  verify: 'So lässt sich das prüfen',
  verifyDocument: (address) =>
    `Das versiegelte Dokument: Sein SHA-256-Wert muss der obige sein. ${address} berechnet ihn und prüft Siegel und Zeitstempel.`,
  verifyFile:
    'Diese Datei: Sie trägt wie das Dokument ein elektronisches Siegel mit Zeitstempel (PAdES). Jedes PDF-Programm ' +
    'und jeder Signaturprüfdienst zeigt, ob sie geändert wurde.',
  verifyEvents: (attachment) =>
    `Die Ereignisse: Die angehängte Datei ${attachment} enthält ihre Werte. Daraus lässt sich jeder Hashwert bis zum Anker berechnen.`,
  attachment: 'Die Ereignisse mit ihren Werten, um die Hashwerte nachzurechnen',
};

export const AUDIT: AuditTexts = {
  kind: 'Prüfprotokoll',
  foot: (id) => `Vorgang ${id} · zur Information, nicht signiert`,
  notSigned: 'Dieses Prüfprotokoll dient der Information und ist nicht signiert.',
  sealIsEvidence: 'Das versiegelte Dokument ist der rechtliche Nachweis.',
  filesAreEvidence:
    'Das versiegelte Dokument und seine versiegelte Nachweisdatei sind der rechtliche Nachweis.',
  asOf: (time) => `Es zeigt den Vorgang mit dem Stand vom ${time}.`,
  testMark:
    'Test – im Testmodus erstellt, ohne rechtliche Wirkung. Testvorgänge werden mit einem Testzertifikat versiegelt.',
  sections: {
    signers: 'Unterzeichnende',
    seal: 'Siegel',
    integrity: 'Unversehrtheit dieses Protokolls',
    webhooks: 'Anhang: Webhook-Zustellungen',
  },
  statuses: {
    pending: 'Ausstehend: Es konnte noch keine Einladung gesendet werden',
    sent: 'Gesendet',
    opened: 'Geöffnet',
    signed: 'Unterschrieben und versiegelt',
    cancelled: 'Zurückgezogen',
    declined: 'Abgelehnt',
    expired: 'Abgelaufen',
    awaiting_stamp: 'Von allen unterschrieben, das Siegel steht aus',
    stamp_failed: 'Von allen unterschrieben, das Versiegeln ist fehlgeschlagen',
  },
  signerStatuses: {
    pending: 'Ausstehend',
    sent: 'Eingeladen',
    opened: 'Geöffnet',
    signed: 'Unterschrieben',
    declined: 'Abgelehnt',
    invalidated: 'Ungültig geworden',
  },
  request: {
    id: 'Vorgangskennung',
    status: 'Status',
    createdVia: 'Erstellt über',
    viaDashboard: 'Web-Oberfläche',
    sent: 'Einladungen gesendet',
    opened: 'Zuerst geöffnet',
    message: 'Nachricht',
  },
  document: {
    size: 'Größe',
    bytes: (exact) => `${exact} Byte`,
    moreAttachments: (n) => (n === 1 ? 'und 1 weitere' : `und ${n} weitere`),
    unnamed: 'ohne Namen',
    original: 'Original (SHA-256)',
    deleted: 'Gelöscht',
    noSignaturePage:
      'Keine. Das Dokument trug bereits Signaturen, die eine hinzugefügte Seite in Zweifel gezogen hätte.',
    evidenceNamesSigners: 'Die Nachweisdatei nennt die Unterzeichnenden.',
  },
  seal: {
    format: 'Verfahren',
    formatName: (level) => `PAdES ${level} (ETSI EN 319 142-1) mit Zeitstempel nach RFC 3161`,
    file: 'Versiegelte Datei',
    pagesAdded: (pages) =>
      pages === 0
        ? 'keine Seite hinzugefügt'
        : pages === 1
          ? '1 Seite hinzugefügt'
          : `${pages} Seiten hinzugefügt`,
  },
  signaturesNote:
    'Sie stehen hier, weil das Dokument bereits Signaturen trug und deshalb keine Unterschriftenseite bekam.',
  signer: {
    times: 'Status und Zeiten (UTC)',
    origin: 'IP-Adresse und Browser',
    invitedAs: (name) => `Eingeladen als ${name}`,
    sent: 'Eingeladen',
    viewed: 'Angesehen',
    reason: (reason) => `Grund: ${reason}`,
    erased: 'Gelöschte Person',
    typed: 'Getippte Unterschrift',
    drawn: 'Gezeichnete Unterschrift',
  },
  event: {
    forSigner: (name) => `Für ${name}`,
    inAppendix: 'Webhook-Zustellungen tragen Nummern derselben Reihe und stehen im Anhang.',
    leftOut: (count) =>
      `${count === 1 ? '1 Eintrag ist' : `${count} Einträge sind`} hier ausgelassen. Die API nennt alle: GET /api/v1/signatures/{id}/events.`,
  },
  yes: 'ja',
  no: 'nein',
  chain: {
    head: 'Kopf der Kette',
    chain: 'Kette',
    intact: (events) =>
      `Unversehrt: ${events === 1 ? '1 Ereignis' : `${events} Ereignisse`}, geprüft beim Erstellen dieser Datei`,
    broken: (event) =>
      `UNTERBROCHEN bei Ereignis ${event}: Die Hashwerte der Ereignisse passen nicht zum Kopf`,
    howToRead: 'Lesehilfe',
    meaning:
      'Jedes Ereignis trägt den SHA-256-Hashwert des vorigen. Der Kopf ist der Hashwert des letzten: Er ändert sich, wenn ' +
      'ein Ereignis geändert, entfernt oder umgestellt wird.',
    characters: 'Zeichen',
  },
  details: {
    title: 'Titel',
    reference: 'Referenz',
    filename: 'Dateiname',
    document_size: 'Größe in Byte',
    page_count: 'Seiten',
    already_signed: 'Trug bereits Signaturen',
    attachments: 'Angehängte Dateien',
    return_url: 'Rücksprungadresse',
    document_sha256: 'Dokument (SHA-256)',
    message_sha256: 'Nachricht (SHA-256)',
    metadata_sha256: 'Metadaten (SHA-256)',
    sender: 'Absender',
    sender_type: 'Art des Absenders',
    sender_id: 'Absenderkennung',
    created_by: 'Erstellt von',
    user_id: 'Benutzerkennung',
    mode: 'Modus',
    expires_at: 'Gültig bis',
    signers: 'Zahl der Unterzeichnenden',
    invited: 'Eingeladen',
    name: 'Name',
    email: 'E-Mail-Adresse',
    representing: 'Für',
    role: 'Funktion',
    entity_id: 'Kennung',
    locale: 'Sprache',
    position: 'Stelle',
    signer_id: 'Unterzeichnerkennung',
    signature_type: 'Art der Unterschrift',
    signature_style: 'Schriftart der Unterschrift',
    text: 'Getippter Text',
    drawing_sha256: 'Zeichnung (SHA-256)',
    consent_version: 'Fassung der Zustimmung',
    consent_locale: 'Sprache der Zustimmung',
    document_hash: 'Versiegeltes Dokument (SHA-256)',
    evidence_hash: 'Nachweisdatei (SHA-256)',
    pages_added: 'Hinzugefügte Seiten',
    sealed_at: 'Versiegelt',
    sealed_size: 'Größe der versiegelten Datei in Byte',
    subject: 'Zertifikatsinhaber',
    issuer: 'Zertifikatsaussteller',
    serial: 'Zertifikatsnummer',
    notBefore: 'Gültig ab',
    notAfter: 'Gültig bis',
    algorithm: 'Algorithmus',
    level: 'Stufe des Siegels',
    timestampAuthority: 'Zeitstempeldienst',
    timestampTime: 'Zeit des Zeitstempels',
    timestampSerial: 'Nummer des Zeitstempels',
    timestampPolicy: 'Richtlinie des Zeitstempels',
    event_type: 'Art des Ereignisses',
    event_id: 'Ereigniskennung',
    endpoint_id: 'Empfänger',
    http_status: 'HTTP-Status',
    duration_ms: 'Millisekunden',
    manual: 'Auf Wunsch wiederholt',
    attempts_left: 'Verbleibende Versuche',
    reason: 'Grund',
    code: 'Ursache',
    archive_protected: 'Im Archiv aufbewahrt',
    renewal: 'Erneuerung',
    renewed_document_hash: 'Erneuertes Dokument (SHA-256)',
    renewed_evidence_hash: 'Erneuerte Nachweisdatei (SHA-256)',
    holds_until: 'Aus sich heraus prüfbar bis',
    shown_as: 'Angezeigt als',
    notice: 'Mitteilung',
    mail: 'Art der E-Mail',
    mail_sent_at: 'E-Mail gesendet',
    error: 'Fehler',
  },
  values: {
    mode: { live: 'Echtbetrieb', test: 'Test' },
    sender_type: { organization: 'Organisation', user: 'Person' },
    signature_type: { typed: 'getippt', drawn: 'gezeichnet' },
    signature_style: { italic: 'kursiv', serif: 'aufrecht', sans: 'schlicht' },
    notice: {
      completed: 'abgeschlossen',
      declined: 'abgelehnt',
      cancelled: 'zurückgezogen',
      expired: 'abgelaufen',
      mail_failed: 'E-Mail nicht gesendet',
      mail_bounced: 'E-Mail nicht zustellbar',
      mail_complained: 'E-Mail als Spam gemeldet',
      code_entry_ended: 'Code-Eingabe beendet',
      sealing_failed: 'Versiegelung fehlgeschlagen',
    },
    mail: {
      invitation: 'Einladung',
      resend: 'Einladung, erneut gesendet',
      code: 'Einmalcode',
      reminder: 'Erinnerung',
      completed: 'Abschlussnachricht',
      declined: 'Mitteilung: von anderer Seite abgelehnt',
      cancelled: 'Mitteilung: zurückgezogen',
      expired: 'Mitteilung: abgelaufen',
    },
  },
};
