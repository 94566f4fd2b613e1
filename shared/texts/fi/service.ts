import type { AuditTexts, EvidenceTexts, MailTexts, PdfTexts } from '../en/service.ts';
import { SEAL_LEVEL } from './page.ts';

export const MAIL: MailTexts = {
  colon: ':',
  greeting: (name) => (name ? `Hei ${name},` : 'Hei,'),
  testMark: 'TESTI',
  testNotice:
    'TESTI: tämä pyyntö on tehty palvelun kokeilemista varten. Sen allekirjoittamisella ei ole oikeudellista vaikutusta.',
  document: 'Asiakirja',
  messageFrom: (sender) => `Viesti lähettäjältä: ${sender}`,
  code: 'Pääsykoodisi',
  codeValidity: (minutes, until) => `Voimassa ${minutes} minuuttia. Voimassaolo päättyy ${until}.`,
  codeEnded: 'Onko koodi jo vanhentunut? Avaa sivu silti: voit pyytää siellä uuden koodin.',
  codeOnThePage:
    'Tarvitset jatkaaksesi pääsykoodin. Pyydä se sivulla, niin se lähetetään tähän osoitteeseen.',
  signUntil: (date) => `Allekirjoitusaika päättyy ${date}.`,
  keptUntil: (date) => `Asiakirjan latausaika päättyy ${date}. Tallenna itsellesi kopio sitä ennen.`,
  linkBelow: 'Tai avaa tämä osoite selaimessa:',
  links: { imprintUrl: 'Julkaisija', privacyUrl: 'Tietosuoja', supportUrl: 'Tuki' },
  footer: (sender) => `Viestin lähetti Signature requests \u2011palvelu. Pyynnön lähettäjä: ${sender}.`,
  unexpected: {
    request:
      'Etkö odottanut tätä viestiä? Voit jättää sen huomiotta: mitään ei allekirjoiteta, ellet tee sitä itse sivulla. Älä välitä viestiä eteenpäin, sillä linkki ja koodi on tarkoitettu vain sinulle.',
    reminder:
      'Etkö odottanut tätä viestiä? Voit jättää sen huomiotta: mitään ei allekirjoiteta, ellet tee sitä itse sivulla. Älä välitä viestiä eteenpäin, sillä linkki on tarkoitettu vain sinulle.',
    code: 'Etkö pyytänyt koodia? Voit jättää viestin huomiotta: ilman koodia kukaan ei voi nähdä asiakirjaa eikä allekirjoittaa sitä. Älä anna koodia kenellekään.',
    sealed:
      'Saat tämän viestin, koska allekirjoitit asiakirjan. Älä välitä viestiä eteenpäin, sillä linkki on tarkoitettu vain sinulle.',
    notice: 'Sait tämän viestin, koska sinua pyydettiin allekirjoittamaan asiakirja.',
    senderNotice: (requestId) =>
      `Sait tämän viestin, koska allekirjoituspyyntöjen ilmoitukset lähetetään tähän osoitteeseen. Pyyntö: ${requestId}`,
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
  },
  code_on_request: {
    subject: (_sender, title) => `Pääsykoodisi: ”${title}”`,
    intro: () => 'Tässä on pyytämäsi pääsykoodi. Aiemmat koodit eivät enää toimi.',
    button: 'Takaisin asiakirjaan',
  },
  reminder: {
    subject: (sender, title) => `Muistutus: ${sender} pyytää sinua allekirjoittamaan: ”${title}”`,
    intro: (sender) => `${sender} odottaa vielä allekirjoitustasi asiakirjaan.`,
  },
  sealed: {
    subject: (_sender, title) => `Allekirjoitettu ja sinetöity: ”${title}”`,
    intro: (sender) =>
      `Kaikki ovat allekirjoittaneet asiakirjan, jonka lähettäjä on ${sender}. Asiakirja on sinetöity, joten myöhemmät muutokset voidaan havaita.`,
    button: 'Hae sinetöity asiakirja',
  },
  signers: (n) => (n === 1 ? 'Allekirjoittaja' : 'Allekirjoittajat'),
  declineReason: 'Syy',
  openRequest: 'Avaa pyyntö',
  signerNotices: {
    cancelled: {
      subject: (_sender, title) => `Peruttu: ”${title}”`,
      intro: (sender) =>
        `${sender} on perunut tämän asiakirjan allekirjoituspyynnön. Sinun ei tarvitse tehdä mitään.`,
    },
    declined: {
      subject: (_sender, title) => `Päättynyt tuloksetta: ”${title}”`,
      intro: (sender) =>
        `Toinen henkilö on kieltäytynyt allekirjoittamasta asiakirjaa, jonka lähetti ${sender}, joten pyyntö on päättynyt kaikkien osalta. Sinun ei tarvitse tehdä mitään.`,
    },
    expired: {
      subject: (_sender, title) => `Vanhentunut: ”${title}”`,
      intro: (sender) =>
        `Allekirjoitusaika on päättynyt, eivätkä kaikki ole allekirjoittaneet asiakirjaa, jonka lähetti ${sender}. Sinun ei tarvitse tehdä mitään.`,
    },
  },
  senderNotices: {
    completed: {
      subject: (_sender, title) => `Valmis: ”${title}”`,
      intro: () => 'Kaikki ovat allekirjoittaneet asiakirjan, ja se on sinetöity.',
    },
    declined: {
      subject: (_sender, title) => `Allekirjoittaja kieltäytyi: ”${title}”`,
      intro: () =>
        'Yksi allekirjoittajista on kieltäytynyt allekirjoittamasta asiakirjaa, joten pyyntö on päättynyt kaikkien osalta.',
    },
    expired: {
      subject: (_sender, title) => `Määräaika päättynyt: ”${title}”`,
      intro: () =>
        'Asiakirjan allekirjoitusaika on päättynyt, eivätkä kaikki ole allekirjoittaneet. Pyyntö on päättynyt.',
    },
    mail_failed: {
      subject: (_sender, title) => `Sähköpostia ei voitu lähettää: ”${title}”`,
      intro: () => 'Asiakirjaa koskevaa sähköpostia ei voitu lähettää.',
      next: (n) =>
        n === 1
          ? 'Tarkista osoite ja ota tarvittaessa henkilöön yhteyttä muulla tavalla.'
          : 'Tarkista osoitteet ja ota tarvittaessa näihin henkilöihin yhteyttä muulla tavalla.',
    },
    mail_bounced: {
      subject: (_sender, title) => `Sähköposti palautui: ”${title}”`,
      intro: () => 'Asiakirjaa koskevaa sähköpostia ei voitu toimittaa perille, ja se palautui.',
      next: 'Tarkista osoite ja ota tarvittaessa henkilöön yhteyttä muulla tavalla. Tähän osoitteeseen ei lähetetä muistutuksia, ennen kuin lähetät kutsun uudelleen.',
    },
    mail_complained: {
      subject: (_sender, title) => `Sähköposti ilmoitettiin roskapostiksi: ”${title}”`,
      intro: () => 'Asiakirjaa koskeva sähköposti ilmoitettiin vastaanottajan puolella roskapostiksi.',
      next: 'Ota henkilöön yhteyttä, ennen kuin lähetät kutsun uudelleen. Siihen asti tähän osoitteeseen ei lähetetä muistutuksia.',
    },
    code_entry_ended: {
      subject: (_sender, title) => `Allekirjoittaja tarvitsee uuden kutsun: ”${title}”`,
      intro: () =>
        'Allekirjoittajan linkillä kokeiltiin tai pyydettiin liian monta pääsykoodia. Asiakirjan suojaamiseksi linkillä ei voi enää pyytää koodeja.',
      next: 'Varmista, että linkki on oikealla henkilöllä, ja lähetä kutsu uudelleen. Sen jälkeen linkki toimii kuten ennen.',
    },
    sealing_failed: {
      subject: (_sender, title) => `Sinetöinti epäonnistui: ”${title}”`,
      intro: () => 'Kaikki ovat allekirjoittaneet asiakirjan, mutta sitä ei voitu sinetöidä.',
      next: 'Kaikki allekirjoitukset on kirjattu. Palvelun ylläpito on saanut hälytyksen ja selvittää asiaa. Sinun ei tarvitse toistaiseksi tehdä mitään.',
    },
  },
  account: {
    signIn: {
      subject: 'Kirjautumiskoodisi',
      intro: 'Tässä on koodi, jolla kirjaudut sisään. Syötä se samassa selaimessa, jossa pyysit sen.',
      code: 'Kirjautumiskoodi',
      unexpected:
        'Etkö pyytänyt koodia? Voit jättää viestin huomiotta: koodi toimii vain siinä selaimessa, jossa se on pyydetty. Älä anna koodia kenellekään.',
    },
    newMember: {
      subject: (organization) => `${organization} on antanut sinulle käyttöoikeuden`,
      intro: (organization) =>
        `${organization} on lisännyt sinut jäseneksi. Voit nyt käsitellä sen allekirjoituspyyntöjä.`,
      button: 'Kirjaudu sisään',
      howTo: 'Salasanaa ei ole: kirjaudut tällä sähköpostiosoitteella, johon lähetetään joka kerta koodi.',
      unexpected:
        'Etkö odottanut tätä viestiä? Voit jättää sen huomiotta: mitään ei tapahdu, ellet kirjaudu sisään.',
    },
  },
};

