import type * as en from '../en/service.ts';

const tries = (n: number) => (n === 1 ? '1 Versuch' : `${n} Versuche`);

export const LANGUAGE: typeof en.LANGUAGE = { label: 'Sprache', name: 'Deutsch' };

export const INSTEAD: en.InsteadTexts = {
  notLoaded:
    'Die Seite ist noch nicht geladen. Wenn sie nicht erscheint, prüfen Sie Ihre Verbindung und laden Sie die Seite neu, oder öffnen Sie den Link in einem neueren Browser.',
  noScript: {
    sign: 'Diese Seite braucht JavaScript, um Ihnen das Dokument zu zeigen und Ihre Unterschrift aufzunehmen. Erlauben Sie es für diese Seite oder öffnen Sie den Link in einem anderen Browser.',
    verify:
      'Diese Seite braucht JavaScript, um die Datei auf Ihrem Gerät zu prüfen. Schalten Sie es für diese Seite ein, oder nehmen Sie einen anderen Browser.',
    app: 'Diese Seite braucht JavaScript. Schalten Sie es für diese Seite ein oder nehmen Sie einen anderen Browser.',
  },
};

export const PAGE: en.PageTexts = {
  brand: {
    imprint: 'Impressum',
    privacy: 'Datenschutz',
    support: 'Hilfe',
    by: 'Gesendet mit Signature requests',
  },
  opening: 'Ihr Link wird geöffnet',
  test: 'Test: rechtlich nicht bindend.',
  progress: (step, of) => `Schritt ${step} von ${of}`,
  steps: ['Bestätigen', 'Lesen', 'Unterschreiben'],
  optional: 'optional',
  checkFields: (n) =>
    n === 1 ? 'Eine Angabe fehlt noch oder stimmt nicht.' : `${n} Angaben fehlen noch oder stimmen nicht.`,
  connection: {
    lost: 'Keine Verbindung. Ihre Eingaben bleiben erhalten, und wir versuchen es weiter.',
    busy: 'Der Dienst ist ausgelastet. Ihre Eingaben bleiben erhalten, und wir versuchen es innerhalb einer Minute noch einmal.',
    tryNow: 'Jetzt versuchen',
  },
  trouble: {
    heading: 'Etwas ist schiefgegangen',
    text: 'Der Fehler liegt bei uns. Bitte versuchen Sie es noch einmal.',
    again: 'Noch einmal versuchen',
    inline:
      'Bei uns ist ein Fehler aufgetreten. Ihre Eingaben bleiben erhalten; bitte versuchen Sie es noch einmal.',
  },
  code: {
    heading: 'Ein Dokument wartet auf Ihre Unterschrift',
    headingSigned: 'Sie haben dieses Dokument unterschrieben',
    headingAgain: 'Bestätigen Sie noch einmal, dass Sie es sind',
    intro: 'Geben Sie den Code aus Ihrer E-Mail ein. Danach sehen Sie das Dokument und wer es gesendet hat.',
    introSend:
      'Wir senden einen sechsstelligen Code an die Adresse, die die Einladung erhalten hat. Damit sehen Sie das Dokument und wer es gesendet hat.',
    introSigned:
      'Um den Stand zu sehen und Ihr Exemplar herunterzuladen, bestätigen Sie mit einem Code, dass Sie es sind.',
    sessionEnded:
      'Zu Ihrem Schutz endet der Zugang nach 30 Minuten. Ein neuer Code bringt Sie dorthin zurück, wo Sie waren. Ihre Eingaben bleiben erhalten.',
    noCookies:
      'Ihr Browser behält keine Cookies und kann daher nicht nachweisen, dass Sie einen Code eingegeben haben. Erlauben Sie Cookies für diese Seite oder öffnen Sie den Link in einem anderen Browser.',
    label: 'Sechsstelliger Code',
    worksUntil: (time) => `Der Code aus Ihrer neuesten E-Mail gilt bis ${time}.`,
    submit: 'Weiter',
    checking: 'Wird geprüft',
    haveCode: 'Ich habe einen Code',
    send: 'Code per E-Mail senden',
    sendAgain: 'Neuen Code per E-Mail senden',
    sendAgainIn: (seconds) => `Neuer Code möglich in ${seconds} s`,
    sending: 'Wird gesendet',
    sent: 'Ein Code ist unterwegs. Nur der neueste gilt.',
    notArrived:
      'Nach zwei Minuten nichts da? Sehen Sie im Spam-Ordner nach, bevor Sie einen weiteren anfordern.',
    wrong: (left) => `Das ist nicht der richtige Code. Sie haben noch ${tries(left)}.`,
    triesLeft: (left) => `Sie haben noch ${tries(left)}.`,
    format: 'Geben Sie alle sechs Ziffern ein.',
    expired: 'Dieser Code gilt nicht mehr. Fordern Sie einen neuen an.',
    tooMany: (time) => `Ein neuer Code ist möglich ab: ${time}.`,
    noMore:
      'Es kann kein weiterer Code gesendet werden, weil zu viele angefordert wurden. Wenn Sie den neuesten nicht haben, bitten Sie den Absender, Ihnen den Link erneut zu schicken.',
    emailFailed: 'Die E-Mail konnte nicht gesendet werden. Bitte versuchen Sie es gleich noch einmal.',
    busy: 'Der Code konnte gerade nicht geprüft werden. Bitte versuchen Sie es gleich noch einmal.',
    lost: 'Die Verbindung ist abgebrochen. Bitte versuchen Sie es noch einmal.',
    lockedHeading: 'Vorerst gesperrt',
    locked: (time) =>
      `Es wurden zu viele Codes eingegeben oder angefordert. Zum Schutz des Dokuments ist der Link bis ${time} gesperrt. Danach können Sie einen neuen Code anfordern.`,
    lockedCheck: 'Erneut prüfen',
    endedHeading: 'Dieser Link nimmt keine Codes mehr an',
    ended:
      'Es wurden zu viele Codes eingegeben oder angefordert. Zum Schutz des Dokuments funktionieren Codes erst wieder, wenn Ihnen der Absender den Link erneut geschickt hat. Bitten Sie ihn darum.',
    about: 'Was ist diese Seite?',
    aboutText: [
      'Eine Organisation oder eine Person bittet Sie, ein Dokument zu unterschreiben. Die Bitte kam über diesen Dienst per E-Mail zu Ihnen.',
      'Bevor der Code eingegeben ist, verrät diese Seite niemandem, um welches Dokument es geht oder wer Sie sind.',
      'Nichts wird unterschrieben, bevor Sie das Dokument gelesen und auf „Dokument unterschreiben“ geklickt haben. Ein Passwort oder eine Zahlung brauchen Sie hier nie.',
      'Sie wissen nicht, worum es geht? Dann schließen Sie einfach die Seite.',
    ],
  },
  document: {
    heading: 'Lesen Sie das Dokument',
    from: (sender) => `Gesendet von ${sender}`,
    messageFrom: (sender) => `Nachricht von ${sender}`,
    attachments: (n) => (n === 1 ? '1 angehängte Datei' : `${n} angehängte Dateien`),
    attachmentsNote:
      'Sie sind im PDF enthalten und werden mit ihm versiegelt. Um sie zu lesen, laden Sie es herunter und öffnen Sie es in einem PDF-Programm.',
    moreAttachments: (n) => (n === 1 ? 'und 1 weitere' : `und ${n} weitere`),
    unnamed: 'ohne Namen',
    to: 'Gerichtet an',
    file: 'Datei',
    until: 'Unterschreiben bis',
    others: 'Weitere Unterzeichnende',
    othersCount: (total, signed) => `${signed} von ${total} unterschrieben`,
    loading: 'Das Dokument wird geladen',
    notLoaded: 'Das Dokument konnte nicht geladen werden. Bitte versuchen Sie es noch einmal.',
    loaded: (pages) =>
      pages === 1 ? 'Das Dokument wird angezeigt. 1 Seite.' : `Das Dokument wird angezeigt. ${pages} Seiten.`,
    region: 'Dokument',
    page: (page, of) => `Seite ${page} von ${of}`,
    zoomIn: 'Vergrößern',
    zoomOut: 'Verkleinern',
    download: 'Herunterladen',
    downloaded: 'Das Herunterladen hat begonnen.',
    goToPage: 'Zur Seite',
    pages: 'Seiten',
    search: 'Im Dokument suchen',
    searching: 'Suche läuft',
    found: (n, of, page) => `${n} von ${of}, auf Seite ${page}`,
    notFound: 'Nicht gefunden.',
    searchFailed: 'Das Dokument konnte nicht durchsucht werden.',
    nextMatch: 'Nächster Treffer',
    previousMatch: 'Voriger Treffer',
    closeSearch: 'Suche schließen',
    noText: 'Diese Seite ist ein Bild. Sie enthält keinen Text, der vorgelesen werden könnte.',
    pageFailed:
      'Diese Seite konnte nicht vollständig angezeigt werden. Laden Sie das Dokument herunter, um sie zu lesen.',
    cannotShow:
      'Ihr Browser kann dieses Dokument nicht anzeigen. Laden Sie es herunter, lesen Sie es und fahren Sie dann fort. Es ist genau die Datei, die Sie unterschreiben.',
    toPrint: 'Laden Sie das Dokument herunter, um es zu drucken.',
    toSign: 'Weiter zur Unterschrift',
    more: 'Andere Möglichkeiten',
    toLater: 'Später unterschreiben',
    toDecline: 'Ablehnen',
    back: 'Zurück zum Dokument',
    changed:
      'Das Dokument wurde neu geladen, weil das angezeigte nicht das aktuelle war. Bitte sehen Sie es noch einmal an, bevor Sie unterschreiben.',
  },
  sign: {
    heading: 'Unterschreiben',
    name: 'Ihr vollständiger Name',
    nameHint: 'So, wie er im unterschriebenen Dokument stehen soll.',
    nameMissing: 'Geben Sie Ihren Namen ein.',
    nameInvalid: 'Dieser Name kann nicht verwendet werden. Bitte prüfen Sie ihn.',
    signature: 'Ihre Unterschrift',
    typed: 'Tippen',
    drawn: 'Zeichnen',
    typedLabel: 'Getippte Unterschrift',
    typedPreview: 'So sieht sie im Dokument aus',
    typedMissing: 'Tippen Sie Ihre Unterschrift ein.',
    style: 'Schriftart',
    styles: { italic: 'Kursiv', serif: 'Aufrecht', sans: 'Schlicht' },
    image: 'Bild',
    imageChoose: 'Bild Ihrer Unterschrift',
    imageOther: 'Anderes Bild wählen',
    imageHint: 'PNG oder JPEG, höchstens 5\u00a0MB.',
    imageChosen: 'Das Bild Ihrer Unterschrift',
    imageMissing: 'Wählen Sie ein Bild Ihrer Unterschrift oder wählen Sie „Tippen“.',
    withheld:
      'Zum Schutz Ihrer Privatsphäre gibt dieser Browser keine Zeichnungen und Bilder an diese Seite weiter. Wählen Sie „Tippen“ oder verwenden Sie einen anderen Browser.',
    imageFaults: {
      too_large: 'Dieses Bild ist zu groß. Wählen Sie eines mit höchstens 5\u00a0MB und 50 Megapixeln.',
      unreadable: 'Diese Datei lässt sich nicht als Bild lesen. Wählen Sie ein PNG oder JPEG.',
    },
    pad: 'Zeichenfläche für Ihre Unterschrift. Verwenden Sie Finger, Stift oder Maus. Mit der Tastatur wählen Sie stattdessen „Tippen“.',
    padHint: 'Hier unterschreiben',
    padDrawn: 'Eine Unterschrift ist gezeichnet.',
    undo: 'Rückgängig',
    clear: 'Löschen',
    drawnMissing: 'Zeichnen Sie Ihre Unterschrift oder wählen Sie „Tippen“.',
    signatureInvalid:
      'Diese Unterschrift konnte nicht verwendet werden. Bitte erstellen Sie sie noch einmal.',
    behalf: 'Ich unterschreibe',
    forSelf: 'für mich selbst',
    forEntity: 'für eine Organisation',
    entity: 'Name der Organisation',
    entityMissing: 'Geben Sie den Namen der Organisation ein.',
    role: 'Ihre Funktion',
    roleHint: 'Zum Beispiel: Geschäftsführerin',
    entityId: 'Registernummer',
    consent: 'Ihre Zustimmung',
    agree: 'Ich habe das Dokument gelesen und stimme dem obigen Text zu.',
    agreeMissing: 'Setzen Sie das Häkchen, um fortzufahren.',
    consentChanged:
      'Der Text, dem Sie zustimmen, hat sich inzwischen geändert. Bitte lesen Sie ihn erneut und setzen Sie das Häkchen.',
    submit: 'Dokument unterschreiben',
    submitting: 'Wird unterschrieben',
  },
  later: {
    text: (until) =>
      `Sie können bis zum ${until} unterschreiben. So lange gilt der Link in Ihrer E-Mail: Öffnen Sie ihn wieder, wenn es Ihnen passt.`,
    kept: 'Sie können diese Seite schließen. Es wurde nichts unterschrieben und nichts abgelehnt.',
  },
  decline: {
    heading: 'Unterschrift ablehnen',
    text: 'Der Vorgang endet damit für alle. Das lässt sich nicht rückgängig machen.',
    reason: 'Grund',
    reasonHint: 'Der Absender kann ihn lesen.',
    left: (n) => `noch ${n} Zeichen`,
    tooMany: (n) => `${n} Zeichen zu viel`,
    submit: 'Ja, ich lehne ab',
    submitting: 'Wird gespeichert',
    told: 'Der Absender erhält eine E-Mail darüber.',
  },
  done: {
    heading: 'Sie haben unterschrieben',
    at: (when) => `Unterschrieben am ${when}.`,
    waiting: (n) =>
      `${n === 1 ? 'Eine weitere Person muss' : `${n} weitere Personen müssen`} noch unterschreiben. Danach wird das Dokument versiegelt, und Sie erhalten eine E-Mail mit einem Link zu Ihrem Exemplar.`,
    sealing:
      'Alle haben unterschrieben. Das Dokument wird jetzt versiegelt, das dauert meist weniger als eine Minute.',
    sealingLeave: 'Sie müssen nicht warten: Sie erhalten eine E-Mail mit einem Link zu Ihrem Exemplar.',
    sealed:
      'Alle haben unterschrieben, und das Dokument ist versiegelt. Jede spätere Änderung lässt sich erkennen.',
    sealLate:
      'Alle haben unterschrieben. Das Versiegeln dauert länger als sonst; wir kümmern uns darum. Sie erhalten eine E-Mail, sobald es fertig ist.',
    endedEarly:
      'Der Vorgang endete, bevor alle unterschrieben hatten. Es wird daher kein versiegeltes Dokument geben.',
    download: 'Versiegeltes Dokument herunterladen',
    downloadEvidence: 'Nachweisdatei herunterladen',
    noFile: 'Keine Datei? Öffnen Sie den Link aus der E-Mail in einem Browser wie Safari oder Chrome.',
    downloading: 'Wird heruntergeladen',
    purged: (when) =>
      `Das versiegelte Dokument wurde am ${when} entfernt. Bitten Sie den Absender um ein Exemplar.`,
    purgedPlain: 'Das versiegelte Dokument wurde entfernt. Bitten Sie den Absender um ein Exemplar.',
    back: (host: string) => `Zurück zu ${host}`,
    close: 'Sie können diese Seite schließen.',
  },
  copy: {
    heading: 'Ihr versiegeltes Dokument',
    until: (date) => `Sie können es hier bis zum ${date} herunterladen.`,
    purged: 'Das Dokument ist nicht mehr hier',
    link_expired:
      'Die Zeit, in der Sie es über diesen Link herunterladen konnten, ist vorbei. Bitten Sie den Absender um ein Exemplar.',
    not_found:
      'Vielleicht wurde er unvollständig kopiert oder von einem Mailprogramm gekürzt, oder seine Zeit ist lange vorbei. Kopieren Sie die ganze Adresse unter der Schaltfläche der E-Mail in Ihren Browser, oder bitten Sie den Absender um ein Exemplar.',
    fault:
      'Das hat wegen eines Fehlers auf unserer Seite nicht geklappt. Bitte versuchen Sie es noch einmal.',
  },
  ended: {
    not_found: {
      heading: 'Dieser Link funktioniert nicht',
      text: 'Vielleicht wurde er unvollständig kopiert, oder der Absender hat ihn ersetzt. Öffnen Sie ihn noch einmal aus der neuesten E-Mail, oder bitten Sie den Absender um einen neuen.',
    },
    link_expired: {
      heading: 'Dieser Link ist abgelaufen',
      text: 'Links gelten nur für begrenzte Zeit. Wird Ihre Unterschrift noch gebraucht, bitten Sie den Absender um eine neue Einladung.',
    },
    link_cancelled: {
      heading: 'Der Vorgang wurde zurückgezogen',
      text: 'Der Absender hat ihn zurückgezogen. Sie müssen nichts tun.',
    },
    link_declined: {
      heading: 'Sie haben abgelehnt',
      text: 'Sie haben nicht unterschrieben. Sie müssen nichts weiter tun.',
    },
    link_invalidated: {
      heading: 'Dieser Vorgang ist beendet',
      text: 'Eine andere Person hat abgelehnt. Ihre Unterschrift wird daher nicht mehr gebraucht.',
    },
    request_not_active: {
      heading: 'Dieser Vorgang ist nicht mehr offen',
      text: 'Das Dokument kann nicht mehr unterschrieben werden. Bei Fragen wenden Sie sich an den Absender.',
    },
  },
};

