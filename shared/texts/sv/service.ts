import type { AuditTexts, EvidenceTexts, MailTexts, PdfTexts } from '../en/service.ts';
import { SEAL_LEVEL } from './page.ts';

export const MAIL: MailTexts = {
  colon: ':',
  greeting: (name) => (name ? `Hej ${name},` : 'Hej,'),
  testMark: 'TEST',
  testNotice:
    'TEST: den här förfrågan har gjorts för att prova tjänsten. En underskrift har ingen rättslig verkan.',
  document: 'Dokument',
  messageFrom: (sender) => `Meddelande från ${sender}`,
  code: 'Din åtkomstkod',
  codeValidity: (minutes, until) => `Gäller i ${minutes} minuter, till den ${until}.`,
  codeEnded: 'Har koden upphört att gälla? Öppna sidan ändå: där kan du begära en ny.',
  codeOnThePage:
    'Du behöver en åtkomstkod för att fortsätta. Begär den på sidan, så skickas den till den här adressen.',
  signUntil: (date) => `Du kan skriva under fram till den ${date}.`,
  keptUntil: (date) => `Dokumentet kan laddas ner fram till den ${date}. Spara en kopia före dess.`,
  linkBelow: 'Eller öppna den här adressen i webbläsaren:',
  links: { imprintUrl: 'Om utgivaren', privacyUrl: 'Integritet', supportUrl: 'Hjälp' },
  footer: (sender) => `Skickat av Signature requests på uppdrag av ${sender}.`,
  unexpected: {
    request:
      'Väntade du dig inte det här e-postmeddelandet? Du kan bortse från det: inget undertecknas om du inte själv gör det på sidan. Vidarebefordra det inte, eftersom länken och koden bara är avsedda för dig.',
    reminder:
      'Väntade du dig inte det här e-postmeddelandet? Du kan bortse från det: inget undertecknas om du inte själv gör det på sidan. Vidarebefordra det inte, eftersom länken bara är avsedd för dig.',
    code: 'Har du inte begärt någon kod? Du kan bortse från det här e-postmeddelandet: utan koden kan ingen se dokumentet eller skriva under det. Lämna inte ut koden till någon.',
    sealed:
      'Du får det här e-postmeddelandet eftersom du har skrivit under dokumentet. Vidarebefordra det inte, eftersom länken bara är avsedd för dig.',
    notice: 'Du får det här e-postmeddelandet eftersom du har blivit ombedd att skriva under dokumentet.',
    senderNotice: (requestId) =>
      `Du får det här e-postmeddelandet eftersom aviseringar om underskriftsförfrågningar skickas till den här adressen. Förfrågan: ${requestId}`,
  },
  invitation: {
    subject: (sender, title) => `${sender} ber dig att skriva under ”${title}”`,
    intro: (sender) => `${sender} ber dig att skriva under ett dokument elektroniskt.`,
    button: 'Läs och skriv under',
  },
  resend: {
    subject: (sender, title) => `Ny åtkomstkod från ${sender} för ”${title}”`,
    intro: (sender) =>
      `${sender} har skickat en ny åtkomstkod till dig för att skriva under ett dokument. Tidigare koder gäller inte längre.`,
  },
  code_on_request: {
    subject: (_sender, title) => `Din åtkomstkod för ”${title}”`,
    intro: () => 'Här är åtkomstkoden som du begärde. Tidigare koder gäller inte längre.',
    button: 'Tillbaka till dokumentet',
  },
  reminder: {
    subject: (sender, title) => `Påminnelse: ${sender} ber dig att skriva under ”${title}”`,
    intro: (sender) => `${sender} väntar fortfarande på din underskrift på ett dokument.`,
  },
  sealed: {
    subject: (_sender, title) => `Undertecknat och förseglat: ”${title}”`,
    intro: (sender) =>
      `Alla har skrivit under dokumentet som ${sender} skickade. Det har förseglats, så att senare ändringar kan upptäckas.`,
    button: 'Hämta det förseglade dokumentet',
  },
  signers: () => 'Undertecknare',
  declineReason: 'Skäl',
  openRequest: 'Öppna förfrågan',
  signerNotices: {
    cancelled: {
      subject: (_sender, title) => `Återkallad: ”${title}”`,
      intro: (sender) =>
        `${sender} har återkallat förfrågan om att skriva under det här dokumentet. Du behöver inte göra något.`,
    },
    declined: {
      subject: (_sender, title) => `Avslutad utan resultat: ”${title}”`,
      intro: (sender) =>
        `En annan person har avböjt att skriva under dokumentet som ${sender} skickade. Förfrågan är därmed avslutad för alla. Du behöver inte göra något.`,
    },
    expired: {
      subject: (_sender, title) => `Tiden har gått ut: ”${title}”`,
      intro: (sender) =>
        `Tiden för att skriva under dokumentet som ${sender} skickade har gått ut och alla har inte skrivit under det. Du behöver inte göra något.`,
    },
  },
  senderNotices: {
    completed: {
      subject: (_sender, title) => `Klart: ”${title}”`,
      intro: () => 'Alla har skrivit under dokumentet och det är förseglat.',
    },
    declined: {
      subject: (_sender, title) => `Avböjt: ”${title}”`,
      intro: () =>
        'En undertecknare har avböjt att skriva under dokumentet. Förfrågan är därmed avslutad för alla.',
    },
    expired: {
      subject: (_sender, title) => `Tiden har gått ut: ”${title}”`,
      intro: () =>
        'Tiden för att skriva under dokumentet har gått ut och alla har inte skrivit under det. Förfrågan är avslutad.',
    },
    mail_failed: {
      subject: (_sender, title) => `E-post kunde inte skickas: ”${title}”`,
      intro: () => 'Ett e-postmeddelande om dokumentet kunde inte skickas.',
      next: (n) =>
        n === 1
          ? 'Kontrollera adressen och kontakta vid behov personen på något annat sätt.'
          : 'Kontrollera adresserna och kontakta vid behov personerna på något annat sätt.',
    },
    mail_bounced: {
      subject: (_sender, title) => `E-post kom i retur: ”${title}”`,
      intro: () => 'Ett e-postmeddelande om dokumentet kunde inte levereras och kom i retur.',
      next: 'Kontrollera adressen och kontakta vid behov personen på något annat sätt. Inga påminnelser skickas till adressen förrän du skickar inbjudan igen.',
    },
    mail_complained: {
      subject: (_sender, title) => `E-post anmäldes som skräppost: ”${title}”`,
      intro: () => 'Ett e-postmeddelande om dokumentet anmäldes som skräppost hos mottagaren.',
      next: 'Kontakta personen innan du skickar inbjudan igen. Till dess skickas inga påminnelser till adressen.',
    },
    code_entry_ended: {
      subject: (_sender, title) => `En undertecknare behöver en ny inbjudan: ”${title}”`,
      intro: () =>
        'För många åtkomstkoder har prövats eller begärts med en undertecknares länk. För att skydda dokumentet kan inga fler koder begäras med länken.',
      next: 'Kontrollera att rätt person har länken och skicka inbjudan igen. Därefter fungerar länken som förut.',
    },
    sealing_failed: {
      subject: (_sender, title) => `Förseglingen misslyckades: ”${title}”`,
      intro: () => 'Alla har skrivit under dokumentet, men det kunde inte förseglas.',
      next: 'Alla underskrifter är registrerade. Tjänstens driftansvariga har larmats och undersöker felet. Du behöver inte göra något just nu.',
    },
  },
  account: {
    signIn: {
      subject: 'Din inloggningskod',
      intro: 'Här är koden som du loggar in med. Ange den i samma webbläsare som du begärde den i.',
      code: 'Din inloggningskod',
      unexpected:
        'Har du inte begärt någon kod? Då kan du bortse från det här e-postmeddelandet: koden fungerar bara i den webbläsare där den begärdes. Lämna inte ut den till någon.',
    },
    newMember: {
      subject: (organization) => `${organization} har gett dig åtkomst`,
      intro: (organization) =>
        `${organization} har lagt till dig som medlem. Du kan nu arbeta med dess underskriftsförfrågningar.`,
      button: 'Logga in',
      howTo:
        'Det finns inget lösenord: du loggar in med den här e-postadressen, och en kod skickas till den varje gång.',
      unexpected:
        'Väntade du dig inte det här e-postmeddelandet? Då kan du bortse från det: ingenting händer om du inte loggar in.',
    },
  },
};