export const CONSENT =
  'Suostun allekirjoittamaan tämän asiakirjan sähköisesti. Allekirjoittamalla vahvistan, että olen lukenut asiakirjan, että tarkoitukseni on allekirjoittaa se ja että hyväksyn sen sähköisessä muodossa. Allekirjoitukseni on yksinkertainen sähköinen allekirjoitus. Siitä tallennetaan todisteeksi nimeni, sähköpostiosoitteeni, ajankohta, IP-osoitteeni ja selaimeni tiedot. Lähettäjä näkee nämä tiedot, ja osa niistä näkyy allekirjoitetussa asiakirjassa.';

const MONTHS =
  'tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta';

export const PDF: PdfTexts = {
  colon: ':',
  kind: 'Allekirjoitussivu',
  document: 'Asiakirja',
  fingerprint: 'Tiiviste',
  fingerprintNote: 'Alkuperäisen asiakirjan SHA-256-tiiviste ilman tätä sivua',
  requestId: 'Pyyntö',
  sender: 'Lähettäjä',
  anchor: 'Ankkuri',
  anchorNote: (event) =>
    `Tapahtumalokin tapahtuman ${event} tiiviste. Se kattaa kaikki tapahtumat viimeiseen allekirjoitukseen asti.`,
  verifyAt: (address) => `Tarkista asiakirja ja sen sinetti osoitteessa ${address}.`,
  signatures: (count) => (count === 1 ? '1 allekirjoitus' : `${count} allekirjoitusta`),
  email: 'Sähköposti',
  signedAt: 'Allekirjoitettu',
  firstViewed: 'Ensikatselu',
  proof: 'Todennus',
  proofByLinkAndCode: 'Linkki ja sähköpostiin lähetetty kertakäyttökoodi',
  ipAddress: 'IP-osoite',
  notRecorded: 'ei tallennettu',
  consent: 'Suostumus',
  consentOf: (language, version) => `${language}, versio ${version}`,
  onBehalfOf: (entity) => `edustaa: ${entity}`,
  inTheRoleOf: (role) => `asema: ${role}`,
  entityId: (id) => `tunnus ${id}`,
  statement:
    'Kukin tällä sivulla mainittu allekirjoittaja on allekirjoittanut asiakirjan yksinkertaisella sähköisellä allekirjoituksella ' +
    '(Euroopan parlamentin ja neuvoston asetus (EU) N:o 910/2014, eIDAS, 3 artiklan 10 kohta). Tämä sivu on lisätty, ' +
    'kun kaikki olivat allekirjoittaneet. Allekirjoituspalvelu on sen jälkeen sinetöinyt tiedoston sähköisellä leimalla ' +
    '(PAdES), johon sisältyy aikaleima (RFC 3161). Leima kattaa koko tiedoston, myös tämän sivun: kaikki ' +
    'myöhemmät muutokset voidaan havaita PDF-lukijalla tai allekirjoitusten tarkistusohjelmalla.',
  replacedCharacters:
    'Hakasulkeissa olevat merkinnät (U+…) ovat Unicode-koodeja merkeille, joita tällä sivulla ei voida näyttää. ' +
    'Tarkan tekstin voi kopioida tältä sivulta, ja se on tallennettu tapahtumalokiin.',
  test: 'Testi – allekirjoitettu testitilassa ja sinetöity testivarmenteella. Asiakirjalla ei ole oikeusvaikutuksia.',
  testWatermark: 'TESTI',
  pageOf: (page, pages) => `Sivu ${page}/${pages}`,
  time: ({ year, month, day, hour, minute, second }) =>
    `${day}. ${MONTHS.split(' ')[month]} ${year} klo ${hour}.${minute}.${second} UTC`,
};

