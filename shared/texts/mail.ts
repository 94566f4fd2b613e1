import type { Locale } from '../contract/fields.ts';

/** What one kind of mail says in words of its own. */
interface KindTexts {
  subject: (sender: string, title: string) => string;
  intro: (sender: string) => string;
  button: string;
}

/** Every word of our own that a mail holds. `shared/mail/` puts them together with the sender's. */
export interface MailTexts {
  /** What stands between a label and what it labels, where a line says both. */
  colon: string;
  greeting: (name: string | null) => string;
  testMark: string;
  testNotice: string;
  document: string;
  messageFrom: (sender: string) => string;
  code: string;
  codeValidity: (minutes: number, until: string) => string;
  codeEnded: string;
  codeOnThePage: string;
  signUntil: (date: string) => string;
  keptUntil: (date: string) => string;
  footer: (sender: string) => string;
  /** For those who did not expect the mail, or should know why they got it. */
  unexpected: Record<'request' | 'reminder' | 'code' | 'sealed', string>;
  invitation: KindTexts;
  resend: KindTexts;
  code_on_request: KindTexts;
  reminder: KindTexts;
  sealed: KindTexts;
}

const en: MailTexts = {
  colon: ':',
  greeting: (name) => (name ? `Hello ${name},` : 'Hello,'),
  testMark: 'TEST',
  testNotice: 'TEST: this request was made to try out the service. Signing it has no legal effect.',
  document: 'Document',
  messageFrom: (sender) => `Message from ${sender}`,
  code: 'Your access code',
  codeValidity: (minutes, until) => `Valid for ${minutes} minutes, until ${until}.`,
  codeEnded: 'Has the code expired? Open the page all the same: there you can ask for a new one.',
  codeOnThePage: 'You need an access code to go on. Ask for it on the page and it is sent to this address.',
  signUntil: (date) => `You can sign until ${date}.`,
  keptUntil: (date) => `The document can be downloaded until ${date}. Please save a copy before then.`,
  footer: (sender) => `Sent by Signature requests on behalf of ${sender}.`,
  unexpected: {
    request:
      'Were you not expecting this e-mail? You can ignore it: nothing is signed unless you do it yourself on the page. Please do not forward it, because the link and the code are meant for you alone.',
    reminder:
      'Were you not expecting this e-mail? You can ignore it: nothing is signed unless you do it yourself on the page. Please do not forward it, because the link is meant for you alone.',
    code: 'Did you not ask for a code? You can ignore this e-mail: without the code nobody can see the document or sign it. Please do not pass the code on to anyone.',
    sealed:
      'You receive this e-mail because you signed the document. Please do not forward it, because the link is meant for you alone.',
  },
  invitation: {
    subject: (sender, title) => `${sender} asks you to sign “${title}”`,
    intro: (sender) => `${sender} asks you to sign a document electronically.`,
    button: 'Review and sign',
  },
  resend: {
    subject: (sender, title) => `New access code from ${sender} for “${title}”`,
    intro: (sender) =>
      `${sender} has sent you a new access code for signing a document. Earlier codes no longer work.`,
    button: 'Review and sign',
  },
  code_on_request: {
    subject: (_sender, title) => `Your access code for “${title}”`,
    intro: () => 'Here is the access code you asked for. Earlier codes no longer work.',
    button: 'Back to the document',
  },
  reminder: {
    subject: (sender, title) => `Reminder: ${sender} asks you to sign “${title}”`,
    intro: (sender) => `${sender} is still waiting for your signature on a document.`,
    button: 'Review and sign',
  },
  sealed: {
    subject: (_sender, title) => `Signed and sealed: “${title}”`,
    intro: (sender) =>
      `Everyone has signed the document that ${sender} sent. It has been sealed, so that any later change to it would show.`,
    button: 'Get the sealed document',
  },
};