export const CONSENT =
  'Jag samtycker till att skriva under det här dokumentet elektroniskt. Genom att skriva under bekräftar jag att jag har läst dokumentet, att jag avser att skriva under det och att jag godtar det i elektronisk form. Min underskrift är en enkel elektronisk underskrift. Mitt namn, min e-postadress, tidpunkten, min IP-adress och min webbläsare registreras som bevis för den. Avsändaren kan se dessa uppgifter, och delar av dem framgår av det undertecknade dokumentet.';

const MONTHS = 'januari februari mars april maj juni juli augusti september oktober november december';

export const PDF: PdfTexts = {
  colon: ':',
  kind: 'Underskriftssida',
  document: 'Dokument',
  fingerprint: 'Hashvärde',
  fingerprintNote: 'SHA-256 för originaldokumentet utan den här sidan',
  requestId: 'Förfrågan',
  sender: 'Avsändare',
  anchor: 'Ankare',
  anchorNote: (event) =>
    `Hashvärdet för händelse ${event} i granskningsloggen. Det omfattar alla händelser till och med den sista underskriften.`,
  verifyAt: (address) => `Kontrollera dokumentet och dess försegling på ${address}.`,
  signatures: (count) => (count === 1 ? '1 underskrift' : `${count} underskrifter`),
  email: 'E-post',
  signedAt: 'Undertecknat',
  firstViewed: 'Först visat',
  proof: 'Bekräftat genom',
  proofByLinkAndCode: 'Länk och e-postad engångskod',
  ipAddress: 'IP-adress',
  notRecorded: 'ej registrerat',
  consent: 'Samtycke',
  consentOf: (language, version) => `${language}, version ${version}`,
  onBehalfOf: (entity) => `för ${entity}`,
  inTheRoleOf: (role) => `i egenskap av ${role}`,
  entityId: (id) => `ID-nummer ${id}`,
  statement:
    'Var och en av undertecknarna på den här sidan har undertecknat dokumentet med en enkel elektronisk underskrift i den ' +
    'mening som avses i artikel 3.10 i förordning (EU) nr 910/2014 (eIDAS). Sidan lades till när alla hade skrivit ' +
    'under. Därefter förseglade underskriftstjänsten filen med en elektronisk stämpel (PAdES) som bär en ' +
    'tidsstämpel (RFC 3161). Stämpeln omfattar hela filen, även den här sidan: varje senare ändring kan upptäckas med ' +
    'ett PDF-program eller en valideringstjänst för underskrifter.',
  replacedCharacters:
    'Uppgifter inom hakparentes (U+…) är Unicode-nummer för tecken som inte kan visas på den här sidan. Den exakta ' +
    'texten kan kopieras från sidan och är sparad i granskningsloggen.',
  test: 'Test – undertecknat i testläge och förseglat med ett testcertifikat. Dokumentet har ingen rättslig verkan.',
  testWatermark: 'TEST',
  pageOf: (page, pages) => `Sida ${page} av ${pages}`,
  time: ({ year, month, day, hour, minute, second }) =>
    `${day} ${MONTHS.split(' ')[month]} ${year} kl. ${hour}:${minute}:${second} UTC`,
};

