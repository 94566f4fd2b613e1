/** Every word of the signature page. A key that a language lacks does not compile. */
export interface PageTexts {
  readonly kind: string;
  readonly document: string;
  readonly fingerprint: string;
  readonly fingerprintNote: string;
  readonly requestId: string;
  readonly signatures: (count: number) => string;
  readonly email: string;
  readonly signedAt: string;
  readonly proof: string;
  readonly proofByLinkAndCode: string;
  readonly ipAddress: string;
  readonly notRecorded: string;
  readonly onBehalfOf: (entity: string) => string;
  readonly inTheRoleOf: (role: string) => string;
  readonly entityId: (id: string) => string;
  readonly statement: string;
  readonly replacedCharacters: string;
  readonly test: string;
  readonly testWatermark: string;
  readonly pageOf: (page: number, pages: number) => string;
  readonly time: (time: UtcTime) => string;
}

/** The parts of a moment in UTC; `month` is 0 to 11, the parts of the clock have two digits. */
export interface UtcTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: string;
  readonly minute: string;
  readonly second: string;
}

const MONTHS = {
  en: 'January February March April May June July August September October November December',
  fi: 'tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta',
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  de: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
} as const;

const monthName = (language: keyof typeof MONTHS, month: number) => MONTHS[language].split(' ')[month] ?? '';

const en: PageTexts = {
  kind: 'Signature page',
  document: 'Document',
  fingerprint: 'Fingerprint',
  fingerprintNote: 'SHA-256 of the original document, without this page',
  requestId: 'Request',
  signatures: (count) => (count === 1 ? '1 signature' : `${count} signatures`),
  email: 'E-mail',
  signedAt: 'Signed',
  proof: 'Verified by',
  proofByLinkAndCode: 'E-mailed link and one-time code',
  ipAddress: 'IP address',
  notRecorded: 'not recorded',
  onBehalfOf: (entity) => `on behalf of ${entity}`,
  inTheRoleOf: (role) => `as ${role}`,
  entityId: (id) => `ID ${id}`,
  statement:
    'Each signer named on this page signed the document with a simple electronic signature within the meaning of ' +
    'Article 3(10) of Regulation (EU) No 910/2014 (eIDAS). This page was added once everyone had signed. The ' +
    'signing service then closed the file with an electronic seal (PAdES B-T) that carries a time stamp (RFC 3161). ' +
    'The seal covers the whole file, this page included: any later change to it can be detected with a PDF reader ' +
    'or a signature validator.',
  replacedCharacters:
    'Characters in brackets (U+…) are Unicode code points of a script that this page cannot display. The exact ' +
    'text can be copied from this page and is kept in the audit record.',
  test: 'Test – signed in test mode and sealed with a test certificate. This document has no legal effect.',
  testWatermark: 'TEST',
  pageOf: (page, pages) => `Page ${page} of ${pages}`,
  time: ({ year, month, day, hour, minute, second }) =>
    `${day} ${monthName('en', month)} ${year}, ${hour}:${minute}:${second} UTC`,
};

const fi: PageTexts = {
  kind: 'Allekirjoitussivu',
  document: 'Asiakirja',
  fingerprint: 'Tiiviste',
  fingerprintNote: 'Alkuperäisen asiakirjan SHA-256-tiiviste ilman tätä sivua',
  requestId: 'Pyyntö',
  signatures: (count) => (count === 1 ? '1 allekirjoitus' : `${count} allekirjoitusta`),
  email: 'Sähköposti',
  signedAt: 'Allekirjoitettu',
  proof: 'Todennus',
  proofByLinkAndCode: 'Sähköpostilinkki ja kertakäyttökoodi',
  ipAddress: 'IP-osoite',
  notRecorded: 'ei tiedossa',
  onBehalfOf: (entity) => `edustaa: ${entity}`,
  inTheRoleOf: (role) => `asema: ${role}`,
  entityId: (id) => `tunnus ${id}`,
  statement:
    'Kukin tällä sivulla mainittu henkilö on allekirjoittanut asiakirjan yksinkertaisella sähköisellä allekirjoituksella ' +
    '(Euroopan parlamentin ja neuvoston asetus (EU) N:o 910/2014, eIDAS, 3 artiklan 10 kohta). Tämä sivu on lisätty, ' +
    'kun kaikki olivat allekirjoittaneet. Allekirjoituspalvelu on sen jälkeen sinetöinyt tiedoston sähköisellä leimalla ' +
    '(PAdES B-T), johon sisältyy aikaleima (RFC 3161). Leima kattaa koko tiedoston, myös tämän sivun: kaikki ' +
    'myöhemmät muutokset voidaan havaita PDF-lukijalla tai allekirjoitusten tarkistusohjelmalla.',
  replacedCharacters:
    'Hakasulkeissa olevat merkinnät (U+…) ovat Unicode-koodeja merkeille, joita tällä sivulla ei voida näyttää. ' +
    'Tarkan tekstin voi kopioida tältä sivulta, ja se on tallennettu tapahtumalokiin.',
  test: 'Testi – allekirjoitettu testitilassa ja sinetöity testivarmenteella. Asiakirjalla ei ole oikeusvaikutuksia.',
  testWatermark: 'TESTI',
  pageOf: (page, pages) => `Sivu ${page}/${pages}`,
  time: ({ year, month, day, hour, minute, second }) =>
    `${day}. ${monthName('fi', month)} ${year} klo ${hour}.${minute}.${second} UTC`,
};