/** The level of a seal, on the verify page and in the evidence file. */
export const SEAL_LEVEL: typeof en.SEAL_LEVEL = {
  name: 'Stufe des Siegels',
  told: {
    'B-T': (until) =>
      `B-T: mit Zeitstempel. Es lässt sich bis ${until} prüfen, solange die Aussteller seiner Zertifikate über einen Widerruf Auskunft geben.`,
    'B-LT': (until) =>
      `B-LT: mit Zeitstempel und mit Nachweisen in der Datei, dass kein Zertifikat widerrufen war. Es lässt sich bis ${until} prüfen, ohne jemanden zu fragen.`,
    'B-LTA': (until) =>
      `B-LTA: mit Zeitstempel, mit Nachweisen in der Datei, dass kein Zertifikat widerrufen war, und mit einem weiteren Zeitstempel darüber. Es lässt sich bis ${until} prüfen, ohne jemanden zu fragen.`,
  },
};

export const VERIFY: en.VerifyTexts = {
  heading: 'Versiegeltes PDF prüfen',
  intro:
    'Sehen Sie, wer ein PDF versiegelt hat, wann, und ob seitdem etwas geändert wurde. Die Datei bleibt auf diesem Gerät: Sie wird hier geprüft und nirgendwohin gesendet.',
  document: 'PDF auswählen oder hier ablegen',
  evidence: 'Nachweisdatei',
  evidenceHint: 'Die zweite Datei, die mit dem Dokument kam, falls Sie sie haben.',
  optional: 'optional',
  oneFile: 'Nur die erste Ihrer Dateien wurde übernommen: Wählen Sie sie einzeln.',
  remove: 'Entfernen',
  trusted: 'Zertifikate, denen Sie vertrauen',
  trustedHint:
    'Fingerabdrücke (SHA-256) oder Zertifikate (PEM) des Siegelerstellers und des Zeitstempeldienstes. Besorgen Sie sie beim Siegelersteller, auf anderem Weg als mit dieser Datei.',
  trustedUnread:
    'In diesem Text wurde weder ein Fingerabdruck noch ein Zertifikat gefunden. Fügen Sie 64 hexadezimale Ziffern ein oder ein Zertifikat mit seinen Zeilen BEGIN und END.',
  checking: 'Wird geprüft',
  broken:
    'Die Prüfung konnte auf diesem Gerät nicht abgeschlossen werden. Wählen Sie die Datei noch einmal, oder versuchen Sie es mit einem anderen Browser.',
  unreadableFile:
    'Diese Datei lässt sich nicht lesen. Vielleicht ist es ein Ordner, oder sie wurde verschoben oder geändert. Wählen Sie sie noch einmal.',
  verdicts: {
    green: {
      heading: 'Echt und unverändert',
      text: 'Das Siegel wurde mit einem Zertifikat erstellt, dem Sie vertrauen, und seitdem wurde nichts geändert.',
    },
    intact: {
      heading: 'Unverändert. Prüfen Sie, wessen Zertifikat es ist.',
      text: 'Das Siegel passt zur Datei. Ein Siegel mit beliebigem Namen kann jeder erstellen: Vergleichen Sie die Fingerabdrücke unten mit denen, die Sie vom Siegelersteller haben.',
    },
    amber: {
      heading: 'Nicht vollständig prüfbar',
      text: 'Was festgestellt wurde, steht unten. Beurteilen Sie selbst, ob Sie sich auf diese Datei verlassen.',
    },
    red: { heading: 'Verlassen Sie sich nicht auf diese Datei', text: 'Etwas an ihr stimmt nicht.' },
    evidence: {
      heading: 'Verlassen Sie sich nicht auf die Nachweisdatei',
      text: 'Etwas an ihr stimmt nicht, oder sie gehört zu einem anderen Dokument. Was über das Dokument selbst festgestellt wurde, steht zuerst.',
    },
  },
  ofSignature: (number) => `Signatur ${number}:`,
  findings: {
    not_a_pdf: 'Die Datei ist kein PDF.',
    damaged: 'Die Datei ist beschädigt: Ihr Aufbau lässt sich nicht lesen.',
    not_signed:
      'Das PDF trägt keine Signatur. Vielleicht ist es eine Kopie, die beim Drucken oder neuen Speichern entstand.',
    altered: 'Die Datei ist nicht die signierte: Ihr Inhalt wurde geändert.',
    signature_wrong:
      'Die Signatur ist ungültig: Ihre Teile passen nicht zusammen. Vielleicht ist die Datei eine Kopie, die beim neuen Speichern entstand.',
    changed_after: 'Nach der Signatur wurde etwas hinzugefügt oder geändert.',
    timestamp_wrong: 'Der Zeitstempel ist ungültig.',
    certificate_not_valid: 'Das Zertifikat war zum Zeitpunkt der Signatur nicht gültig.',
    evidence_of_other: 'Die Nachweisdatei gehört zu einem anderen Dokument.',
    evidence_missing: 'Die zweite Datei ist keine Nachweisdatei.',
    evidence_chain_broken: 'Ein Ereignis in der Nachweisdatei wurde geändert, entfernt oder hinzugefügt.',
    evidence_anchor_differs:
      'Die Nachweisdatei endet bei einem anderen Ereignis, als das Dokument angibt: Ereignisse wurden entfernt oder ausgetauscht.',
    too_large: 'Die Datei ist zu groß, um hier geprüft zu werden.',
    too_complex: 'Die Datei ist zu komplex, um hier geprüft zu werden.',
    encrypted: 'Die Datei ist verschlüsselt und lässt sich daher hier nicht prüfen.',
    cannot_check: 'Die Signatur verwendet Verfahren oder eine Form, die diese Seite nicht prüfen kann.',
    certificate_unsuitable:
      'Das Zertifikat ist nicht für Signaturen bestimmt, oder sein Schlüssel ist zu schwach.',
    no_timestamp: 'Es gibt keinen Zeitstempel; der Zeitpunkt der Signatur ist daher nicht belegt.',
    changed_between: 'Nach dieser Signatur wurde etwas geändert, vor der nächsten.',
    metadata_changed:
      'Nach der Signatur wurden die Metadaten der Datei (etwa Titel und Autor) geändert, aber nichts, was angezeigt wird.',
    locked_before:
      'Nach der Signatur, die Formularfelder sperrt, wurde etwas hinzugefügt. Andere Programme können das als Änderung dieser Felder melden.',
    unknown_signer: 'Das Zertifikat des Siegelerstellers gehört nicht zu denen, denen Sie vertrauen.',
    unknown_authority: 'Das Zertifikat des Zeitstempeldienstes gehört nicht zu denen, denen Sie vertrauen.',
    authority_expired: 'Das Zertifikat des Zeitstempeldienstes ist inzwischen abgelaufen.',
    time_ahead: 'Der Zeitstempel liegt nach der Zeit, die die Uhr dieses Geräts zeigt.',
    evidence_by_other: 'Die Nachweisdatei ist mit einem anderen Zertifikat versiegelt als das Dokument.',
    covers_all: 'Die Signatur umfasst die ganze Datei.',
    signed_further: 'Nach der Signatur kamen nur weitere Signaturen oder Daten zu ihrer Prüfung hinzu.',
    evidence_fits:
      'Die Nachweisdatei gehört zu diesem Dokument und ist mit demselben Zertifikat versiegelt; ihre Ereignisse bilden eine lückenlose Kette.',
  },
  level: SEAL_LEVEL,
  seal: 'Siegel',
  documentStamp: 'Zeitstempel des Dokuments',
  by: 'Versiegelt von',
  signedBy: 'Unterschrieben von',
  signedAt: 'Unterschrieben',
  codeConfirmed: 'Code aus E-Mail eingegeben',
  issuer: 'Ausgestellt von',
  fingerprint: 'Fingerabdruck (SHA-256)',
  validity: (from, to) => `Zertifikat gültig: ${from} bis ${to}`,
  time: 'Zeitpunkt',
  authority: 'Zeitstempel von',
  reason: 'Angegebener Grund',
  isTrusted: 'Sie vertrauen diesem Zertifikat.',
  unreadable: 'Lässt sich nicht feststellen.',
  hash: 'SHA-256 der Datei',
  copy: 'Kopieren',
  copied: 'Kopiert.',
  copyFailed: 'Das Kopieren hat nicht geklappt. Markieren Sie den Text oben und kopieren Sie ihn.',
  compare: 'Mit einem SHA-256-Wert vergleichen, den Sie haben',
  compareInvalid: 'Ein SHA-256-Wert hat 64 Zeichen: Ziffern und Buchstaben von a bis f.',
  same: 'Sie sind gleich.',
  different: 'Sie sind verschieden: Das ist eine andere Datei.',
  limits:
    'Die Aussteller der Zertifikate werden nicht gefragt, ob eines widerrufen wurde, denn dazu wäre eine Netzverbindung nötig; geprüft werden nur Nachweise in der Datei. Die Namen in einem Zertifikat hat sein Aussteller bestätigt.',
};

