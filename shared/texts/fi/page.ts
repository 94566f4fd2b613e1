import type { InsteadTexts, LanguageTexts, LevelTexts, PageTexts, VerifyTexts } from '../en/page.ts';

const tries = (n: number) => (n === 1 ? '1 yritys' : `${n} yritystä`);

export const LANGUAGE: LanguageTexts = { label: 'Kieli', name: 'Suomi' };

export const INSTEAD: InsteadTexts = {
  notLoaded:
    'Sivu ei ole vielä latautunut. Jos se ei tule näkyviin, tarkista verkkoyhteys ja lataa sivu uudelleen tai avaa linkki uudemmassa selaimessa.',
  noScript: {
    sign: 'Tämä sivu tarvitsee JavaScriptiä asiakirjan näyttämiseen ja allekirjoittamiseen. Salli se tällä sivulla tai avaa linkki toisessa selaimessa.',
    verify:
      'Tämä sivu tarvitsee JavaScriptiä tiedoston tarkistamiseen laitteellasi. Salli se tällä sivulla tai käytä toista selainta.',
    app: 'Tämä sivu tarvitsee JavaScriptiä. Salli se tällä sivulla tai käytä toista selainta.',
  },
};

export const PAGE: PageTexts = {
  brand: {
    imprint: 'Julkaisija',
    privacy: 'Tietosuoja',
    support: 'Tuki',
    by: 'Lähetetty Signature requests \u2011palvelulla',
  },
  opening: 'Linkkiä avataan',
  test: 'Testi: ei oikeudellisesti sitova.',
  progress: (step, of) => `Vaihe ${step}/${of}`,
  steps: ['Vahvista', 'Lue', 'Allekirjoita'],
  optional: 'valinnainen',
  checkFields: (n) => (n === 1 ? 'Yksi kohta on tarkistettava.' : `${n} kohtaa on tarkistettava.`),
  connection: {
    lost: 'Ei yhteyttä. Syöttämäsi tiedot säilyvät, ja yritämme jatkuvasti uudelleen.',
    busy: 'Palvelu on ruuhkautunut. Syöttämäsi tiedot säilyvät, ja yritämme uudelleen minuutin kuluessa.',
    tryNow: 'Yritä nyt',
  },
  trouble: {
    heading: 'Jokin meni vikaan',
    text: 'Vika on meidän päässämme, ei sinun. Yritä uudelleen.',
    again: 'Yritä uudelleen',
    inline: 'Meillä tapahtui virhe. Syöttämäsi tiedot säilyvät. Yritä uudelleen.',
  },
  code: {
    heading: 'Asiakirja odottaa allekirjoitustasi',
    headingSigned: 'Olet allekirjoittanut tämän asiakirjan',
    headingAgain: 'Vahvista vielä kerran, että se olet sinä',
    intro: 'Syötä sähköpostissa saamasi koodi. Sen jälkeen näet asiakirjan ja sen lähettäjän.',
    introSend:
      'Lähetämme kuusinumeroisen koodin siihen sähköpostiosoitteeseen, johon kutsu tuli. Koodilla näet asiakirjan ja sen lähettäjän.',
    introSigned:
      'Vahvista koodilla, että se olet sinä. Sen jälkeen näet tilanteen ja voit ladata oman kappaleesi.',
    sessionEnded:
      'Turvallisuutesi vuoksi pääsy päättyy 30 minuutin kuluttua. Uudella koodilla palaat siihen, mihin jäit. Syöttämäsi tiedot säilyvät.',
    noCookies:
      'Selaimesi ei säilytä evästeitä, joten se ei voi osoittaa, että olet syöttänyt koodin. Salli evästeet tällä sivulla tai avaa linkki toisella selaimella.',
    label: 'Kuusinumeroinen koodi',
    worksUntil: (time) => `Uusimman sähköpostin koodi toimii kello ${time} asti.`,
    submit: 'Jatka',
    checking: 'Tarkistetaan',
    haveCode: 'Minulla on koodi',
    send: 'Lähetä koodi sähköpostiini',
    sendAgain: 'Lähetä uusi koodi sähköpostiini',
    sendAgainIn: (seconds) => `Uuden koodin voi pyytää ${seconds} sekunnin kuluttua`,
    sending: 'Lähetetään',
    sent: 'Koodi on matkalla. Vain uusin koodi toimii.',
    notArrived:
      'Eikö viestiä näy kahden minuutin kuluttua? Katso roskapostikansio, ennen kuin pyydät uuden koodin.',
    wrong: (left) => `Koodi ei ole oikea. Jäljellä ${tries(left)}.`,
    triesLeft: (left) => `Jäljellä ${tries(left)}.`,
    format: 'Syötä kaikki kuusi numeroa.',
    expired: 'Tämä koodi ei enää toimi. Pyydä uusi.',
    tooMany: (time) => `Uuden koodin voi pyytää tästä alkaen: ${time}.`,
    noMore:
      'Uutta koodia ei voida enää lähettää, koska koodeja pyydettiin liian monta. Jos sinulla ei ole uusinta koodia, pyydä lähettäjää lähettämään sinulle linkki uudelleen.',
    emailFailed: 'Sähköpostin lähetys ei onnistunut. Yritä hetken kuluttua uudelleen.',
    busy: 'Koodia ei voitu juuri nyt tarkistaa. Yritä hetken kuluttua uudelleen.',
    lost: 'Yhteys katkesi. Yritä uudelleen.',
    lockedHeading: 'Lukittu toistaiseksi',
    locked: (time) =>
      `Koodeja syötettiin tai pyydettiin liian monta. Asiakirjan suojaamiseksi linkki on lukittu. Lukitus päättyy: ${time}. Sen jälkeen voit pyytää uuden koodin.`,
    lockedCheck: 'Tarkista uudelleen',
    endedHeading: 'Tämä linkki ei enää hyväksy koodeja',
    ended:
      'Koodeja syötettiin tai pyydettiin liian monta. Asiakirjan suojaamiseksi koodit toimivat taas vasta, kun lähettäjä on lähettänyt sinulle linkin uudelleen. Pyydä lähettäjää tekemään niin.',
    about: 'Mikä tämä sivu on?',
    aboutText: [
      'Jokin organisaatio tai henkilö on pyytänyt sinua allekirjoittamaan asiakirjan, ja pyyntö tuli sinulle sähköpostilla tämän palvelun kautta.',
      'Ennen koodin syöttämistä tämä sivu ei kerro kenellekään, mikä asiakirja on tai kuka sinä olet.',
      'Mitään ei allekirjoiteta, ennen kuin olet lukenut asiakirjan ja painanut ”Allekirjoita asiakirja”. Et tarvitse täällä koskaan salasanaa etkä maksa mitään.',
      'Etkö tiedä, mistä on kyse? Sulje silloin vain sivu.',
    ],
  },
  document: {
    heading: 'Lue asiakirja',
    from: (sender) => `Lähettäjä: ${sender}`,
    messageFrom: (sender) => `Viesti lähettäjältä: ${sender}`,
    attachments: (n) => (n === 1 ? '1 liitetiedosto' : `${n} liitetiedostoa`),
    attachmentsNote:
      'Ne ovat PDF-tiedoston sisällä ja sinetöidään sen mukana. Jos haluat lukea ne, lataa asiakirja ja avaa se PDF-ohjelmalla.',
    moreAttachments: (n) => (n === 1 ? 'ja 1 muu' : `ja ${n} muuta`),
    unnamed: 'nimetön',
    to: 'Vastaanottaja',
    file: 'Tiedosto',
    until: 'Allekirjoita viimeistään',
    others: 'Muut allekirjoittajat',
    othersCount: (total, signed) => `${signed}/${total} allekirjoittanut`,
    loading: 'Asiakirjaa ladataan',
    notLoaded: 'Asiakirjan lataaminen ei onnistunut. Yritä uudelleen.',
    loaded: (pages) =>
      pages === 1 ? 'Asiakirja on näkyvissä. 1 sivu.' : `Asiakirja on näkyvissä. ${pages} sivua.`,
    region: 'Asiakirja',
    page: (page, of) => `Sivu ${page}/${of}`,
    zoomIn: 'Suurenna',
    zoomOut: 'Pienennä',
    download: 'Lataa',
    downloaded: 'Lataus on alkanut.',
    goToPage: 'Siirry sivulle',
    pages: 'Sivut',
    search: 'Hae asiakirjasta',
    searching: 'Haetaan',
    found: (n, of, page) => `${n} / ${of}, sivulla ${page}`,
    notFound: 'Ei osumia.',
    searchFailed: 'Haku asiakirjasta epäonnistui.',
    nextMatch: 'Seuraava osuma',
    previousMatch: 'Edellinen osuma',
    closeSearch: 'Sulje haku',
    noText: 'Tämä sivu on kuva. Siinä ei ole ääneen luettavaa tekstiä.',
    pageFailed: 'Tätä sivua ei voitu näyttää kokonaan. Lataa asiakirja, niin voit lukea sen.',
    cannotShow:
      'Selaimesi ei pysty näyttämään tätä asiakirjaa. Lataa se, lue se ja jatka sitten. Se on juuri se tiedosto, jonka allekirjoitat.',
    toPrint: 'Lataa asiakirja, jos haluat tulostaa sen.',
    toSign: 'Jatka allekirjoittamaan',
    more: 'Muut vaihtoehdot',
    toLater: 'Allekirjoita myöhemmin',
    toDecline: 'Kieltäydy',
    back: 'Takaisin asiakirjaan',
    changed:
      'Näytölläsi ollut asiakirja ei ollut ajan tasalla, joten se ladattiin uudelleen. Katso se vielä läpi, ennen kuin allekirjoitat.',
  },
  sign: {
    heading: 'Allekirjoita',
    name: 'Koko nimesi',
    nameHint: 'Siinä muodossa, jossa sen tulee näkyä allekirjoitetussa asiakirjassa.',
    nameMissing: 'Kirjoita nimesi.',
    nameInvalid: 'Tätä nimeä ei voi käyttää. Tarkista se.',
    signature: 'Allekirjoituksesi',
    typed: 'Kirjoita',
    drawn: 'Piirrä',
    typedLabel: 'Kirjoitettu allekirjoitus',
    typedPreview: 'Näin se näkyy asiakirjassa',
    typedMissing: 'Kirjoita allekirjoituksesi.',
    style: 'Kirjasin',
    styles: { italic: 'Kursiivi', serif: 'Pysty', sans: 'Pelkistetty' },
    image: 'Kuva',
    imageChoose: 'Kuva allekirjoituksestasi',
    imageHint: 'PNG tai JPEG, enintään 5\u00a0Mt.',
    imageChosen: 'Allekirjoituksesi kuva',
    imageMissing: 'Valitse kuva allekirjoituksestasi tai valitse ”Kirjoita”.',
    withheld:
      'Yksityisyytesi suojaamiseksi tämä selain ei anna piirroksia eikä kuvia tälle sivulle. Valitse ”Kirjoita” tai käytä toista selainta.',
    imageFaults: {
      too_large: 'Kuva on liian suuri. Valitse kuva, joka on enintään 5\u00a0Mt ja 50 megapikseliä.',
      unreadable: 'Tiedostoa ei voi lukea kuvana. Valitse PNG tai JPEG.',
    },
    pad: 'Allekirjoituksen piirtoalue. Käytä sormea, kynää tai hiirtä. Jos käytät näppäimistöä, valitse ”Kirjoita”.',
    padHint: 'Allekirjoita tähän',
    padDrawn: 'Allekirjoitus on piirretty.',
    undo: 'Kumoa',
    clear: 'Tyhjennä',
    drawnMissing: 'Piirrä allekirjoituksesi tai valitse ”Kirjoita”.',
    signatureInvalid: 'Tätä allekirjoitusta ei voitu käyttää. Tee se uudelleen.',
    behalf: 'Allekirjoitan',
    forSelf: 'omasta puolestani',
    forEntity: 'organisaation puolesta',
    entity: 'Organisaation nimi',
    entityMissing: 'Kirjoita organisaation nimi.',
    role: 'Asemasi',
    roleHint: 'Esimerkiksi: toimitusjohtaja',
    entityId: 'Y-tunnus',
    consent: 'Mihin suostut',
    agree: 'Olen lukenut asiakirjan ja hyväksyn yllä olevan tekstin.',
    agreeMissing: 'Rastita ruutu, niin voit jatkaa.',
    consentChanged: 'Hyväksyttävä teksti on sillä välin muuttunut. Lue se uudelleen ja rastita ruutu.',
    submit: 'Allekirjoita asiakirja',
    submitting: 'Allekirjoitetaan',
  },
  later: {
    text: (until) =>
      `Allekirjoitusaika päättyy ${until}. Sähköpostiisi tullut linkki toimii siihen asti: avaa se uudelleen, kun sinulle sopii.`,
    kept: 'Voit sulkea tämän sivun. Et ole allekirjoittanut etkä kieltäytynyt.',
  },
  decline: {
    heading: 'Kieltäydy allekirjoittamasta',
    text: 'Pyyntö päättyy silloin kaikkien osalta. Tätä ei voi perua.',
    reason: 'Syy',
    reasonHint: 'Lähettäjä voi lukea sen.',
    left: (n) => (n === 1 ? '1 merkki jäljellä' : `${n} merkkiä jäljellä`),
    tooMany: (n) => (n === 1 ? '1 merkki liikaa' : `${n} merkkiä liikaa`),
    submit: 'Kyllä, kieltäydyn',
    submitting: 'Tallennetaan',
    told: 'Lähettäjä saa siitä sähköpostin.',
  },
  done: {
    heading: 'Olet allekirjoittanut',
    at: (when) => `Allekirjoitettu ${when}.`,
    waiting: (n) =>
      `${n === 1 ? '1 muu henkilö ei ole' : `${n} muuta henkilöä ei ole`} vielä allekirjoittanut. Kun kaikki ovat allekirjoittaneet, asiakirja sinetöidään ja saat sähköpostin, jossa on linkki omaan kappaleeseesi.`,
    sealing:
      'Kaikki ovat allekirjoittaneet. Asiakirjaa sinetöidään parhaillaan; se kestää yleensä alle minuutin.',
    sealingLeave: 'Sinun ei tarvitse odottaa: saat sähköpostin, jossa on linkki omaan kappaleeseesi.',
    sealed: 'Kaikki ovat allekirjoittaneet, ja asiakirja on sinetöity. Myöhemmät muutokset voidaan havaita.',
    sealLate:
      'Kaikki ovat allekirjoittaneet. Sinetöinti kestää tavallista kauemmin; hoidamme asiaa. Saat sähköpostin, kun se on valmis.',
    endedEarly:
      'Pyyntö päättyi, ennen kuin kaikki olivat allekirjoittaneet, joten sinetöityä asiakirjaa ei tule.',
    download: 'Lataa sinetöity asiakirja',
    downloadEvidence: 'Lataa todistetiedosto',
    noFile: 'Eikö tiedostoa näy? Avaa sähköpostissa oleva linkki selaimessa, kuten Safarissa tai Chromessa.',
    downloading: 'Ladataan',
    purged: (when) => `Sinetöity asiakirja poistettiin ${when}. Pyydä kappale lähettäjältä.`,
    purgedPlain: 'Sinetöity asiakirja on poistettu. Pyydä kappale lähettäjältä.',
    back: (host: string) => `Takaisin sivustolle ${host}`,
    close: 'Voit sulkea tämän sivun.',
  },
  copy: {
    heading: 'Sinetöity asiakirjasi',
    until: (date) => `Voit ladata sen täältä. Latausaika päättyy ${date}.`,
    purged: 'Asiakirja ei ole enää täällä',
    link_expired: 'Aika ladata asiakirja tällä linkillä on päättynyt. Pyydä kappale lähettäjältä.',
    not_found:
      'Ehkä se kopioitui vajaana tai sähköpostiohjelma lyhensi sitä, tai se on vanhentunut jo kauan sitten. Kopioi sähköpostin painikkeen alla oleva osoite kokonaan selaimeen tai pyydä kappale lähettäjältä.',
    fault: 'Se ei onnistunut, koska meillä tapahtui virhe. Yritä uudelleen.',
  },
  ended: {
    not_found: {
      heading: 'Tämä linkki ei toimi',
      text: 'Ehkä se kopioitui vajaana, tai lähettäjä on korvannut sen uudella. Avaa se uudelleen uusimmasta sähköpostista tai pyydä lähettäjältä uusi.',
    },
    link_expired: {
      heading: 'Tämä linkki on vanhentunut',
      text: 'Linkit ovat voimassa vain rajoitetun ajan. Jos asiakirja tarvitsee yhä allekirjoituksesi, pyydä lähettäjää lähettämään uusi pyyntö.',
    },
    link_cancelled: {
      heading: 'Pyyntö on peruttu',
      text: 'Lähettäjä on perunut sen. Sinun ei tarvitse tehdä mitään.',
    },
    link_declined: {
      heading: 'Olet kieltäytynyt',
      text: 'Et allekirjoittanut. Sinun ei tarvitse tehdä enää mitään.',
    },
    link_invalidated: {
      heading: 'Tämä pyyntö on päättynyt',
      text: 'Toinen allekirjoittaja on kieltäytynyt, joten allekirjoitustasi ei enää tarvita.',
    },
    request_not_active: {
      heading: 'Tämä pyyntö ei ole enää avoin',
      text: 'Asiakirjaa ei voi enää allekirjoittaa. Jos sinulla on kysyttävää, ota yhteyttä lähettäjään.',
    },
  },
};