const fi: MailTexts = {
  colon: ':',
  greeting: (name) => (name ? `Hei ${name},` : 'Hei,'),
  testMark: 'TESTI',
  testNotice:
    'TESTI (TEST): tämä pyyntö on tehty palvelun kokeilemista varten. Sen allekirjoittamisella ei ole oikeudellista vaikutusta.',
  document: 'Asiakirja',
  messageFrom: (sender) => `Viesti lähettäjältä ${sender}`,
  code: 'Pääsykoodisi',
  codeValidity: (minutes, until) => `Voimassa ${minutes} minuuttia, ${until} asti.`,
  codeEnded: 'Onko koodi jo vanhentunut? Avaa sivu silti: voit pyytää siellä uuden koodin.',
  codeOnThePage:
    'Tarvitset jatkaaksesi pääsykoodin. Pyydä se sivulla, niin se lähetetään tähän osoitteeseen.',
  signUntil: (date) => `Voit allekirjoittaa asiakirjan ${date} asti.`,
  keptUntil: (date) => `Asiakirjan voi ladata ${date} asti. Tallenna itsellesi kopio sitä ennen.`,
  footer: (sender) => `Viestin lähetti Signature requests -palvelu. Pyynnön lähettäjä: ${sender}.`,
  unexpected: {
    request:
      'Etkö odottanut tätä viestiä? Voit jättää sen huomiotta: mitään ei allekirjoiteta, ellet tee sitä itse sivulla. Älä välitä viestiä eteenpäin, sillä linkki ja koodi on tarkoitettu vain sinulle.',
    reminder:
      'Etkö odottanut tätä viestiä? Voit jättää sen huomiotta: mitään ei allekirjoiteta, ellet tee sitä itse sivulla. Älä välitä viestiä eteenpäin, sillä linkki on tarkoitettu vain sinulle.',
    code: 'Etkö pyytänyt koodia? Voit jättää viestin huomiotta: ilman koodia kukaan ei voi nähdä asiakirjaa eikä allekirjoittaa sitä. Älä anna koodia kenellekään.',
    sealed:
      'Saat tämän viestin, koska allekirjoitit asiakirjan. Älä välitä viestiä eteenpäin, sillä linkki on tarkoitettu vain sinulle.',
  },
  invitation: {
    subject: (sender, title) => `${sender} pyytää sinua allekirjoittamaan: ”${title}”`,
    intro: (sender) => `${sender} pyytää sinua allekirjoittamaan asiakirjan sähköisesti.`,
    button: 'Lue ja allekirjoita',
  },
  resend: {
    subject: (sender, title) => `Uusi pääsykoodi lähettäjältä ${sender}: ”${title}”`,
    intro: (sender) =>
      `${sender} lähetti sinulle uuden pääsykoodin asiakirjan allekirjoittamista varten. Aiemmat koodit eivät enää toimi.`,
    button: 'Lue ja allekirjoita',
  },
  code_on_request: {
    subject: (_sender, title) => `Pääsykoodisi: ”${title}”`,
    intro: () => 'Tässä on pyytämäsi pääsykoodi. Aiemmat koodit eivät enää toimi.',
    button: 'Takaisin asiakirjaan',
  },
  reminder: {
    subject: (sender, title) => `Muistutus: ${sender} pyytää sinua allekirjoittamaan: ”${title}”`,
    intro: (sender) => `${sender} odottaa vielä allekirjoitustasi asiakirjaan.`,
    button: 'Lue ja allekirjoita',
  },
  sealed: {
    subject: (_sender, title) => `Allekirjoitettu ja sinetöity: ”${title}”`,
    intro: (sender) =>
      `Kaikki ovat allekirjoittaneet asiakirjan, jonka lähettäjä on ${sender}. Asiakirja on sinetöity, joten sen myöhempi muuttaminen paljastuisi.`,
    button: 'Hae sinetöity asiakirja',
  },
};