export const MAIL: en.MailTexts = {
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

export const PDF: en.PdfTexts = {
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
    'Alle auf dieser Seite genannten Unterzeichnenden haben das Dokument mit einer einfachen elektronischen Signatur im Sinne von Artikel 3 Nummer 10 der Verordnung (EU) Nr. 910/2014 (eIDAS) unterschrieben. Diese Seite wurde hinzugefügt, nachdem alle unterschrieben hatten. Anschließend hat der Signaturdienst die Datei mit einem elektronischen Siegel (PAdES) samt Zeitstempel (RFC 3161) verschlossen. Das Siegel umfasst die gesamte Datei einschließlich dieser Seite: Jede spätere Änderung lässt sich mit einem PDF-Programm oder einem Signaturprüfdienst erkennen.',
  replacedCharacters:
    'Angaben in eckigen Klammern (U+…) sind Unicode-Nummern von Zeichen, die auf dieser Seite nicht dargestellt werden können. Der genaue Text lässt sich von dieser Seite kopieren und ist im Prüfprotokoll gespeichert.',
  test: 'Test – im Testmodus unterschrieben und mit einem Testzertifikat versiegelt. Dieses Dokument hat keine rechtliche Wirkung.',
  testWatermark: 'TEST',
  pageOf: (page, pages) => `Seite ${page} von ${pages}`,
  time: ({ year, month, day, hour, minute, second }) =>
    `${day}. ${MONTHS.split(' ')[month]} ${year}, ${hour}:${minute}:${second} Uhr UTC`,
};

export const EVIDENCE: en.EvidenceTexts = {
  kind: 'Unterschriftennachweis',
  created: 'Erstellt',
  level: SEAL_LEVEL,
  anchorNote: (event) => `Der Hashwert von Ereignis ${event}, dem letzten in dieser Liste.`,
  signatures: 'Unterschriften',
  consentGiven: 'Diesem Text haben die Unterzeichnenden zugestimmt.',
  events: 'Ereignisse',
  eventsNote:
    'Alle Ereignisse des Vorgangs bis zur letzten Unterschrift. Jeder Hashwert umfasst das Ereignis und den Hashwert davor: Ein geändertes, hinzugefügtes oder entferntes Ereignis würde den Anker ändern.',
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
    'Diese Datei: Sie trägt wie das Dokument ein elektronisches Siegel mit Zeitstempel (PAdES). Ein Signaturprüfdienst oder ein PDF-Programm, das Signaturen prüft, zeigt, ob sie geändert wurde.',
  verifyEvents: (attachment) =>
    `Die Ereignisse: Die angehängte Datei ${attachment} enthält ihre Werte. Daraus lässt sich jeder Hashwert bis zum Anker berechnen.`,
  attachment: 'Die Ereignisse mit ihren Werten, um die Hashwerte nachzurechnen',
};

export const AUDIT: en.AuditTexts = {
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
      'Jedes Ereignis trägt den SHA-256-Hashwert des vorigen. Der Kopf ist der Hashwert des letzten: Er ändert sich, wenn ein Ereignis geändert, entfernt oder umgestellt wird.',
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
