import type * as en from '../en/service.ts';

const tries = (n: number) => `${n} försök`;

export const LANGUAGE: typeof en.LANGUAGE = { label: 'Språk', name: 'Svenska' };

export const INSTEAD: en.InsteadTexts = {
  notLoaded:
    'Sidan har inte laddats än. Om den inte visas kontrollerar du anslutningen och laddar om sidan, eller öppnar länken i en nyare webbläsare.',
  noScript: {
    sign: 'Den här sidan behöver JavaScript för att visa dokumentet och ta emot din underskrift. Slå på det för sidan eller öppna länken i en annan webbläsare.',
    verify:
      'Den här sidan behöver JavaScript för att kontrollera filen på din enhet. Slå på det för sidan eller använd en annan webbläsare.',
    app: 'Den här sidan behöver JavaScript. Tillåt det på sidan eller använd en annan webbläsare.',
  },
};

export const PAGE: en.PageTexts = {
  brand: {
    imprint: 'Om utgivaren',
    privacy: 'Integritet',
    support: 'Hjälp',
    by: 'Skickat med Signature requests',
  },
  opening: 'Länken öppnas',
  test: 'Test: inte juridiskt bindande.',
  progress: (step, of) => `Steg ${step} av ${of}`,
  steps: ['Bekräfta', 'Läs', 'Skriv under'],
  optional: 'valfritt',
  checkFields: (n) => (n === 1 ? 'En sak behöver åtgärdas.' : `${n} saker behöver åtgärdas.`),
  connection: {
    lost: 'Ingen anslutning. Det du har fyllt i finns kvar och vi fortsätter att försöka.',
    busy: 'Tjänsten är överbelastad. Det du har fyllt i finns kvar och vi försöker igen inom en minut.',
    tryNow: 'Försök nu',
  },
  trouble: {
    heading: 'Något gick fel',
    text: 'Felet är vårt, inte ditt. Försök igen.',
    again: 'Försök igen',
    inline: 'Ett fel uppstod hos oss. Det du har fyllt i finns kvar. Försök igen om en stund.',
  },
  code: {
    heading: 'Ett dokument väntar på din underskrift',
    headingSigned: 'Du har skrivit under dokumentet',
    headingAgain: 'Bekräfta en gång till att det är du',
    intro: 'Ange koden från din e-post. Därefter ser du dokumentet och vem som har skickat det.',
    introSend:
      'Vi skickar en sexsiffrig kod till den e-postadress som fick inbjudan. Med koden ser du dokumentet och vem som har skickat det.',
    introSigned:
      'Bekräfta med en kod att det är du, så ser du hur långt förfrågan har kommit och kan ladda ner ditt exemplar.',
    sessionEnded:
      'Åtkomsten upphör efter 30 minuter för att skydda dig. Med en ny kod kommer du tillbaka dit du var. Det du har fyllt i finns kvar.',
    noCookies:
      'Din webbläsare sparar inga kakor (cookies) och kan därför inte visa att du har angett en kod. Tillåt kakor för den här sidan eller öppna länken i en annan webbläsare.',
    label: 'Sexsiffrig kod',
    worksUntil: (time) => `Koden i ditt senaste e-postmeddelande gäller till kl. ${time}.`,
    submit: 'Fortsätt',
    checking: 'Kontrolleras',
    haveCode: 'Jag har en kod',
    send: 'Skicka en kod',
    sendAgain: 'Skicka en ny kod',
    sendAgainIn: (seconds) => `Ny kod om ${seconds} s`,
    sending: 'Skickas',
    sent: 'En kod är på väg. Bara den senaste gäller.',
    notArrived: 'Har inget kommit efter två minuter? Titta i skräpposten innan du begär en ny kod.',
    wrong: (left) => `Koden stämmer inte. Du har ${tries(left)} kvar.`,
    triesLeft: (left) => `Du har ${tries(left)} kvar.`,
    format: 'Ange alla sex siffrorna.',
    expired: 'Koden gäller inte längre. Begär en ny.',
    tooMany: (time) => `En ny kod kan begäras från: ${time}.`,
    noMore:
      'Ingen ny kod kan skickas, eftersom för många har begärts. Om du inte har den senaste koden, be avsändaren att skicka länken till dig på nytt.',
    emailFailed: 'E-postmeddelandet kunde inte skickas. Försök igen om en stund.',
    busy: 'Koden kunde inte kontrolleras just nu. Försök igen om en stund.',
    lost: 'Anslutningen bröts. Försök igen.',
    lockedHeading: 'Tillfälligt låst',
    locked: (time) =>
      `För många koder har angetts eller begärts. För att skydda dokumentet är länken låst till ${time}. Därefter kan du begära en ny kod.`,
    lockedCheck: 'Kontrollera igen',
    endedHeading: 'Länken tar inte emot fler koder',
    ended:
      'För många koder har angetts eller begärts. För att skydda dokumentet tas koder emot först när avsändaren har skickat länken till dig på nytt. Be avsändaren att göra det.',
    about: 'Vad är det här för sida?',
    aboutText: [
      'En organisation eller en person ber dig att skriva under ett dokument. Förfrågan kom till dig med e-post via den här tjänsten.',
      'Innan koden har angetts avslöjar sidan inte för någon vad det är för dokument eller vem du är.',
      'Inget undertecknas förrän du har läst dokumentet och tryckt på ”Skriv under dokumentet”. Du behöver aldrig ange lösenord eller betala här.',
      'Vet du inte vad det gäller? Då kan du bara stänga sidan.',
    ],
  },
  document: {
    heading: 'Läs dokumentet',
    from: (sender) => `Skickat av ${sender}`,
    messageFrom: (sender) => `Meddelande från ${sender}`,
    attachments: (n) => (n === 1 ? '1 bifogad fil' : `${n} bifogade filer`),
    attachmentsNote:
      'De finns i PDF-filen och förseglas tillsammans med den. Ladda ner filen och öppna den i ett PDF-program för att läsa dem.',
    moreAttachments: (n) => (n === 1 ? 'och 1 till' : `och ${n} till`),
    unnamed: 'utan namn',
    to: 'Ställt till',
    file: 'Fil',
    until: 'Skriv under senast',
    others: 'Övriga undertecknare',
    othersCount: (total, signed) => `${signed} av ${total} har skrivit under`,
    loading: 'Dokumentet hämtas',
    notLoaded: 'Dokumentet kunde inte hämtas. Försök igen.',
    loaded: (pages) => (pages === 1 ? 'Dokumentet visas. 1 sida.' : `Dokumentet visas. ${pages} sidor.`),
    region: 'Dokumentet',
    page: (page, of) => `Sida ${page} av ${of}`,
    zoomIn: 'Förstora',
    zoomOut: 'Förminska',
    download: 'Ladda ner',
    downloaded: 'Nedladdningen har börjat.',
    goToPage: 'Gå till sida',
    pages: 'Sidor',
    search: 'Sök i dokumentet',
    searching: 'Söker',
    found: (n, of, page) => `${n} av ${of}, på sida ${page}`,
    notFound: 'Inga träffar.',
    searchFailed: 'Det gick inte att söka i dokumentet.',
    nextMatch: 'Nästa träff',
    previousMatch: 'Föregående träff',
    closeSearch: 'Stäng sökningen',
    noText: 'Sidan är en bild. Den innehåller ingen text som kan läsas upp.',
    pageFailed: 'Hela sidan kunde inte visas. Ladda ner dokumentet för att läsa den.',
    cannotShow:
      'Dokumentet kan inte visas i din webbläsare. Ladda ner det, läs det och fortsätt sedan. Det är just den filen som du skriver under.',
    toPrint: 'Ladda ner dokumentet för att skriva ut det.',
    toSign: 'Gå vidare till underskriften',
    more: 'Andra val',
    toLater: 'Skriv under senare',
    toDecline: 'Avböj',
    back: 'Tillbaka till dokumentet',
    changed:
      'Dokumentet har hämtats på nytt, eftersom det som visades inte var det aktuella. Gå igenom det igen innan du skriver under.',
  },
  sign: {
    heading: 'Skriv under',
    name: 'Ditt fullständiga namn',
    nameHint: 'Så som det ska stå i det undertecknade dokumentet.',
    nameMissing: 'Ange ditt namn.',
    nameInvalid: 'Namnet kan inte användas. Kontrollera det.',
    signature: 'Din underskrift',
    typed: 'Skriv',
    drawn: 'Rita',
    typedLabel: 'Skriven underskrift',
    typedPreview: 'Så ser den ut i dokumentet',
    typedMissing: 'Skriv in din underskrift.',
    style: 'Typsnitt',
    styles: { italic: 'Kursivt', serif: 'Upprätt', sans: 'Enkelt' },
    image: 'Bild',
    imageChoose: 'Bild av din underskrift',
    imageOther: 'Välj en annan bild',
    imageHint: 'PNG eller JPEG, högst 5\u00a0MB.',
    imageChosen: 'Bilden av din underskrift',
    imageMissing: 'Välj en bild av din underskrift eller välj ”Skriv”.',
    withheld:
      'För att skydda din integritet lämnar webbläsaren inte ut teckningar eller bilder till sidan. Välj ”Skriv” eller använd en annan webbläsare.',
    imageFaults: {
      too_large: 'Bilden är för stor. Välj en på högst 5\u00a0MB och 50 megapixel.',
      unreadable: 'Filen kan inte läsas som en bild. Välj en PNG eller JPEG.',
    },
    pad: 'Rityta för din underskrift. Använd ett finger, en penna eller musen. Välj i stället ”Skriv” om du använder tangentbordet.',
    padHint: 'Skriv under här',
    padDrawn: 'En underskrift har ritats.',
    undo: 'Ångra',
    clear: 'Rensa',
    drawnMissing: 'Rita din underskrift eller välj ”Skriv”.',
    signatureInvalid: 'Underskriften kunde inte användas. Gör om den.',
    behalf: 'Jag skriver under',
    forSelf: 'för egen del',
    forEntity: 'för en organisation',
    entity: 'Organisationens namn',
    entityMissing: 'Ange organisationens namn.',
    role: 'Din roll',
    roleHint: 'Till exempel: verkställande direktör',
    entityId: 'Organisationsnummer',
    consent: 'Detta samtycker du till',
    agree: 'Jag har läst dokumentet och godkänner texten ovan.',
    agreeMissing: 'Markera rutan för att gå vidare.',
    consentChanged: 'Texten som du godkänner har ändrats. Läs den igen och markera rutan.',
    submit: 'Skriv under dokumentet',
    submitting: 'Undertecknas',
  },
  later: {
    text: (until) =>
      `Du kan skriva under fram till den ${until}. Länken i ditt e-postmeddelande fungerar till dess: öppna den igen när det passar dig.`,
    kept: 'Du kan stänga sidan. Inget har undertecknats eller avböjts.',
  },
  decline: {
    heading: 'Avböj att skriva under',
    text: 'Förfrågan avslutas då för alla. Det går inte att ångra.',
    reason: 'Skäl',
    reasonHint: 'Avsändaren kan läsa det.',
    left: (n) => `${n} tecken kvar`,
    tooMany: (n) => `${n} tecken för mycket`,
    submit: 'Ja, jag avböjer',
    submitting: 'Sparas',
    told: 'Avsändaren får ett e-postmeddelande om det.',
  },
  done: {
    heading: 'Du har skrivit under',
    at: (when) => `Undertecknat den ${when}.`,
    waiting: (n) =>
      `${n === 1 ? '1 annan person' : `${n} andra personer`} har ännu inte skrivit under. När alla har gjort det förseglas dokumentet och du får ett e-postmeddelande med en länk till ditt exemplar.`,
    sealing: 'Alla har skrivit under. Dokumentet förseglas nu, vilket oftast tar mindre än en minut.',
    sealingLeave: 'Du behöver inte vänta: du får ett e-postmeddelande med en länk till ditt exemplar.',
    sealed: 'Alla har skrivit under och dokumentet är förseglat. Senare ändringar kan upptäckas.',
    sealLate:
      'Alla har skrivit under. Förseglingen tar längre tid än vanligt och vi arbetar med det. Du får ett e-postmeddelande när den är klar.',
    endedEarly:
      'Förfrågan avslutades innan alla hade skrivit under. Därför blir det inget förseglat dokument.',
    download: 'Ladda ner det förseglade dokumentet',
    downloadEvidence: 'Ladda ner bevisfilen',
    noFile: 'Ingen fil? Öppna länken i e-postmeddelandet i en webbläsare som Safari eller Chrome.',
    downloading: 'Laddas ner',
    purged: (when) => `Det förseglade dokumentet togs bort den ${when}. Be avsändaren om ett exemplar.`,
    purgedPlain: 'Det förseglade dokumentet har tagits bort. Be avsändaren om ett exemplar.',
    back: (host) => `Tillbaka till ${host}`,
    close: 'Du kan stänga sidan.',
  },
  copy: {
    heading: 'Ditt förseglade dokument',
    until: (date) => `Du kan ladda ner dokumentet här fram till den ${date}.`,
    purged: 'Dokumentet finns inte kvar här',
    link_expired: 'Tiden för att ladda ner det med den här länken är slut. Be avsändaren om ett exemplar.',
    not_found:
      'Kanske kopierades den inte i sin helhet eller kortades av ett e-postprogram, eller så är dess tid slut sedan länge. Kopiera hela adressen under knappen i e-postmeddelandet till webbläsaren eller be avsändaren om ett exemplar.',
    fault: 'Det gick inte på grund av ett fel hos oss. Försök igen.',
  },
  ended: {
    not_found: {
      heading: 'Länken fungerar inte',
      text: 'Den kan ha kopierats ofullständigt, eller så har avsändaren ersatt den. Öppna den en gång till från det senaste e-postmeddelandet eller be avsändaren om en ny.',
    },
    link_expired: {
      heading: 'Länken har upphört att gälla',
      text: 'Länkar gäller bara under en begränsad tid. Be avsändaren om en ny förfrågan om din underskrift fortfarande behövs.',
    },
    link_cancelled: {
      heading: 'Förfrågan har återkallats',
      text: 'Avsändaren har återkallat den. Du behöver inte göra något.',
    },
    link_declined: {
      heading: 'Du har avböjt',
      text: 'Du har inte skrivit under. Du behöver inte göra något mer.',
    },
    link_invalidated: {
      heading: 'Förfrågan är avslutad',
      text: 'En annan undertecknare har avböjt, så din underskrift behövs inte längre.',
    },
    request_not_active: {
      heading: 'Förfrågan är inte längre öppen',
      text: 'Dokumentet kan inte längre skrivas under. Vänd dig till avsändaren om du har frågor.',
    },
  },
};