const fr: MailTexts = {
  colon: ' :',
  greeting: (name) => (name ? `Bonjour ${name},` : 'Bonjour,'),
  testMark: 'TEST',
  testNotice:
    'TEST : cette demande a été créée pour essayer le service. La signer n’a aucun effet juridique.',
  document: 'Document',
  messageFrom: (sender) => `Message de ${sender}`,
  code: 'Votre code d’accès',
  codeValidity: (minutes, until) => `Valable ${minutes} minutes, jusqu’au ${until}.`,
  codeEnded: 'Le code a expiré ? Ouvrez tout de même la page : vous pourrez y demander un nouveau code.',
  codeOnThePage:
    'Un code d’accès est nécessaire pour continuer. Demandez-le sur la page : il sera envoyé à cette adresse.',
  signUntil: (date) => `Vous pouvez signer jusqu’au ${date}.`,
  keptUntil: (date) =>
    `Le document peut être téléchargé jusqu’au ${date}. Pensez à en enregistrer une copie d’ici là.`,
  footer: (sender) => `E-mail envoyé par Signature requests pour le compte de ${sender}.`,
  unexpected: {
    request:
      'Vous n’attendiez pas cet e-mail ? Vous pouvez l’ignorer : rien n’est signé tant que vous ne le faites pas vous-même sur la page. Ne le transférez pas : le lien et le code vous sont strictement personnels.',
    reminder:
      'Vous n’attendiez pas cet e-mail ? Vous pouvez l’ignorer : rien n’est signé tant que vous ne le faites pas vous-même sur la page. Ne le transférez pas : le lien vous est strictement personnel.',
    code: 'Vous n’avez pas demandé de code ? Vous pouvez ignorer cet e-mail : sans le code, personne ne peut voir le document ni le signer. Ne communiquez ce code à personne.',
    sealed:
      'Vous recevez cet e-mail parce que vous avez signé le document. Ne le transférez pas : le lien vous est strictement personnel.',
  },
  invitation: {
    subject: (sender, title) => `${sender} vous invite à signer « ${title} »`,
    intro: (sender) => `${sender} vous invite à signer un document par voie électronique.`,
    button: 'Lire et signer',
  },
  resend: {
    subject: (sender, title) => `Nouveau code d’accès de ${sender} pour « ${title} »`,
    intro: (sender) =>
      `${sender} vous a envoyé un nouveau code d’accès pour signer un document. Les codes précédents ne fonctionnent plus.`,
    button: 'Lire et signer',
  },
  code_on_request: {
    subject: (_sender, title) => `Votre code d’accès pour « ${title} »`,
    intro: () => 'Voici le code d’accès que vous avez demandé. Les codes précédents ne fonctionnent plus.',
    button: 'Revenir au document',
  },
  reminder: {
    subject: (sender, title) => `Rappel : ${sender} vous invite à signer « ${title} »`,
    intro: (sender) => `${sender} attend toujours votre signature sur un document.`,
    button: 'Lire et signer',
  },
  sealed: {
    subject: (_sender, title) => `Signé et scellé : « ${title} »`,
    intro: (sender) =>
      `Tous les signataires ont signé le document envoyé par ${sender}. Il a été scellé : toute modification ultérieure serait détectée.`,
    button: 'Obtenir le document scellé',
  },
};

const de: MailTexts = {
  colon: ':',
  greeting: (name) => (name ? `Guten Tag ${name},` : 'Guten Tag,'),
  testMark: 'TEST',
  testNotice:
    'TEST: Diese Anfrage wurde erstellt, um den Dienst auszuprobieren. Eine Unterschrift hat keine rechtliche Wirkung.',
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
  footer: (sender) => `Gesendet von Signature requests im Auftrag von ${sender}.`,
  unexpected: {
    request:
      'Sie haben diese E-Mail nicht erwartet? Dann können Sie sie ignorieren: Ohne Ihr Zutun auf der Seite wird nichts unterschrieben. Bitte leiten Sie sie nicht weiter, denn Link und Code sind nur für Sie bestimmt.',
    reminder:
      'Sie haben diese E-Mail nicht erwartet? Dann können Sie sie ignorieren: Ohne Ihr Zutun auf der Seite wird nichts unterschrieben. Bitte leiten Sie sie nicht weiter, denn der Link ist nur für Sie bestimmt.',
    code: 'Sie haben keinen Code angefordert? Dann können Sie diese E-Mail ignorieren: Ohne den Code kann niemand das Dokument sehen oder unterschreiben. Bitte geben Sie den Code nicht weiter.',
    sealed:
      'Sie erhalten diese E-Mail, weil Sie das Dokument unterschrieben haben. Bitte leiten Sie sie nicht weiter, denn der Link ist nur für Sie bestimmt.',
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
    button: 'Lesen und unterschreiben',
  },
  code_on_request: {
    subject: (_sender, title) => `Ihr Zugangscode für „${title}“`,
    intro: () => 'Hier ist der Zugangscode, den Sie angefordert haben. Frühere Codes gelten nicht mehr.',
    button: 'Zurück zum Dokument',
  },
  reminder: {
    subject: (sender, title) => `Erinnerung: ${sender} bittet Sie um Ihre Unterschrift: „${title}“`,
    intro: (sender) => `${sender} wartet noch auf Ihre Unterschrift unter einem Dokument.`,
    button: 'Lesen und unterschreiben',
  },
  sealed: {
    subject: (_sender, title) => `Unterschrieben und versiegelt: „${title}“`,
    intro: (sender) =>
      `Alle haben das von ${sender} gesendete Dokument unterschrieben. Es wurde versiegelt, sodass jede spätere Änderung auffallen würde.`,
    button: 'Versiegeltes Dokument abrufen',
  },
};

export const MAIL_TEXTS: Record<Locale, MailTexts> = { en, fi, fr, de };