/** The level of a seal, on the verify page and in the evidence file. */
export const SEAL_LEVEL: LevelTexts = {
  name: 'Sinetin taso',
  told: {
    'B-T': (until) =>
      `B-T: aikaleima. Sinetin voi tarkistaa ${until} asti, kunhan varmenteiden myöntäjät kertovat, onko niitä peruutettu.`,
    'B-LT': (until) =>
      `B-LT: aikaleima ja tiedostossa olevat todisteet siitä, ettei mitään varmennetta ollut peruutettu. Sinetin voi tarkistaa ${until} asti kysymättä keneltäkään.`,
    'B-LTA': (until) =>
      `B-LTA: aikaleima, tiedostossa olevat todisteet siitä, ettei mitään varmennetta ollut peruutettu, ja toinen aikaleima niiden päällä. Sinetin voi tarkistaa ${until} asti kysymättä keneltäkään.`,
  },
};

export const VERIFY: VerifyTexts = {
  heading: 'Tarkista sinetöity PDF',
  intro:
    'Näet, kuka PDF-tiedoston on sinetöinyt, milloin ja onko mitään sen jälkeen muutettu. Tiedosto pysyy tällä laitteella: se tarkistetaan täällä eikä sitä lähetetä minnekään.',
  document: 'Valitse PDF tai pudota se tähän',
  evidence: 'Todistetiedosto',
  evidenceHint: 'Toinen tiedosto, joka tuli asiakirjan mukana, jos sinulla on se.',
  optional: 'valinnainen',
  oneFile: 'Vain ensimmäinen tiedostoistasi otettiin käyttöön: valitse ne yksitellen.',
  remove: 'Poista',
  trusted: 'Varmenteet, joihin luotat',
  trustedHint:
    'Sinetöijän ja aikaleimapalvelun sormenjäljet (SHA-256) tai varmenteet (PEM). Hanki ne sinetöijältä muuta kautta kuin tämän tiedoston mukana.',
  trustedUnread:
    'Tekstistä ei löytynyt sormenjälkeä eikä varmennetta. Liitä 64 heksadesimaalinumeroa tai varmenne, jossa on BEGIN- ja END-rivit.',
  checking: 'Tarkistetaan',
  broken:
    'Tarkistus ei valmistunut tällä laitteella. Valitse tiedosto uudelleen tai kokeile toista selainta.',
  unreadableFile:
    'Tiedostoa ei voi lukea. Ehkä se on kansio, tai se on siirretty tai sitä on muutettu. Valitse se uudelleen.',
  verdicts: {
    green: {
      heading: 'Aito ja muuttumaton',
      text: 'Sinetti on tehty varmenteella, johon luotat, eikä mitään ole muutettu sen jälkeen.',
    },
    intact: {
      heading: 'Muuttumaton. Tarkista, kenen varmenne se on.',
      text: 'Sinetti sopii tiedostoon. Kuka tahansa voi tehdä sinetin haluamallaan nimellä: vertaa alla olevia sormenjälkiä niihin, jotka olet saanut sinetöijältä.',
    },
    amber: {
      heading: 'Kaikkea ei voitu tarkistaa',
      text: 'Vikaa ei löytynyt, mutta kaikkea ei voitu tarkistaa.',
    },
    red: { heading: 'Älä luota tähän tiedostoon', text: 'Siinä on jotakin vialla.' },
  },
  ofSignature: (number) => `Allekirjoitus ${number}:`,
  findings: {
    not_a_pdf: 'Tiedosto ei ole PDF.',
    damaged: 'Tiedosto on vaurioitunut: sen rakennetta ei voi lukea.',
    not_signed:
      'PDF-tiedostossa ei ole allekirjoitusta. Se on ehkä kopio, joka syntyi tulostamalla tai tallentamalla uudelleen.',
    altered: 'Tiedosto ei ole se, joka allekirjoitettiin: sen sisältöä on muutettu.',
    signature_wrong: 'Allekirjoitus ei ole pätevä: sen osat eivät sovi yhteen.',
    changed_after: 'Allekirjoituksen jälkeen on lisätty tai muutettu jotakin.',
    timestamp_wrong: 'Aikaleima ei ole pätevä.',
    certificate_not_valid: 'Varmenne ei ollut voimassa allekirjoitushetkellä.',
    evidence_of_other: 'Todistetiedosto koskee toista asiakirjaa.',
    evidence_missing: 'Toinen tiedosto ei ole todistetiedosto.',
    evidence_chain_broken: 'Todistetiedoston tapahtumaa on muutettu tai tapahtuma on poistettu tai lisätty.',
    evidence_anchor_differs:
      'Todistetiedosto päättyy eri tapahtumaan kuin asiakirja ilmoittaa: tapahtumia on poistettu tai vaihdettu.',
    too_large: 'Tiedosto on liian suuri tarkistettavaksi täällä.',
    too_complex: 'Tiedosto on liian monimutkainen tarkistettavaksi täällä.',
    encrypted: 'Tiedosto on salattu, joten sitä ei voi tarkistaa täällä.',
    cannot_check: 'Allekirjoituksen algoritmit tai muoto ovat sellaisia, joita tämä sivu ei osaa tarkistaa.',
    certificate_unsuitable:
      'Varmennetta ei ole tarkoitettu allekirjoituksiin, tai sen avain on liian heikko.',
    no_timestamp: 'Aikaleimaa ei ole, joten allekirjoituksen aikaa ei ole todistettu.',
    changed_between: 'Jotakin on muutettu tämän allekirjoituksen jälkeen, ennen seuraavaa.',
    metadata_changed:
      'Allekirjoituksen jälkeen on muutettu tiedoston kuvaustietoja (kuten otsikkoa tai tekijää), mutta ei mitään näkyvää.',
    locked_before:
      'Lomakekenttiä lukitsevan allekirjoituksen jälkeen on lisätty jotakin. Muut ohjelmat voivat pitää sitä näiden kenttien muutoksena.',
    unknown_signer: 'Sinetöijän varmenne ei ole niiden joukossa, joihin luotat.',
    unknown_authority: 'Aikaleimapalvelun varmenne ei ole niiden joukossa, joihin luotat.',
    authority_expired: 'Aikaleimapalvelun varmenne on sittemmin vanhentunut.',
    time_ahead: 'Aikaleima on edellä tämän laitteen kelloa.',
    evidence_by_other: 'Todistetiedosto on sinetöity eri varmenteella kuin asiakirja.',
    covers_all: 'Allekirjoitus kattaa koko tiedoston.',
    signed_further:
      'Allekirjoituksen jälkeen on lisätty vain uusia allekirjoituksia tai tietoja niiden tarkistamiseen.',
    evidence_fits:
      'Todistetiedosto koskee tätä asiakirjaa ja on sinetöity samalla varmenteella, eikä sen tapahtumista puutu mitään.',
  },
  level: SEAL_LEVEL,
  seal: 'Sinetti',
  documentStamp: 'Asiakirjan aikaleima',
  by: 'Sinetöijä',
  signedBy: 'Allekirjoittaja',
  signedAt: 'Allekirjoitettu',
  codeConfirmed: 'Sähköpostitse saatu koodi syötetty',
  issuer: 'Myöntäjä',
  fingerprint: 'Sormenjälki (SHA-256)',
  validity: (from, to) => `Varmenne voimassa: ${from} – ${to}`,
  time: 'Aika',
  authority: 'Aikaleimapalvelu',
  reason: 'Ilmoitettu syy',
  isTrusted: 'Luotat tähän varmenteeseen.',
  unreadable: 'Ei voida selvittää.',
  hash: 'Tiedoston SHA-256',
  copy: 'Kopioi',
  copied: 'Kopioitu.',
  copyFailed: 'Kopiointi ei onnistunut. Valitse yllä oleva teksti ja kopioi se itse.',
  compare: 'Vertaa SHA-256-arvoon, joka sinulla on',
  compareInvalid: 'SHA-256-arvossa on 64 merkkiä: numeroita ja kirjaimia a–f.',
  same: 'Ne ovat samat.',
  different: 'Ne eroavat: tämä on toinen tiedosto.',
  limits:
    'Varmenteiden myöntäjiltä ei kysytä, onko jokin varmenne peruutettu, sillä se vaatisi verkkoyhteyden; vain tiedostossa olevat todisteet tarkistetaan. Varmenteessa olevat nimet ovat sen myöntäjän vahvistamia.',
};