/** The level of a seal, on the verify page and in the evidence file. */
export const SEAL_LEVEL: typeof en.SEAL_LEVEL = {
  name: 'Förseglingens nivå',
  told: {
    'B-T': (until) =>
      `B-T: med tidsstämpel. Den kan kontrolleras till den ${until}, så länge certifikatens utfärdare svarar på om de har spärrats.`,
    'B-LT': (until) =>
      `B-LT: med tidsstämpel och med bevis i filen för att inget certifikat var spärrat. Den kan kontrolleras till den ${until} utan att någon behöver tillfrågas.`,
    'B-LTA': (until) =>
      `B-LTA: med tidsstämpel, med bevis i filen för att inget certifikat var spärrat och med ytterligare en tidsstämpel över dem. Den kan kontrolleras till den ${until} utan att någon behöver tillfrågas.`,
  },
};

export const VERIFY: en.VerifyTexts = {
  heading: 'Kontrollera en förseglad PDF-fil',
  intro:
    'Se vem som har förseglat en PDF-fil, när det skedde och om något har ändrats sedan dess. Filen stannar på den här enheten: den kontrolleras här och skickas ingenstans.',
  document: 'Välj PDF-filen eller släpp den här',
  evidence: 'Bevisfil',
  evidenceHint: 'Den andra filen som följde med dokumentet, om du har den.',
  optional: 'valfritt',
  oneFile: 'Bara den första av dina filer användes: välj dem en i taget.',
  remove: 'Ta bort',
  trusted: 'Certifikat som du litar på',
  trustedHint:
    'Fingeravtryck (SHA-256) eller certifikat (PEM) för den som förseglar och för tidsstämplingstjänsten. Skaffa dem från den som förseglar på ett annat sätt än tillsammans med filen.',
  trustedUnread:
    'Texten innehåller varken ett fingeravtryck eller ett certifikat. Klistra in 64 hexadecimala siffror, eller ett certifikat med raderna BEGIN och END.',
  checking: 'Kontrolleras',
  broken:
    'Kontrollen kunde inte slutföras på den här enheten. Välj filen igen eller prova en annan webbläsare.',
  unreadableFile:
    'Filen kan inte läsas. Det kan vara en mapp, eller så har den flyttats eller ändrats. Välj den igen.',
  verdicts: {
    green: {
      heading: 'Äkta och oförändrad',
      text: 'Förseglingen är gjord med ett certifikat som du litar på och inget har ändrats sedan dess.',
    },
    intact: {
      heading: 'Oförändrad. Kontrollera vems certifikatet är.',
      text: 'Förseglingen hör till filen. Vem som helst kan försegla under ett valfritt namn: jämför fingeravtrycken nedan med dem som du har fått från den som förseglar.',
    },
    amber: {
      heading: 'Kunde inte kontrolleras helt',
      text: 'Vad som framkom står nedan. Avgör själv om du kan lita på filen.',
    },
    red: { heading: 'Lita inte på den här filen', text: 'Något är fel med den.' },
    evidence: {
      heading: 'Lita inte på bevisfilen',
      text: 'Något är fel med den, eller så hör den till ett annat dokument. Vad som framkom om själva dokumentet står först.',
    },
  },
  ofSignature: (number) => `Underskrift ${number}:`,
  findings: {
    not_a_pdf: 'Filen är inte en PDF-fil.',
    damaged: 'Filen är skadad: dess uppbyggnad kan inte läsas.',
    not_signed:
      'PDF-filen har ingen elektronisk underskrift. Den kan vara en kopia som har skrivits ut eller sparats på nytt.',
    altered: 'Filen är inte den som undertecknades: innehållet har ändrats.',
    signature_wrong:
      'Underskriften är ogiltig: dess delar hör inte ihop. Filen kan vara en kopia som har sparats på nytt.',
    changed_after: 'Något har lagts till eller ändrats efter underskriften.',
    timestamp_wrong: 'Tidsstämpeln är ogiltig.',
    certificate_not_valid: 'Certifikatet var inte giltigt när underskriften gjordes.',
    evidence_of_other: 'Bevisfilen gäller ett annat dokument.',
    evidence_missing: 'Den andra filen är ingen bevisfil.',
    evidence_chain_broken: 'En händelse i bevisfilen har ändrats, tagits bort eller lagts till.',
    evidence_anchor_differs:
      'Bevisfilen slutar vid en annan händelse än dokumentet anger: händelser har tagits bort eller bytts ut.',
    too_large: 'Filen är för stor för att kontrolleras här.',
    too_complex: 'Filen är för komplicerad för att kontrolleras här.',
    encrypted: 'Filen är krypterad och kan därför inte kontrolleras här.',
    cannot_check: 'Underskriften använder algoritmer eller en form som den här sidan inte kan kontrollera.',
    certificate_unsuitable: 'Certifikatet är inte avsett för underskrifter, eller så är nyckeln för svag.',
    no_timestamp: 'Tidsstämpel saknas, så tidpunkten för underskriften är inte styrkt.',
    changed_between: 'Något har ändrats efter den här underskriften, före nästa.',
    metadata_changed:
      'Efter underskriften har filens metadata (till exempel titel och författare) ändrats, men inget av det som visas.',
    locked_before:
      'Efter underskriften, som låser formulärfält, har något lagts till. Andra program kan se det som en ändring av de fälten.',
    unknown_signer: 'Certifikatet för den som förseglar finns inte bland dem som du litar på.',
    unknown_authority: 'Tidsstämplingstjänstens certifikat finns inte bland dem som du litar på.',
    authority_expired: 'Tidsstämplingstjänstens certifikat har sedan dess upphört att gälla.',
    time_ahead: 'Tidsstämpeln är senare än tiden på den här enhetens klocka.',
    evidence_by_other: 'Bevisfilen är förseglad med ett annat certifikat än dokumentet.',
    covers_all: 'Underskriften omfattar hela filen.',
    signed_further:
      'Efter underskriften har bara fler underskrifter eller uppgifter för att validera dem lagts till.',
    evidence_fits:
      'Bevisfilen gäller det här dokumentet och är förseglad med samma certifikat, och dess händelser bildar en obruten kedja.',
  },
  level: SEAL_LEVEL,
  seal: 'Försegling',
  documentStamp: 'Dokumentets tidsstämpel',
  by: 'Förseglad av',
  signedBy: 'Undertecknat av',
  signedAt: 'Undertecknat',
  codeConfirmed: 'Kod från e-post angiven',
  issuer: 'Utfärdat av',
  fingerprint: 'Fingeravtryck (SHA-256)',
  validity: (from, to) => `Certifikatet gäller: ${from} till ${to}`,
  time: 'Tidpunkt',
  authority: 'Tidsstämpel från',
  reason: 'Angivet skäl',
  isTrusted: 'Du litar på det här certifikatet.',
  unreadable: 'Kan inte fastställas.',
  hash: 'Filens SHA-256',
  copy: 'Kopiera',
  copied: 'Kopierat.',
  copyFailed: 'Det gick inte att kopiera. Markera texten ovan och kopiera den.',
  compare: 'Jämför med ett SHA-256-värde som du har',
  compareInvalid: 'Ett SHA-256-värde har 64 tecken: siffror och bokstäverna a till f.',
  same: 'De är lika.',
  different: 'De skiljer sig åt: det är en annan fil.',
  limits:
    'Certifikatens utfärdare tillfrågas inte om något av dem har spärrats, eftersom det kräver nätverk; bara bevis i filen kontrolleras. Namn i ett certifikat är det som dess utfärdare har intygat.',
};