export const EVIDENCE: EvidenceTexts = {
  kind: 'Bevis om underskrift',
  created: 'Skapad',
  level: SEAL_LEVEL,
  anchorNote: (event) => `Hashvärdet för händelse ${event}, den sista i listan.`,
  signatures: 'Underskrifter',
  consentGiven: 'Det här är texten som undertecknarna har samtyckt till.',
  events: 'Händelser',
  eventsNote:
    'Alla händelser i förfrågan till och med den sista underskriften. Varje hashvärde omfattar händelsen och hashvärdet ' +
    'före den: en ändrad, tillagd eller borttagen händelse skulle ändra ankaret.',
  columns: { time: 'Tid (UTC)', event: 'Händelse', by: 'Av', hash: 'SHA-256' },
  actors: { client: 'Avsändare', signer: 'Undertecknare', service: 'Tjänst', operator: 'Driftansvarig' },
  eventTypes: {
    request_created: 'Förfrågan skapad',
    invitation_sent: 'Inbjudan skickad',
    invitation_failed: 'Inbjudan kunde inte skickas',
    link_opened: 'Underskriftslänken öppnad',
    code_sent: 'Engångskod skickad',
    code_rotated: 'Engångskod ersatt',
    signer_corrected: 'Undertecknarens uppgifter rättade',
    code_failed: 'Engångskod kunde inte skickas',
    code_wrong: 'Felaktig engångskod angiven',
    link_locked: 'Låst efter för många felaktiga koder',
    code_entry_ended: 'Kodinmatning avslutad',
    code_verified: 'Engångskod bekräftad',
    document_viewed: 'Dokumentet visat för undertecknaren',
    signer_signed: 'Undertecknat',
    signer_declined: 'Avböjt att skriva under',
    request_cancelled: 'Förfrågan återkallad',
    invitation_resent: 'Inbjudan skickad på nytt',
    invitation_resend_failed: 'Inbjudan kunde inte skickas på nytt',
    reminder_sent: 'Påminnelse skickad',
    reminder_failed: 'Påminnelse kunde inte skickas',
    seal_queued: 'Försegling begärd',
    document_sealed: 'Dokumentet förseglat',
    seal_failed: 'Försök till försegling misslyckades',
    sealed_notice_sent: 'Avisering om slutförande skickad',
    sealed_notice_failed: 'Avisering om slutförande kunde inte skickas',
    signer_notice_sent: 'Avisering till undertecknaren skickad',
    signer_notice_failed: 'Avisering till undertecknaren kunde inte skickas',
    sender_notice_sent: 'Avisering till avsändaren skickad',
    sender_notice_failed: 'Avisering till avsändaren kunde inte skickas',
    mail_bounced: 'E-post kunde inte levereras',
    mail_complained: 'E-post anmäld som skräppost',
    document_downloaded: 'Förseglat dokument nedladdat',
    webhook_delivered: 'Webhook levererad',
    webhook_failed: 'Webhook kunde inte levereras',
    request_expired: 'Förfrågans tid har gått ut',
    document_deletion_requested: 'Borttagning av dokumentet begärd',
    document_purged: 'Dokumentet borttaget',
    retention_changed: 'Lagringen ändrad',
    archive_renewed: 'De arkiverade filernas tidsstämplar förnyade',
    person_erased: 'Undertecknarens personuppgifter raderade',
  },
  verify: 'Så kontrollerar du',
  verifyDocument: (address) =>
    `Det förseglade dokumentet: dess SHA-256-värde måste vara det ovan. ${address} beräknar det och kontrollerar försegling och tidsstämpel.`,
  verifyFile:
    'Den här filen: den bär liksom dokumentet en elektronisk stämpel med tidsstämpel (PAdES). Vilket PDF-program ' +
    'eller vilken valideringstjänst för underskrifter som helst visar om den har ändrats.',
  verifyEvents: (attachment) =>
    `Händelserna: den bifogade filen ${attachment} innehåller deras värden. Med dem kan varje hashvärde beräknas, fram till ankaret.`,
  attachment: 'Händelserna med sina värden, för att beräkna hashvärdena på nytt',
};

