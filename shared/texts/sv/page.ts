import type { InsteadTexts, LanguageTexts, LevelTexts, PageTexts, VerifyTexts } from '../en/page.ts';

const tries = (n: number) => `${n} försök`;

export const LANGUAGE: LanguageTexts = { label: 'Språk', name: 'Svenska' };

export const INSTEAD: InsteadTexts = {
  notLoaded:
    'Sidan har inte laddats än. Om den inte visas kontrollerar du anslutningen och laddar om sidan, eller öppnar länken i en nyare webbläsare.',
  noScript: {
    sign: 'Den här sidan behöver JavaScript för att visa dokumentet och ta emot din underskrift. Slå på det för sidan eller öppna länken i en annan webbläsare.',
    verify:
      'Den här sidan behöver JavaScript för att kontrollera filen på din enhet. Slå på det för sidan eller använd en annan webbläsare.',
    app: 'Den här sidan behöver JavaScript. Tillåt det på sidan eller använd en annan webbläsare.',
  },
};

export const PAGE: PageTexts = {
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
export const SEAL_LEVEL: LevelTexts = {
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

export const VERIFY: VerifyTexts = {
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
      text: 'Inget har visat sig vara fel, men allt kunde inte kontrolleras.',
    },
    red: { heading: 'Lita inte på den här filen', text: 'Något är fel med den.' },
  },
  ofSignature: (number) => `Underskrift ${number}:`,
  findings: {
    not_a_pdf: 'Filen är inte en PDF-fil.',
    damaged: 'Filen är skadad: dess uppbyggnad kan inte läsas.',
    not_signed:
      'PDF-filen har ingen elektronisk underskrift. Den kan vara en kopia som har skrivits ut eller sparats på nytt.',
    altered: 'Filen är inte den som undertecknades: innehållet har ändrats.',
    signature_wrong: 'Underskriften är ogiltig: dess delar hör inte ihop.',
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
      'Bevisfilen gäller det här dokumentet och är förseglad med samma certifikat, och dess händelser är fullständiga.',
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