export const MAIL: en.MailTexts = {
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

export const PDF: en.PdfTexts = {
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
    'Var och en av undertecknarna på den här sidan har undertecknat dokumentet med en enkel elektronisk underskrift i den mening som avses i artikel 3.10 i förordning (EU) nr 910/2014 (eIDAS). Sidan lades till när alla hade skrivit under. Därefter förseglade underskriftstjänsten filen med en elektronisk stämpel (PAdES) som bär en tidsstämpel (RFC 3161). Stämpeln omfattar hela filen, även den här sidan: varje senare ändring kan upptäckas med ett PDF-program eller en valideringstjänst för underskrifter.',
  replacedCharacters:
    'Uppgifter inom hakparentes (U+…) är Unicode-nummer för tecken som inte kan visas på den här sidan. Den exakta texten kan kopieras från sidan och är sparad i granskningsloggen.',
  test: 'Test – undertecknat i testläge och förseglat med ett testcertifikat. Dokumentet har ingen rättslig verkan.',
  testWatermark: 'TEST',
  pageOf: (page, pages) => `Sida ${page} av ${pages}`,
  time: ({ year, month, day, hour, minute, second }) =>
    `${day} ${MONTHS.split(' ')[month]} ${year} kl. ${hour}:${minute}:${second} UTC`,
};

export const EVIDENCE: en.EvidenceTexts = {
  kind: 'Bevis om underskrift',
  created: 'Skapad',
  level: SEAL_LEVEL,
  anchorNote: (event) => `Hashvärdet för händelse ${event}, den sista i listan.`,
  signatures: 'Underskrifter',
  consentGiven: 'Det här är texten som undertecknarna har samtyckt till.',
  events: 'Händelser',
  eventsNote:
    'Alla händelser i förfrågan till och med den sista underskriften. Varje hashvärde omfattar händelsen och hashvärdet före den: en ändrad, tillagd eller borttagen händelse skulle ändra ankaret.',
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
    'Den här filen: den bär liksom dokumentet en elektronisk stämpel med tidsstämpel (PAdES). En valideringstjänst för underskrifter, eller ett PDF-program som kontrollerar underskrifter, visar om den har ändrats.',
  verifyEvents: (attachment) =>
    `Händelserna: den bifogade filen ${attachment} innehåller deras värden. Med dem kan varje hashvärde beräknas, fram till ankaret.`,
  attachment: 'Händelserna med sina värden, för att beräkna hashvärdena på nytt',
};

export const AUDIT: en.AuditTexts = {
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
      'Varje händelse bär SHA-256-hashvärdet för den föregående. Slutvärdet är hashvärdet för den sista: det ändras om någon händelse ändras, tas bort eller flyttas.',
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