export const EVIDENCE: EvidenceTexts = {
  kind: 'Allekirjoitustodiste',
  created: 'Luotu',
  level: SEAL_LEVEL,
  anchorNote: (event) => `Tapahtuman ${event} tiiviste. Tapahtuma on tämän luettelon viimeinen.`,
  signatures: 'Allekirjoitukset',
  consentGiven: 'Tämän tekstin allekirjoittajat hyväksyivät.',
  events: 'Tapahtumat',
  eventsNote:
    'Kaikki pyynnön tapahtumat viimeiseen allekirjoitukseen asti. Jokainen tiiviste kattaa tapahtuman ja edellisen ' +
    'tiivisteen: muutettu, lisätty tai poistettu tapahtuma muuttaisi ankkurin.',
  columns: { time: 'Aika (UTC)', event: 'Tapahtuma', by: 'Tekijä', hash: 'SHA-256' },
  actors: { client: 'Lähettäjä', signer: 'Allekirjoittaja', service: 'Palvelu', operator: 'Ylläpito' },
  eventTypes: {
    request_created: 'Pyyntö luotu',
    invitation_sent: 'Kutsu lähetetty',
    invitation_failed: 'Kutsun lähetys epäonnistui',
    link_opened: 'Allekirjoituslinkki avattu',
    code_sent: 'Kertakäyttökoodi lähetetty',
    code_rotated: 'Kertakäyttökoodi vaihdettu',
    signer_corrected: 'Allekirjoittajan tiedot korjattu',
    code_failed: 'Kertakäyttökoodin lähetys epäonnistui',
    code_wrong: 'Väärä kertakäyttökoodi syötetty',
    link_locked: 'Lukittu liian monen väärän koodin vuoksi',
    code_entry_ended: 'Koodien syöttö päättynyt',
    code_verified: 'Kertakäyttökoodi vahvistettu',
    document_viewed: 'Asiakirja näytetty allekirjoittajalle',
    signer_signed: 'Allekirjoitettu',
    signer_declined: 'Kieltäytyi allekirjoittamasta',
    request_cancelled: 'Pyyntö peruttu',
    invitation_resent: 'Kutsu lähetetty uudelleen',
    invitation_resend_failed: 'Kutsun uudelleenlähetys epäonnistui',
    reminder_sent: 'Muistutus lähetetty',
    reminder_failed: 'Muistutuksen lähetys epäonnistui',
    seal_queued: 'Sinetöintiä pyydetty',
    document_sealed: 'Asiakirja sinetöity',
    seal_failed: 'Sinetöintiyritys epäonnistui',
    sealed_notice_sent: 'Valmistumisilmoitus lähetetty',
    sealed_notice_failed: 'Valmistumisilmoituksen lähetys epäonnistui',
    signer_notice_sent: 'Ilmoitus allekirjoittajalle lähetetty',
    signer_notice_failed: 'Ilmoituksen lähetys allekirjoittajalle epäonnistui',
    sender_notice_sent: 'Ilmoitus lähettäjälle lähetetty',
    sender_notice_failed: 'Ilmoituksen lähetys lähettäjälle epäonnistui',
    mail_bounced: 'Sähköpostia ei voitu toimittaa perille',
    mail_complained: 'Sähköposti ilmoitettu roskapostiksi',
    document_downloaded: 'Sinetöity asiakirja ladattu',
    webhook_delivered: 'Webhook toimitettu',
    webhook_failed: 'Webhookin toimitus epäonnistui',
    request_expired: 'Pyyntö vanhentunut',
    document_deletion_requested: 'Asiakirjan poistoa pyydetty',
    document_purged: 'Asiakirja poistettu',
    retention_changed: 'Säilytysaika muutettu',
    archive_renewed: 'Arkistoitujen tiedostojen aikaleimat uusittu',
    person_erased: 'Allekirjoittajan henkilötiedot poistettu',
  },
  verify: 'Näin tarkistat',
  verifyDocument: (address) =>
    `Sinetöity asiakirja: sen SHA-256-tiivisteen on oltava yllä oleva. ${address} laskee sen ja tarkistaa sinetin ja aikaleiman.`,
  verifyFile:
    'Tämä tiedosto: siinä on asiakirjan tavoin sähköinen leima ja aikaleima (PAdES). Mikä tahansa PDF-ohjelma tai ' +
    'allekirjoitusten tarkistuspalvelu näyttää, onko sitä muutettu.',
  verifyEvents: (attachment) =>
    `Tapahtumat: liitetiedosto ${attachment} sisältää niiden arvot. Niistä voi laskea jokaisen tiivisteen ankkuriin asti.`,
  attachment: 'Tapahtumat arvoineen, tiivisteiden laskemiseksi uudelleen',
};

