import type * as en from '../en/service.ts';

const tries = (n: number) => (n === 1 ? '1 yritys' : `${n} yritystä`);

export const LANGUAGE: typeof en.LANGUAGE = { label: 'Kieli', name: 'Suomi' };

export const INSTEAD: en.InsteadTexts = {
  notLoaded:
    'Sivu ei ole vielä latautunut. Jos se ei tule näkyviin, tarkista verkkoyhteys ja lataa sivu uudelleen tai avaa linkki uudemmassa selaimessa.',
  noScript: {
    sign: 'Tämä sivu tarvitsee JavaScriptiä asiakirjan näyttämiseen ja allekirjoittamiseen. Salli se tällä sivulla tai avaa linkki toisessa selaimessa.',
    verify:
      'Tämä sivu tarvitsee JavaScriptiä tiedoston tarkistamiseen laitteellasi. Salli se tällä sivulla tai käytä toista selainta.',
    app: 'Tämä sivu tarvitsee JavaScriptiä. Salli se tällä sivulla tai käytä toista selainta.',
  },
};

export const PAGE: en.PageTexts = {
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
    imageOther: 'Valitse toinen kuva',
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
export const SEAL_LEVEL: typeof en.SEAL_LEVEL = {
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

export const VERIFY: en.VerifyTexts = {
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
      text: 'Havainnot luetellaan alla. Arvioi itse, voitko luottaa tiedostoon.',
    },
    red: { heading: 'Älä luota tähän tiedostoon', text: 'Siinä on jotakin vialla.' },
    evidence: {
      heading: 'Älä luota todistetiedostoon',
      text: 'Siinä on jotakin vialla, tai se kuuluu toiseen asiakirjaan. Itse asiakirjaa koskevat havainnot luetellaan ensin.',
    },
  },
  ofSignature: (number) => `Allekirjoitus ${number}:`,
  findings: {
    not_a_pdf: 'Tiedosto ei ole PDF.',
    damaged: 'Tiedosto on vaurioitunut: sen rakennetta ei voi lukea.',
    not_signed:
      'PDF-tiedostossa ei ole allekirjoitusta. Se on ehkä kopio, joka syntyi tulostamalla tai tallentamalla uudelleen.',
    altered: 'Tiedosto ei ole se, joka allekirjoitettiin: sen sisältöä on muutettu.',
    signature_wrong:
      'Allekirjoitus ei ole pätevä: sen osat eivät sovi yhteen. Tiedosto on ehkä kopio, joka syntyi tallentamalla uudelleen.',
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
      'Todistetiedosto koskee tätä asiakirjaa ja on sinetöity samalla varmenteella, ja sen tapahtumat muodostavat katkeamattoman ketjun.',
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

export const MAIL: en.MailTexts = {
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

export const PDF: en.PdfTexts = {
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
    'Kukin tällä sivulla mainittu allekirjoittaja on allekirjoittanut asiakirjan yksinkertaisella sähköisellä allekirjoituksella (Euroopan parlamentin ja neuvoston asetus (EU) N:o 910/2014, eIDAS, 3 artiklan 10 kohta). Tämä sivu on lisätty, kun kaikki olivat allekirjoittaneet. Allekirjoituspalvelu on sen jälkeen sinetöinyt tiedoston sähköisellä leimalla (PAdES), johon sisältyy aikaleima (RFC 3161). Leima kattaa koko tiedoston, myös tämän sivun: kaikki myöhemmät muutokset voidaan havaita PDF-lukijalla tai allekirjoitusten tarkistusohjelmalla.',
  replacedCharacters:
    'Hakasulkeissa olevat merkinnät (U+…) ovat Unicode-koodeja merkeille, joita tällä sivulla ei voida näyttää. Tarkan tekstin voi kopioida tältä sivulta, ja se on tallennettu tapahtumalokiin.',
  test: 'Testi – allekirjoitettu testitilassa ja sinetöity testivarmenteella. Asiakirjalla ei ole oikeusvaikutuksia.',
  testWatermark: 'TESTI',
  pageOf: (page, pages) => `Sivu ${page}/${pages}`,
  time: ({ year, month, day, hour, minute, second }) =>
    `${day}. ${MONTHS.split(' ')[month]} ${year} klo ${hour}.${minute}.${second} UTC`,
};

export const EVIDENCE: en.EvidenceTexts = {
  kind: 'Allekirjoitustodiste',
  created: 'Luotu',
  level: SEAL_LEVEL,
  anchorNote: (event) => `Tapahtuman ${event} tiiviste. Tapahtuma on tämän luettelon viimeinen.`,
  signatures: 'Allekirjoitukset',
  consentGiven: 'Tämän tekstin allekirjoittajat hyväksyivät.',
  events: 'Tapahtumat',
  eventsNote:
    'Kaikki pyynnön tapahtumat viimeiseen allekirjoitukseen asti. Jokainen tiiviste kattaa tapahtuman ja edellisen tiivisteen: muutettu, lisätty tai poistettu tapahtuma muuttaisi ankkurin.',
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
    'Tämä tiedosto: siinä on asiakirjan tavoin sähköinen leima ja aikaleima (PAdES). Allekirjoitusten tarkistuspalvelu tai allekirjoitukset tarkistava PDF-ohjelma näyttää, onko sitä muutettu.',
  verifyEvents: (attachment) =>
    `Tapahtumat: liitetiedosto ${attachment} sisältää niiden arvot. Niistä voi laskea jokaisen tiivisteen ankkuriin asti.`,
  attachment: 'Tapahtumat arvoineen, tiivisteiden laskemiseksi uudelleen',
};

export const AUDIT: en.AuditTexts = {
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
      'Jokaisessa tapahtumassa on edellisen SHA-256-tiiviste. Pää on viimeisen tiiviste: se muuttuu, jos jotakin tapahtumaa muutetaan, poistetaan tai siirretään.',
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
