import type { PageTexts } from '../page.ts';

const tries = (n: number) => (n === 1 ? '1 Versuch' : `${n} Versuche`);

export const de: PageTexts = {
  language: 'Sprache',
  noScript:
    'Diese Seite braucht JavaScript, um Ihnen das Dokument zu zeigen und Ihre Unterschrift aufzunehmen. Erlauben Sie es für diese Seite oder öffnen Sie den Link in einem anderen Browser.',
  opening: 'Ihr Link wird geöffnet',
  test: 'Test. Nichts auf dieser Seite ist rechtlich bindend.',
  progress: (step, of) => `Schritt ${step} von ${of}`,
  steps: ['Bestätigen', 'Lesen', 'Unterschreiben'],
  optional: 'freiwillig',
  checkFields: (n) => (n === 1 ? 'Eine Angabe ist zu prüfen.' : `${n} Angaben sind zu prüfen.`),
  connection: {
    lost: 'Keine Verbindung. Ihre Eingaben bleiben erhalten, und wir versuchen es weiter.',
    tryNow: 'Jetzt versuchen',
  },
  trouble: {
    heading: 'Etwas ist schiefgegangen',
    text: 'Der Fehler liegt bei uns. Es wurde nichts unterschrieben, und nichts ist verloren.',
    again: 'Noch einmal versuchen',
    inline:
      'Das hat wegen eines Fehlers bei uns nicht geklappt. Ihre Eingaben bleiben erhalten; bitte versuchen Sie es noch einmal.',
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
    tooMany: (time) => `Sie können um ${time} einen weiteren Code anfordern.`,
    emailFailed: 'Die E-Mail konnte nicht gesendet werden. Bitte versuchen Sie es gleich noch einmal.',
    lost: 'Die Verbindung ist abgebrochen. Bitte versuchen Sie es noch einmal.',
    lockedHeading: 'Für kurze Zeit gesperrt',
    locked: (time) =>
      `Es wurde fünfmal ein falscher Code eingegeben. Zum Schutz des Dokuments ist der Link bis ${time} gesperrt. Danach können Sie einen neuen Code anfordern.`,
    lockedCheck: 'Erneut prüfen',
    about: 'Was ist diese Seite?',
    aboutText: [
      'Eine Organisation bittet Sie, ein Dokument zu unterschreiben. Die Anfrage kam über diesen Dienst per E-Mail zu Ihnen.',
      'Bevor der Code eingegeben ist, verrät diese Seite niemandem, um welches Dokument es geht, wer es gesendet hat oder wer Sie sind.',
      'Nichts wird unterschrieben, bevor Sie das Dokument gelesen und den entsprechenden Knopf gedrückt haben. Ein Passwort oder eine Zahlung brauchen Sie hier nie.',
      'Sie wissen nicht, worum es geht? Dann schließen Sie einfach die Seite.',
    ],
  },
  document: {
    heading: 'Lesen Sie das Dokument',
    from: 'Gesendet von',
    writtenBySender: 'Vom Absender geschrieben',
    showAll: 'Ganze Nachricht zeigen',
    showLess: 'Weniger zeigen',
    details: 'Einzelheiten',
    to: 'Gerichtet an',
    file: 'Datei',
    until: 'Unterschreiben bis',
    others: 'Weitere Unterzeichner',
    othersCount: (total, signed) => `${signed} von ${total} unterschrieben`,
    loading: 'Das Dokument wird geladen',
    loaded: (pages) =>
      pages === 1 ? 'Das Dokument wird angezeigt. 1 Seite.' : `Das Dokument wird angezeigt. ${pages} Seiten.`,
    region: 'Dokument',
    page: (page, of) => `Seite ${page} von ${of}`,
    pageShort: (page, of) => `${page} / ${of}`,
    zoomIn: 'Vergrößern',
    zoomOut: 'Verkleinern',
    zoom: (percent) => `${percent} %`,
    download: 'Herunterladen',
    downloaded: 'Das Herunterladen hat begonnen.',
    noText: 'Diese Seite ist ein Bild. Sie enthält keinen Text, der vorgelesen werden könnte.',
    pageFailed:
      'Diese Seite konnte nicht gezeichnet werden. Laden Sie das Dokument herunter, um sie zu lesen.',
    cannotShow:
      'Ihr Browser kann dieses Dokument nicht anzeigen. Laden Sie es herunter, lesen Sie es und fahren Sie dann fort. Es ist genau die Datei, die Sie unterschreiben.',
    toSign: 'Weiter zur Unterschrift',
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
    typedLabel: 'Unterschrift in Buchstaben',
    typedMissing: 'Geben Sie Ihre Unterschrift in Buchstaben ein.',
    pad: 'Zeichenfläche für Ihre Unterschrift. Verwenden Sie Finger, Stift oder Maus. Mit der Tastatur wählen Sie stattdessen „Tippen“.',
    padHint: 'Hier unterschreiben',
    padDrawn: 'Eine Unterschrift ist gezeichnet.',
    undo: 'Rückgängig',
    clear: 'Löschen',
    drawnMissing: 'Zeichnen Sie Ihre Unterschrift oder wählen Sie „Tippen“.',
    signatureInvalid:
      'Diese Unterschrift konnte nicht verwendet werden. Bitte erstellen Sie sie noch einmal.',
    behalf: 'Sie unterschreiben',
    forSelf: 'für mich selbst',
    forEntity: 'für eine Organisation',
    entity: 'Name der Organisation',
    entityMissing: 'Geben Sie den Namen der Organisation ein.',
    role: 'Ihre Funktion',
    roleHint: 'Zum Beispiel: Geschäftsführerin',
    entityId: 'Registernummer',
    consent: 'Worin Sie einwilligen',
    agree: 'Ich habe das Dokument gelesen und stimme dem obigen Text zu.',
    agreeMissing: 'Setzen Sie das Häkchen, um fortzufahren.',
    consentChanged:
      'Der Text, dem Sie zustimmen, hat sich inzwischen geändert. Bitte lesen Sie ihn erneut und setzen Sie das Häkchen.',
    submit: 'Dokument unterschreiben',
    submitting: 'Wird unterschrieben',
  },
  decline: {
    heading: 'Unterschrift ablehnen',
    text: 'Die Anfrage endet damit für alle, und der Absender erfährt davon. Das lässt sich nicht rückgängig machen.',
    reason: 'Grund',
    reasonHint: 'Der Absender kann ihn lesen.',
    left: (n) => `noch ${n} Zeichen`,
    submit: 'Ja, ich lehne ab',
    submitting: 'Wird gespeichert',
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
      'Alle haben unterschrieben, und das Dokument ist versiegelt. Jede spätere Änderung wäre sichtbar.',
    sealLate:
      'Alle haben unterschrieben. Das Versiegeln dauert länger als sonst; wir kümmern uns darum. Sie erhalten eine E-Mail, sobald es fertig ist.',
    endedEarly:
      'Die Anfrage endete, bevor alle unterschrieben haben. Es wird daher kein versiegeltes Dokument geben.',
    download: 'Versiegeltes Dokument herunterladen',
    downloading: 'Wird heruntergeladen',
    purged: (when) =>
      `Das versiegelte Dokument wurde am ${when} entfernt, als seine Aufbewahrungszeit endete. Bitten Sie den Absender um ein Exemplar.`,
    purgedPlain:
      'Das versiegelte Dokument wurde entfernt, als seine Aufbewahrungszeit endete. Bitten Sie den Absender um ein Exemplar.',
    close: 'Sie können diese Seite schließen.',
  },
  ended: {
    not_found: {
      heading: 'Dieser Link funktioniert nicht',
      text: 'Vielleicht wurde er unvollständig kopiert. Öffnen Sie ihn noch einmal aus der E-Mail, oder bitten Sie den Absender um einen neuen.',
    },
    link_expired: {
      heading: 'Dieser Link ist abgelaufen',
      text: 'Die Frist zum Unterschreiben ist vorbei. Wird Ihre Unterschrift noch gebraucht, bitten Sie den Absender um eine neue Anfrage.',
    },
    link_cancelled: {
      heading: 'Die Anfrage wurde abgebrochen',
      text: 'Der Absender hat sie zurückgezogen. Sie müssen nichts tun.',
    },
    link_declined: {
      heading: 'Sie haben abgelehnt',
      text: 'Sie haben nicht unterschrieben, und der Absender weiß davon. Sie müssen nichts weiter tun.',
    },
    link_invalidated: {
      heading: 'Diese Anfrage ist beendet',
      text: 'Eine andere Person hat abgelehnt. Ihre Unterschrift wird daher nicht mehr gebraucht.',
    },
    request_not_active: {
      heading: 'Diese Anfrage ist nicht mehr offen',
      text: 'Sie kann nicht mehr unterschrieben werden. Bei Fragen wenden Sie sich an den Absender.',
    },
  },
};