export const AUDIT: AuditTexts = {
  kind: 'Granskningslogg',
  foot: (id) => `Förfrågan ${id} · för kännedom, ej undertecknad`,
  notSigned: 'Den här granskningsloggen är till för kännedom och är inte undertecknad.',
  sealIsEvidence: 'Det förseglade dokumentet är det rättsliga beviset.',
  filesAreEvidence: 'Det förseglade dokumentet och dess förseglade bevisfil är det rättsliga beviset.',
  asOf: (time) => `Den visar förfrågan som den var den ${time}.`,
  testMark:
    'Test – gjort i testläge, utan rättslig verkan. Testförfrågningar förseglas med ett testcertifikat.',
  sections: {
    signers: 'Undertecknare',
    seal: 'Försegling',
    integrity: 'Loggens oförändrade skick',
    webhooks: 'Bilaga: webhook-leveranser',
  },
  statuses: {
    pending: 'Väntar: ingen inbjudan har ännu kunnat skickas',
    sent: 'Skickad',
    opened: 'Öppnad',
    signed: 'Undertecknad och förseglad',
    cancelled: 'Återkallad',
    declined: 'Avböjd',
    expired: 'Tiden har gått ut',
    awaiting_stamp: 'Undertecknad av alla, väntar på försegling',
    stamp_failed: 'Undertecknad av alla, förseglingen misslyckades',
  },
  signerStatuses: {
    pending: 'Väntar',
    sent: 'Inbjuden',
    opened: 'Öppnat',
    signed: 'Undertecknat',
    declined: 'Avböjt',
    invalidated: 'Inte längre aktuell',
  },
  request: {
    id: 'Förfrågans ID',
    status: 'Status',
    createdVia: 'Skapad via',
    viaDashboard: 'Kontrollpanel',
    sent: 'Inbjudningar skickade',
    opened: 'Först öppnad',
    message: 'Meddelande',
  },
  document: {
    size: 'Storlek',
    bytes: (exact) => `${exact} byte`,
    moreAttachments: (n) => (n === 1 ? 'och 1 till' : `och ${n} till`),
    unnamed: 'utan namn',
    original: 'Original (SHA-256)',
    deleted: 'Borttaget',
    noSignaturePage:
      'Ingen. Dokumentet bar redan underskrifter, som en tillagd sida skulle ha gjort tvivelaktiga.',
    evidenceNamesSigners: 'Bevisfilen namnger undertecknarna.',
  },
  seal: {
    format: 'Form',
    formatName: (level) => `PAdES ${level} (ETSI EN 319 142-1) med tidsstämpel enligt RFC 3161`,
    file: 'Förseglad fil',
    pagesAdded: (pages) =>
      pages === 0 ? 'ingen sida tillagd' : pages === 1 ? '1 sida tillagd' : `${pages} sidor tillagda`,
  },
  signaturesNote:
    'De visas här eftersom dokumentet redan bar underskrifter och därför inte fick någon underskriftssida.',
  signer: {
    times: 'Status och tider (UTC)',
    origin: 'IP-adress och webbläsare',
    invitedAs: (name) => `Inbjuden som ${name}`,
    sent: 'Inbjuden',
    viewed: 'Visat',
    reason: (reason) => `Skäl: ${reason}`,
    erased: 'Raderad person',
    typed: 'Skriven underskrift',
    drawn: 'Ritad underskrift',
  },
  event: {
    forSigner: (name) => `För ${name}`,
    inAppendix: 'Webhook-leveranser har nummer i samma följd och står i bilagan.',
    leftOut: (count) =>
      `${count === 1 ? '1 post är utelämnad' : `${count} poster är utelämnade`} här. API:et listar alla: GET /api/v1/signatures/{id}/events.`,
  },
  yes: 'ja',
  no: 'nej',
  chain: {
    head: 'Kedjans slutvärde',
    chain: 'Kedja',
    intact: (events) =>
      `Obruten: ${events === 1 ? '1 händelse' : `${events} händelser`}, kontrollerad när filen skapades`,
    broken: (event) => `BRUTEN vid händelse ${event}: händelsernas hashvärden stämmer inte med slutvärdet`,
    howToRead: 'Så läses den',
    meaning:
      'Varje händelse bär SHA-256-hashvärdet för den föregående. Slutvärdet är hashvärdet för den sista: det ändras om ' +
      'någon händelse ändras, tas bort eller flyttas.',
    characters: 'Tecken',
  },
  details: {
    title: 'Titel',
    reference: 'Referens',
    filename: 'Filnamn',
    document_size: 'Storlek i byte',
    page_count: 'Sidor',
    already_signed: 'Bar redan underskrifter',
    attachments: 'Bifogade filer',
    return_url: 'Returadress',
    document_sha256: 'Dokument (SHA-256)',
    message_sha256: 'Meddelande (SHA-256)',
    metadata_sha256: 'Metadata (SHA-256)',
    sender: 'Avsändare',
    sender_type: 'Typ av avsändare',
    sender_id: 'Avsändarens ID',
    created_by: 'Skapad av',
    user_id: 'Användar-ID',
    mode: 'Läge',
    expires_at: 'Gäller till',
    signers: 'Antal undertecknare',
    invited: 'Inbjudna',
    name: 'Namn',
    email: 'E-post',
    representing: 'För',
    role: 'Roll',
    entity_id: 'ID-nummer',
    locale: 'Språk',
    position: 'Ordning',
    signer_id: 'Undertecknarens ID',
    signature_type: 'Typ av underskrift',
    signature_style: 'Underskriftens stil',
    text: 'Skriven text',
    drawing_sha256: 'Teckning (SHA-256)',
    consent_version: 'Samtyckets version',
    consent_locale: 'Samtyckets språk',
    document_hash: 'Förseglat dokument (SHA-256)',
    evidence_hash: 'Bevisfil (SHA-256)',
    pages_added: 'Tillagda sidor',
    sealed_at: 'Förseglat',
    sealed_size: 'Den förseglade filens storlek i byte',
    subject: 'Certifikatets innehavare',
    issuer: 'Certifikatets utfärdare',
    serial: 'Certifikatets serienummer',
    notBefore: 'Gäller från',
    notAfter: 'Gäller till',
    algorithm: 'Algoritm',
    level: 'Förseglingens nivå',
    timestampAuthority: 'Tidsstämplingstjänst',
    timestampTime: 'Tidsstämpelns tid',
    timestampSerial: 'Tidsstämpelns serienummer',
    timestampPolicy: 'Tidsstämpelns policy',
    event_type: 'Typ av händelse',
    event_id: 'Händelsens ID',
    endpoint_id: 'Mottagaradress',
    http_status: 'HTTP-statuskod',
    duration_ms: 'Millisekunder',
    manual: 'Upprepad på begäran',
    attempts_left: 'Försök kvar',
    reason: 'Skäl',
    code: 'Orsak',
    archive_protected: 'Bevaras i arkivet',
    renewal: 'Förnyelse',
    renewed_document_hash: 'Förnyat dokument (SHA-256)',
    renewed_evidence_hash: 'Förnyad bevisfil (SHA-256)',
    holds_until: 'Kan kontrolleras fristående till',
    shown_as: 'Visat som',
    notice: 'Avisering',
    mail: 'Typ av meddelande',
    mail_sent_at: 'Meddelande skickat',
    error: 'Fel',
  },
  values: {
    mode: { live: 'skarpt', test: 'test' },
    sender_type: { organization: 'organisation', user: 'användare' },
    signature_type: { typed: 'skriven', drawn: 'ritad' },
    signature_style: { italic: 'kursiv', serif: 'upprätt', sans: 'enkel' },
    notice: {
      completed: 'slutförd',
      declined: 'avböjd',
      cancelled: 'återkallad',
      expired: 'tiden har gått ut',
      mail_failed: 'e-post kunde inte skickas',
      mail_bounced: 'e-post kom i retur',
      mail_complained: 'e-post anmäldes som skräppost',
      code_entry_ended: 'kodinmatning avslutad',
      sealing_failed: 'förseglingen misslyckades',
    },
    mail: {
      invitation: 'inbjudan',
      resend: 'inbjudan skickad på nytt',
      code: 'engångskod',
      reminder: 'påminnelse',
      completed: 'avisering om slutförande',
      declined: 'avisering: avböjd av en annan',
      cancelled: 'avisering: återkallad',
      expired: 'avisering: tiden har gått ut',
    },
  },
};