export const AUDIT: AuditTexts = {
  kind: 'Tapahtumaloki',
  foot: (id) => `Pyyntö ${id} · tiedoksi, ei allekirjoitettu`,
  notSigned: 'Tämä tapahtumaloki on tiedoksi, eikä sitä ole allekirjoitettu.',
  sealIsEvidence: 'Oikeudellisena todisteena on sinetöity asiakirja.',
  filesAreEvidence: 'Oikeudellisena todisteena ovat sinetöity asiakirja ja sen sinetöity todistetiedosto.',
  asOf: (time) => `Se näyttää pyynnön tilan ${time}.`,
  testMark: 'Testi – tehty testitilassa, ilman oikeusvaikutusta. Testipyynnöt sinetöidään testivarmenteella.',
  sections: {
    signers: 'Allekirjoittajat',
    seal: 'Sinetti',
    integrity: 'Tämän lokin eheys',
    webhooks: 'Liite: webhook-toimitukset',
  },
  statuses: {
    pending: 'Odottaa: yhtään kutsua ei ole vielä voitu lähettää',
    sent: 'Lähetetty',
    opened: 'Avattu',
    signed: 'Allekirjoitettu ja sinetöity',
    cancelled: 'Peruttu',
    declined: 'Kieltäydytty',
    expired: 'Vanhentunut',
    awaiting_stamp: 'Kaikki allekirjoittaneet, odottaa sinettiä',
    stamp_failed: 'Kaikki allekirjoittaneet, sinetöinti epäonnistui',
  },
  signerStatuses: {
    pending: 'Odottaa',
    sent: 'Kutsuttu',
    opened: 'Avannut',
    signed: 'Allekirjoittanut',
    declined: 'Kieltäytynyt',
    invalidated: 'Mitätöity',
  },
  request: {
    id: 'Pyynnön tunnus',
    status: 'Tila',
    createdVia: 'Luontitapa',
    viaDashboard: 'Hallintasivu',
    sent: 'Kutsut lähetetty',
    opened: 'Avattu ensi kerran',
    message: 'Viesti',
  },
  document: {
    size: 'Koko',
    bytes: (exact) => (exact === '1' ? '1 tavu' : `${exact} tavua`),
    moreAttachments: (n) => (n === 1 ? 'ja 1 muu' : `ja ${n} muuta`),
    unnamed: 'nimetön',
    original: 'Alkuperäinen, SHA-256',
    deleted: 'Poistettu',
    noSignaturePage:
      'Ei ole. Asiakirjassa oli jo allekirjoituksia, jotka lisätty sivu olisi tehnyt kyseenalaisiksi.',
    evidenceNamesSigners: 'Allekirjoittajat nimetään todistetiedostossa.',
  },
  seal: {
    format: 'Muoto',
    formatName: (level) => `PAdES ${level} (ETSI EN 319 142-1) ja aikaleima (RFC 3161)`,
    file: 'Sinetöity tiedosto',
    pagesAdded: (pages) =>
      pages === 0 ? 'sivuja ei lisätty' : pages === 1 ? '1 sivu lisätty' : `${pages} sivua lisätty`,
  },
  signaturesNote:
    'Ne näytetään tässä, koska asiakirjassa oli jo allekirjoituksia eikä siihen siksi lisätty allekirjoitussivua.',
  signer: {
    times: 'Tila ja ajat (UTC)',
    origin: 'IP-osoite ja selain',
    invitedAs: (name) => `Kutsuttu nimellä ${name}`,
    sent: 'Kutsuttu',
    viewed: 'Katsottu',
    reason: (reason) => `Syy: ${reason}`,
    erased: 'Poistettu henkilö',
    typed: 'Kirjoitettu allekirjoitus',
    drawn: 'Piirretty allekirjoitus',
  },
  event: {
    forSigner: (name) => `Kohde: ${name}`,
    inAppendix: 'Webhook-toimitukset numeroidaan samassa järjestyksessä, ja ne ovat liitteessä.',
    leftOut: (count) =>
      `${count === 1 ? 'Tästä on jätetty pois 1 merkintä' : `Tästä on jätetty pois ${count} merkintää`}. Rajapinta luettelee ne kaikki: GET /api/v1/signatures/{id}/events.`,
  },
  yes: 'kyllä',
  no: 'ei',
  chain: {
    head: 'Ketjun pää',
    chain: 'Ketju',
    intact: (events) =>
      `Ehjä: ${events === 1 ? '1 tapahtuma' : `${events} tapahtumaa`}, tarkistettu tätä tiedostoa tehtäessä`,
    broken: (event) => `KATKENNUT tapahtumassa ${event}: tapahtumien tiivisteet eivät vastaa ketjun päätä`,
    howToRead: 'Lukuohje',
    meaning:
      'Jokaisessa tapahtumassa on edellisen SHA-256-tiiviste. Pää on viimeisen tiiviste: se muuttuu, jos jotakin ' +
      'tapahtumaa muutetaan, poistetaan tai siirretään.',
    characters: 'Merkit',
  },
  details: {
    title: 'Otsikko',
    reference: 'Viite',
    filename: 'Tiedoston nimi',
    document_size: 'Koko tavuina',
    page_count: 'Sivuja',
    already_signed: 'Sisälsi jo allekirjoituksia',
    attachments: 'Liitetiedostot',
    return_url: 'Paluuosoite',
    document_sha256: 'Asiakirja, SHA-256',
    message_sha256: 'Viesti, SHA-256',
    metadata_sha256: 'Metatiedot, SHA-256',
    sender: 'Lähettäjä',
    sender_type: 'Lähettäjän laji',
    sender_id: 'Lähettäjän tunnus',
    created_by: 'Luonut',
    user_id: 'Käyttäjän tunniste',
    mode: 'Toimintatila',
    expires_at: 'Vanhenee',
    signers: 'Allekirjoittajia',
    invited: 'Kutsutut',
    name: 'Nimi',
    email: 'Sähköposti',
    representing: 'Edustaa',
    role: 'Asema',
    entity_id: 'Tunnus',
    locale: 'Kieli',
    position: 'Sija',
    signer_id: 'Allekirjoittajan tunnus',
    signature_type: 'Allekirjoituksen laji',
    signature_style: 'Allekirjoituksen kirjasin',
    text: 'Kirjoitettu teksti',
    drawing_sha256: 'Piirros, SHA-256',
    consent_version: 'Suostumuksen versio',
    consent_locale: 'Suostumuksen kieli',
    document_hash: 'Sinetöity asiakirja, SHA-256',
    evidence_hash: 'Todistetiedosto, SHA-256',
    pages_added: 'Lisättyjä sivuja',
    sealed_at: 'Sinetöity',
    sealed_size: 'Sinetöidyn tiedoston koko tavuina',
    subject: 'Varmenteen haltija',
    issuer: 'Varmenteen myöntäjä',
    serial: 'Varmenteen numero',
    notBefore: 'Voimassaolo alkaa',
    notAfter: 'Voimassaolo päättyy',
    algorithm: 'Algoritmi',
    level: 'Sinetin taso',
    timestampAuthority: 'Aikaleimapalvelu',
    timestampTime: 'Aikaleiman aika',
    timestampSerial: 'Aikaleiman numero',
    timestampPolicy: 'Aikaleiman käytäntö',
    event_type: 'Tapahtuman laji',
    event_id: 'Tapahtuman tunnus',
    endpoint_id: 'Vastaanottaja',
    http_status: 'HTTP-tila',
    duration_ms: 'Millisekunteja',
    manual: 'Toistettu pyynnöstä',
    attempts_left: 'Yrityksiä jäljellä',
    reason: 'Syy',
    code: 'Virheen syy',
    archive_protected: 'Säilytetään arkistossa',
    renewal: 'Uusimiskerta',
    renewed_document_hash: 'Uusittu asiakirja, SHA-256',
    renewed_evidence_hash: 'Uusittu todistetiedosto, SHA-256',
    holds_until: 'Itsenäinen tarkistettavuus päättyy',
    shown_as: 'Näytetään nimellä',
    notice: 'Ilmoitus',
    mail: 'Viestin laji',
    mail_sent_at: 'Viesti lähetetty',
    error: 'Virhe',
  },
  values: {
    mode: { live: 'tuotanto', test: 'testi' },
    sender_type: { organization: 'organisaatio', user: 'henkilö' },
    signature_type: { typed: 'kirjoitettu', drawn: 'piirretty' },
    signature_style: { italic: 'kursiivi', serif: 'pysty', sans: 'pelkistetty' },
    notice: {
      completed: 'valmis',
      declined: 'kieltäydytty',
      cancelled: 'peruttu',
      expired: 'vanhentunut',
      mail_failed: 'sähköpostia ei voitu lähettää',
      mail_bounced: 'sähköposti palautui',
      mail_complained: 'sähköposti ilmoitettiin roskapostiksi',
      code_entry_ended: 'koodien syöttö päättynyt',
      sealing_failed: 'sinetöinti epäonnistui',
    },
    mail: {
      invitation: 'kutsu',
      resend: 'uudelleen lähetetty kutsu',
      code: 'kertakäyttökoodi',
      reminder: 'muistutus',
      completed: 'valmistumisilmoitus',
      declined: 'ilmoitus: toinen kieltäytyi',
      cancelled: 'ilmoitus: peruttu',
      expired: 'ilmoitus: vanhentunut',
    },
  },
};