const fr: PageTexts = {
  kind: 'Page de signatures',
  document: 'Document',
  fingerprint: 'Empreinte',
  fingerprintNote: 'SHA-256 du document original, sans la présente page',
  requestId: 'Demande',
  signatures: (count) => (count === 1 ? '1 signature' : `${count} signatures`),
  email: 'E-mail',
  signedAt: 'Signé le',
  proof: 'Authentifié par',
  proofByLinkAndCode: 'Lien par e-mail et code à usage unique',
  ipAddress: 'Adresse IP',
  notRecorded: 'non enregistrée',
  onBehalfOf: (entity) => `pour le compte de ${entity}`,
  inTheRoleOf: (role) => `en qualité de ${role}`,
  entityId: (id) => `ID ${id}`,
  statement:
    'Chaque personne mentionnée sur cette page a signé le document au moyen d’une signature électronique simple au ' +
    'sens de l’article 3, point 10, du règlement (UE) nº 910/2014 (eIDAS). Cette page a été ajoutée une fois toutes ' +
    'les signatures recueillies. Le service de signature a ensuite apposé sur le fichier un cachet électronique ' +
    '(PAdES B-T) assorti d’un horodatage (RFC 3161). Le cachet couvre l’ensemble du fichier, y compris cette page : ' +
    'toute modification ultérieure peut être détectée à l’aide d’un lecteur PDF ou d’un validateur de signatures.',
  replacedCharacters:
    'Les indications entre crochets (U+…) sont les codes Unicode de caractères que cette page ne peut pas afficher. ' +
    'Le texte exact peut être copié depuis cette page et est conservé dans la piste d’audit.',
  test: 'Test – signé en mode test et scellé avec un certificat de test. Ce document est dépourvu de valeur juridique.',
  testWatermark: 'TEST',
  pageOf: (page, pages) => `Page ${page} sur ${pages}`,
  time: ({ year, month, day, hour, minute, second }) =>
    `${day === 1 ? '1er' : day} ${monthName('fr', month)} ${year} à ${hour}:${minute}:${second} UTC`,
};

const de: PageTexts = {
  kind: 'Unterschriftenseite',
  document: 'Dokument',
  fingerprint: 'Prüfsumme',
  fingerprintNote: 'SHA-256 des Originaldokuments ohne diese Seite',
  requestId: 'Vorgang',
  signatures: (count) => (count === 1 ? '1 Unterschrift' : `${count} Unterschriften`),
  email: 'E-Mail',
  signedAt: 'Unterschrieben',
  proof: 'Bestätigt durch',
  proofByLinkAndCode: 'Link per E-Mail und Einmalcode',
  ipAddress: 'IP-Adresse',
  notRecorded: 'nicht erfasst',
  onBehalfOf: (entity) => `für ${entity}`,
  inTheRoleOf: (role) => `als ${role}`,
  entityId: (id) => `Kennung ${id}`,
  statement:
    'Jede auf dieser Seite genannte Person hat das Dokument mit einer einfachen elektronischen Signatur im Sinne von ' +
    'Artikel 3 Nummer 10 der Verordnung (EU) Nr. 910/2014 (eIDAS) unterschrieben. Diese Seite wurde hinzugefügt, ' +
    'nachdem alle unterschrieben hatten. Anschließend hat der Signaturdienst die Datei mit einem elektronischen Siegel ' +
    '(PAdES B-T) samt Zeitstempel (RFC 3161) verschlossen. Das Siegel umfasst die gesamte Datei einschließlich dieser ' +
    'Seite: Jede spätere Änderung lässt sich mit einem PDF-Programm oder einem Signaturprüfdienst erkennen.',
  replacedCharacters:
    'Angaben in eckigen Klammern (U+…) sind Unicode-Nummern von Zeichen, die auf dieser Seite nicht dargestellt werden ' +
    'können. Der genaue Text lässt sich von dieser Seite kopieren und ist im Prüfprotokoll gespeichert.',
  test: 'Test – im Testmodus unterschrieben und mit einem Testzertifikat gesiegelt. Dieses Dokument ist rechtlich unwirksam.',
  testWatermark: 'TEST',
  pageOf: (page, pages) => `Seite ${page} von ${pages}`,
  time: ({ year, month, day, hour, minute, second }) =>
    `${day}. ${monthName('de', month)} ${year}, ${hour}:${minute}:${second} Uhr UTC`,
};

export const TEXTS = { en, fi, fr, de } as const;

export type PageLanguage = keyof typeof TEXTS;

export function utcTime(iso: string): UtcTime {
  const time = new Date(iso);
  const twoDigits = (part: number) => String(part).padStart(2, '0');
  return {
    year: time.getUTCFullYear(),
    month: time.getUTCMonth(),
    day: time.getUTCDate(),
    hour: twoDigits(time.getUTCHours()),
    minute: twoDigits(time.getUTCMinutes()),
    second: twoDigits(time.getUTCSeconds()),
  };
}
