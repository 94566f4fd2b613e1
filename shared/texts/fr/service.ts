import type * as en from '../en/service.ts';

const tries = (n: number) => (n === 1 ? '1 essai' : `${n} essais`);

export const LANGUAGE: typeof en.LANGUAGE = { label: 'Langue', name: 'Français' };

export const INSTEAD: en.InsteadTexts = {
  notLoaded:
    'La page n’est pas encore chargée. Si elle ne s’affiche pas, vérifiez votre connexion et rechargez la page, ou ouvrez le lien dans un navigateur plus récent.',
  noScript: {
    sign: 'Cette page a besoin de JavaScript pour afficher le document et recueillir votre signature. Activez-le pour cette page ou ouvrez le lien dans un autre navigateur.',
    verify:
      'Cette page a besoin de JavaScript pour vérifier le fichier sur votre appareil. Activez-le pour cette page ou utilisez un autre navigateur.',
    app: 'Cette page a besoin de JavaScript. Activez-le pour cette page ou utilisez un autre navigateur.',
  },
};

export const PAGE: en.PageTexts = {
  brand: {
    imprint: 'Mentions légales',
    privacy: 'Confidentialité',
    support: 'Aide',
    by: 'Envoyé avec Signature requests',
  },
  opening: 'Ouverture de votre lien',
  test: 'Test : sans valeur juridique.',
  progress: (step, of) => `Étape ${step} sur ${of}`,
  steps: ['Confirmer', 'Lire', 'Signer'],
  optional: 'facultatif',
  checkFields: (n) => (n === 1 ? 'Un point est à vérifier.' : `${n} points sont à vérifier.`),
  connection: {
    lost: 'Pas de connexion. Ce que vous avez saisi est conservé et nous réessayons régulièrement.',
    busy: 'Le service est très sollicité. Ce que vous avez saisi est conservé et nous réessaierons d’ici une minute.',
    tryNow: 'Réessayer maintenant',
  },
  trouble: {
    heading: 'Un problème est survenu',
    text: 'L’erreur vient de nous, pas de vous. Veuillez réessayer.',
    again: 'Réessayer',
    inline:
      'Une erreur s’est produite de notre côté. Ce que vous avez saisi est conservé ; veuillez réessayer.',
  },
  code: {
    heading: 'Un document attend votre signature',
    headingSigned: 'Vous avez signé ce document',
    headingAgain: 'Confirmez encore une fois que c’est bien vous',
    intro: 'Saisissez le code reçu par e-mail. Vous verrez ensuite le document et son expéditeur.',
    introSend:
      'Nous envoyons un code à six chiffres à l’adresse qui a reçu l’invitation. Il vous donne accès au document et au nom de son expéditeur.',
    introSigned:
      'Pour suivre la demande et télécharger votre exemplaire, confirmez avec un code que c’est bien vous.',
    sessionEnded:
      'Pour votre protection, l’accès prend fin après 30 minutes. Un nouveau code vous ramène là où vous étiez. Ce que vous avez saisi est conservé.',
    noCookies:
      'Votre navigateur ne conserve pas les cookies et ne peut donc pas prouver que vous avez saisi un code. Autorisez les cookies pour cette page ou ouvrez le lien dans un autre navigateur.',
    label: 'Code à six chiffres',
    worksUntil: (time) => `Le code du dernier e-mail reçu est valable jusqu’à ${time}.`,
    submit: 'Continuer',
    checking: 'Vérification',
    haveCode: 'J’ai un code',
    send: 'Recevoir un code par e-mail',
    sendAgain: 'Recevoir un nouveau code',
    sendAgainIn: (seconds) => `Nouveau code possible dans ${seconds} s`,
    sending: 'Envoi',
    sent: 'Un code est en route. Seul le plus récent fonctionne.',
    notArrived:
      'Rien après deux minutes ? Regardez dans les courriers indésirables avant d’en demander un autre.',
    wrong: (left) => `Ce code n’est pas le bon. Il vous reste ${tries(left)}.`,
    triesLeft: (left) => `Il vous reste ${tries(left)}.`,
    format: 'Saisissez les six chiffres.',
    expired: 'Ce code n’est plus valable. Demandez-en un nouveau.',
    tooMany: (time) => `Prochain code possible : ${time}.`,
    noMore:
      'Aucun autre code ne peut être envoyé : trop de codes ont été demandés. Si vous n’avez pas le plus récent, veuillez demander à l’expéditeur de vous renvoyer le lien.',
    emailFailed: 'L’e-mail n’a pas pu être envoyé. Veuillez réessayer dans un instant.',
    busy: 'Le code n’a pas pu être vérifié pour le moment. Veuillez réessayer dans un instant.',
    lost: 'La connexion a été interrompue. Veuillez réessayer.',
    lockedHeading: 'Bloqué pour le moment',
    locked: (time) =>
      `Trop de codes ont été saisis ou demandés. Pour protéger le document, le lien est bloqué. Fin du blocage : ${time}. Vous pourrez ensuite demander un nouveau code.`,
    lockedCheck: 'Vérifier à nouveau',
    endedHeading: 'Ce lien n’accepte plus de codes',
    ended:
      'Trop de codes ont été saisis ou demandés. Pour protéger le document, les codes ne fonctionneront de nouveau qu’après un nouvel envoi du lien par l’expéditeur. Veuillez le lui demander.',
    about: 'À quoi sert cette page ?',
    aboutText: [
      'Une organisation ou une personne vous demande de signer un document ; sa demande vous est parvenue par e-mail par l’intermédiaire de ce service.',
      'Tant que le code n’est pas saisi, cette page ne révèle à personne quel est le document ni qui vous êtes.',
      'Rien n’est signé avant que vous ayez lu le document et appuyé sur « Signer le document ». Aucun mot de passe ni paiement ne vous sera demandé ici.',
      'Vous ne savez pas de quoi il s’agit ? Fermez simplement la page.',
    ],
  },
  document: {
    heading: 'Lisez le document',
    from: (sender) => `Envoyé par ${sender}`,
    messageFrom: (sender) => `Message envoyé par ${sender}`,
    attachments: (n) => (n === 1 ? '1 fichier joint' : `${n} fichiers joints`),
    attachmentsNote:
      'Ils sont contenus dans le PDF et scellés avec lui. Pour les lire, téléchargez-le et ouvrez-le dans un lecteur PDF.',
    moreAttachments: (n) => (n === 1 ? 'et 1 autre' : `et ${n} autres`),
    unnamed: 'sans nom',
    to: 'Destinataire',
    file: 'Fichier',
    until: 'À signer avant le',
    others: 'Autres signataires',
    othersCount: (total, signed) => `${signed} sur ${total} ${signed > 1 ? 'ont signé' : 'a signé'}`,
    loading: 'Chargement du document',
    notLoaded: 'Le document n’a pas pu être chargé. Veuillez réessayer.',
    loaded: (pages) =>
      pages === 1 ? 'Le document est affiché. 1 page.' : `Le document est affiché. ${pages} pages.`,
    region: 'Document',
    page: (page, of) => `Page ${page} sur ${of}`,
    zoomIn: 'Agrandir',
    zoomOut: 'Réduire',
    download: 'Télécharger',
    downloaded: 'Le téléchargement a commencé.',
    goToPage: 'Aller à la page',
    pages: 'Pages du document',
    search: 'Rechercher dans le document',
    searching: 'Recherche en cours',
    found: (n, of, page) => `${n} sur ${of}, page ${page}`,
    notFound: 'Aucun résultat.',
    searchFailed: 'La recherche dans le document a échoué.',
    nextMatch: 'Résultat suivant',
    previousMatch: 'Résultat précédent',
    closeSearch: 'Fermer la recherche',
    noText: 'Cette page est une image. Elle ne contient pas de texte à lire à voix haute.',
    pageFailed: 'Cette page n’a pas pu être affichée en entier. Téléchargez le document pour la lire.',
    cannotShow:
      'Votre navigateur ne peut pas afficher ce document. Téléchargez-le, lisez-le, puis continuez. C’est exactement le fichier que vous signez.',
    toPrint: 'Téléchargez le document pour l’imprimer.',
    toSign: 'Continuer vers la signature',
    more: 'Autres choix',
    toLater: 'Signer plus tard',
    toDecline: 'Refuser',
    back: 'Retour au document',
    changed:
      'Le document a été rechargé, car la version affichée n’était plus à jour. Veuillez le revoir avant de signer.',
  },
  sign: {
    heading: 'Signer',
    name: 'Votre nom complet',
    nameHint: 'Tel qu’il doit figurer dans le document signé.',
    nameMissing: 'Saisissez votre nom.',
    nameInvalid: 'Ce nom ne peut pas être utilisé. Veuillez le vérifier.',
    signature: 'Votre signature',
    typed: 'Saisir',
    drawn: 'Dessiner',
    typedLabel: 'Signature saisie',
    typedPreview: 'Telle qu’elle figurera dans le document',
    typedMissing: 'Saisissez votre signature.',
    style: 'Police',
    styles: { italic: 'Italique', serif: 'Droite', sans: 'Simple' },
    image: 'Importer',
    imageChoose: 'Image de votre signature',
    imageOther: 'Choisir une autre image',
    imageHint: 'PNG ou JPEG, 5 Mo au plus.',
    imageChosen: 'L’image de votre signature',
    imageMissing: 'Choisissez une image de votre signature, ou choisissez « Saisir ».',
    withheld:
      'Pour protéger votre vie privée, ce navigateur ne transmet ni dessins ni images à cette page. Choisissez « Saisir » ou utilisez un autre navigateur.',
    imageFaults: {
      too_large: 'Cette image est trop grande. Choisissez-en une de 5 Mo et 50 mégapixels au plus.',
      unreadable: 'Ce fichier ne peut pas être lu comme une image. Choisissez un PNG ou un JPEG.',
    },
    pad: 'Zone pour dessiner votre signature. Utilisez un doigt, un stylet ou la souris. Au clavier, choisissez plutôt « Saisir ».',
    padHint: 'Signez ici',
    padDrawn: 'Une signature est dessinée.',
    undo: 'Annuler le trait',
    clear: 'Effacer',
    drawnMissing: 'Dessinez votre signature ou choisissez « Saisir ».',
    signatureInvalid: 'Cette signature n’a pas pu être utilisée. Veuillez la refaire.',
    behalf: 'Je signe',
    forSelf: 'pour moi-même',
    forEntity: 'pour une organisation',
    entity: 'Nom de l’organisation',
    entityMissing: 'Saisissez le nom de l’organisation.',
    role: 'Votre fonction',
    roleHint: 'Par exemple : directeur général',
    entityId: 'Numéro d’entreprise',
    consent: 'Ce que vous acceptez',
    agree: 'J’ai lu le document et j’accepte le texte ci-dessus.',
    agreeMissing: 'Cochez la case pour continuer.',
    consentChanged: 'Le texte à accepter a changé entre-temps. Veuillez le relire et cocher la case.',
    submit: 'Signer le document',
    submitting: 'Signature en cours',
  },
  later: {
    text: (until) =>
      `Vous pouvez signer jusqu’au ${until}. D’ici là, le lien reçu par e-mail reste valable : rouvrez-le quand vous le souhaitez.`,
    kept: 'Vous pouvez fermer cette page. Rien n’a été signé ni refusé.',
  },
  decline: {
    heading: 'Refuser de signer',
    text: 'La demande prend alors fin pour tous. Ce choix est définitif.',
    reason: 'Motif',
    reasonHint: 'L’expéditeur peut le lire.',
    left: (n) => (n < 2 ? `${n} caractère restant` : `${n} caractères restants`),
    tooMany: (n) => (n < 2 ? `${n} caractère de trop` : `${n} caractères de trop`),
    submit: 'Oui, je refuse',
    submitting: 'Enregistrement',
    told: 'L’expéditeur reçoit un e-mail à ce sujet.',
  },
  done: {
    heading: 'Vous avez signé',
    at: (when) => `Signé le ${when}.`,
    waiting: (n) =>
      `${n === 1 ? 'Une autre personne doit' : `${n} autres personnes doivent`} encore signer. Lorsque tout le monde aura signé, le document sera scellé et vous recevrez un e-mail avec un lien vers votre exemplaire.`,
    sealing:
      'Tout le monde a signé. Le document est en cours de scellement, ce qui prend en général moins d’une minute.',
    sealingLeave: 'Inutile d’attendre : vous recevrez un e-mail avec un lien vers votre exemplaire.',
    sealed:
      'Tout le monde a signé et le document est scellé. Toute modification ultérieure peut être détectée.',
    sealLate:
      'Tout le monde a signé. Le scellement prend plus de temps que d’habitude ; nous nous en occupons. Vous recevrez un e-mail une fois qu’il sera terminé.',
    endedEarly:
      'La demande a pris fin avant que tout le monde ait signé ; il n’y aura donc pas de document scellé.',
    download: 'Télécharger le document scellé',
    downloadEvidence: 'Télécharger le fichier de preuve',
    noFile: 'Pas de fichier ? Ouvrez le lien de l’e-mail dans un navigateur comme Safari ou Chrome.',
    downloading: 'Téléchargement',
    purged: (when) => `Le document scellé a été supprimé le ${when}. Demandez-en une copie à l’expéditeur.`,
    purgedPlain: 'Le document scellé a été supprimé. Demandez-en une copie à l’expéditeur.',
    back: (host: string) => `Retour vers ${host}`,
    close: 'Vous pouvez fermer cette page.',
  },
  copy: {
    heading: 'Votre document scellé',
    until: (date) => `Vous pouvez le télécharger ici jusqu’au ${date}.`,
    purged: 'Le document n’est plus ici',
    link_expired:
      'Le délai pour le télécharger avec ce lien est écoulé. Demandez-en une copie à l’expéditeur.',
    not_found:
      'Il a peut-être été copié incomplètement ou raccourci par un logiciel de messagerie, ou son délai est écoulé depuis longtemps. Copiez dans votre navigateur l’adresse entière sous le bouton de l’e-mail ou demandez une copie à l’expéditeur.',
    fault: 'Cela n’a pas fonctionné à cause d’une erreur de notre côté. Veuillez réessayer.',
  },
  ended: {
    not_found: {
      heading: 'Ce lien ne fonctionne pas',
      text: 'Il a peut-être été copié incomplètement, ou l’expéditeur l’a remplacé. Ouvrez-le à nouveau depuis le dernier e-mail reçu ou demandez-en un nouveau à l’expéditeur.',
    },
    link_expired: {
      heading: 'Ce lien a expiré',
      text: 'Les liens ne sont valables que pour une durée limitée. Si votre signature est encore nécessaire, priez l’expéditeur de vous envoyer une nouvelle demande.',
    },
    link_cancelled: {
      heading: 'La demande a été annulée',
      text: 'L’expéditeur l’a retirée. Vous n’avez rien à faire.',
    },
    link_declined: {
      heading: 'Vous avez refusé',
      text: 'Vous n’avez pas signé. Vous n’avez plus rien à faire.',
    },
    link_invalidated: {
      heading: 'Cette demande a pris fin',
      text: 'Un autre signataire a refusé ; votre signature n’est donc plus nécessaire.',
    },
    request_not_active: {
      heading: 'Cette demande n’est plus ouverte',
      text: 'Le document ne peut plus être signé. Pour toute question, adressez-vous à l’expéditeur.',
    },
  },
};

/** The level of a seal, on the verify page and in the evidence file. */
export const SEAL_LEVEL: typeof en.SEAL_LEVEL = {
  name: 'Niveau du cachet',
  told: {
    'B-T': (until) =>
      `B-T : avec un horodatage. Il est vérifiable jusqu’au ${until}, tant que les émetteurs de ses certificats indiquent s’ils ont été révoqués.`,
    'B-LT': (until) =>
      `B-LT : avec un horodatage et, dans le fichier, les preuves qu’aucun certificat n’était révoqué. Il est vérifiable jusqu’au ${until} sans interroger personne.`,
    'B-LTA': (until) =>
      `B-LTA : avec un horodatage, les preuves dans le fichier qu’aucun certificat n’était révoqué, et un autre horodatage qui les couvre. Il est vérifiable jusqu’au ${until} sans interroger personne.`,
  },
};

export const VERIFY: en.VerifyTexts = {
  heading: 'Vérifier un PDF scellé',
  intro:
    'Voyez qui a scellé un PDF, quand, et si quelque chose a été modifié depuis. Le fichier reste sur cet appareil : il est vérifié ici et n’est envoyé nulle part.',
  document: 'Choisissez le PDF ou déposez-le ici',
  evidence: 'Fichier de preuve',
  evidenceHint: 'Le second fichier reçu avec le document, si vous l’avez.',
  optional: 'facultatif',
  oneFile: 'Seul le premier de vos fichiers a été pris en compte : choisissez-les un par un.',
  remove: 'Retirer',
  trusted: 'Certificats auxquels vous faites confiance',
  trustedHint:
    'Empreintes (SHA-256) ou certificats (PEM) du créateur du cachet et de l’autorité d’horodatage. Obtenez-les auprès du créateur par une autre voie que ce fichier.',
  trustedUnread:
    'Ce texte ne contient ni empreinte ni certificat. Collez 64 chiffres hexadécimaux, ou un certificat avec ses lignes BEGIN et END.',
  checking: 'Vérification',
  broken:
    'La vérification n’a pas abouti sur cet appareil. Choisissez de nouveau le fichier ou essayez un autre navigateur.',
  unreadableFile:
    'Ce fichier ne peut pas être lu. C’est peut-être un dossier, ou il a été déplacé ou modifié. Choisissez-le de nouveau.',
  verdicts: {
    green: {
      heading: 'Authentique et inchangé',
      text: 'Le cachet a été créé avec un certificat auquel vous faites confiance, et rien n’a été modifié depuis.',
    },
    intact: {
      heading: 'Inchangé. Vérifiez à qui est le certificat.',
      text: 'Le cachet correspond au fichier. N’importe qui peut apposer un cachet au nom de son choix : comparez les empreintes ci-dessous avec celles que le créateur du cachet vous a données.',
    },
    amber: {
      heading: 'Vérification incomplète',
      text: 'Ce qui a été constaté figure ci-dessous. À vous de juger si vous pouvez vous fier à ce fichier.',
    },
    red: { heading: 'Ne vous fiez pas à ce fichier', text: 'Quelque chose ne va pas.' },
    evidence: {
      heading: 'Ne vous fiez pas au fichier de preuve',
      text: 'Quelque chose ne va pas, ou il concerne un autre document. Ce qui a été constaté sur le document lui-même est indiqué en premier.',
    },
  },
  ofSignature: (number) => `Signature nº ${number} :`,
  findings: {
    not_a_pdf: 'Le fichier n’est pas un PDF.',
    damaged: 'Le fichier est endommagé : sa structure est illisible.',
    not_signed:
      'Le PDF ne porte aucune signature. C’est peut-être une copie faite en l’imprimant ou en l’enregistrant à nouveau.',
    altered: 'Le fichier n’est pas celui qui a été signé : son contenu a été modifié.',
    signature_wrong:
      'La signature n’est pas valide : ses parties ne concordent pas. Le fichier est peut-être une copie faite en l’enregistrant à nouveau.',
    changed_after: 'Quelque chose a été ajouté ou modifié après la signature.',
    timestamp_wrong: 'L’horodatage n’est pas valide.',
    certificate_not_valid: 'Le certificat n’était pas valide au moment de la signature.',
    evidence_of_other: 'Le fichier de preuve concerne un autre document.',
    evidence_missing: 'Le second fichier n’est pas un fichier de preuve.',
    evidence_chain_broken: 'Un événement du fichier de preuve a été modifié, supprimé ou ajouté.',
    evidence_anchor_differs:
      'Le fichier de preuve se termine par un autre événement que celui indiqué par le document : des événements ont été supprimés ou remplacés.',
    too_large: 'Le fichier est trop grand pour être vérifié ici.',
    too_complex: 'Le fichier est trop complexe pour être vérifié ici.',
    encrypted: 'Le fichier est chiffré et ne peut donc pas être vérifié ici.',
    cannot_check: 'La signature utilise des algorithmes ou une forme que cette page ne sait pas vérifier.',
    certificate_unsuitable: 'Le certificat n’est pas destiné aux signatures, ou sa clé est trop faible.',
    no_timestamp: 'Il n’y a pas d’horodatage : le moment de la signature n’est donc pas prouvé.',
    changed_between: 'Quelque chose a été modifié après cette signature, avant la suivante.',
    metadata_changed:
      'Après la signature, les métadonnées du fichier (titre, auteur, etc.) ont été modifiées, mais rien de ce qui s’affiche.',
    locked_before:
      'Quelque chose a été ajouté après la signature, qui verrouille des champs de formulaire. D’autres logiciels peuvent y voir une modification de ces champs.',
    unknown_signer:
      'Le certificat du créateur du cachet n’est pas parmi ceux auxquels vous faites confiance.',
    unknown_authority:
      'Le certificat de l’autorité d’horodatage n’est pas parmi ceux auxquels vous faites confiance.',
    authority_expired: 'Le certificat de l’autorité d’horodatage a expiré depuis.',
    time_ahead: 'L’horodatage est en avance sur l’horloge de cet appareil.',
    evidence_by_other: 'Le fichier de preuve est scellé avec un autre certificat que le document.',
    covers_all: 'La signature couvre tout le fichier.',
    signed_further:
      'Après la signature, seules d’autres signatures ou des données pour les vérifier ont été ajoutées.',
    evidence_fits:
      'Le fichier de preuve concerne ce document et est scellé avec le même certificat ; ses événements forment une chaîne sans rupture.',
  },
  level: SEAL_LEVEL,
  seal: 'Cachet',
  documentStamp: 'Horodatage du document',
  by: 'Scellé par',
  signedBy: 'Signé par',
  signedAt: 'Signé',
  codeConfirmed: 'Code reçu par e-mail saisi',
  issuer: 'Délivré par',
  fingerprint: 'Empreinte (SHA-256)',
  validity: (from, to) => `Validité du certificat : du ${from} au ${to}`,
  time: 'Date et heure',
  authority: 'Horodaté par',
  reason: 'Motif indiqué',
  isTrusted: 'Vous faites confiance à ce certificat.',
  unreadable: 'Impossible à déterminer.',
  hash: 'SHA-256 du fichier',
  copy: 'Copier',
  copied: 'Copié.',
  copyFailed: 'La copie a échoué. Sélectionnez le texte ci-dessus et copiez-le.',
  compare: 'Comparer avec une empreinte SHA-256 que vous avez',
  compareInvalid: 'Une empreinte SHA-256 a 64 caractères : des chiffres et des lettres de a à f.',
  same: 'Elles sont identiques.',
  different: 'Elles diffèrent : c’est un autre fichier.',
  limits:
    'Les émetteurs des certificats ne sont pas interrogés sur une révocation éventuelle, car cela exige une connexion ; seules les preuves contenues dans le fichier sont vérifiées. Les noms d’un certificat sont ceux que son émetteur a confirmés.',
};

export const MAIL: en.MailTexts = {
  colon: ' :',
  greeting: (name) => (name ? `Bonjour ${name},` : 'Bonjour,'),
  testMark: 'TEST',
  testNotice:
    'TEST : cette demande a été créée pour essayer le service. La signer n’a aucun effet juridique.',
  document: 'Document',
  messageFrom: (sender) => `Message envoyé par ${sender}`,
  code: 'Votre code d’accès',
  codeValidity: (minutes, until) => `Valable ${minutes} minutes, jusqu’au ${until}.`,
  codeEnded: 'Le code a expiré ? Ouvrez tout de même la page : vous pourrez y demander un nouveau code.',
  codeOnThePage:
    'Un code d’accès est nécessaire pour continuer. Demandez-le sur la page : il sera envoyé à cette adresse.',
  signUntil: (date) => `Vous pouvez signer jusqu’au ${date}.`,
  keptUntil: (date) =>
    `Le document peut être téléchargé jusqu’au ${date}. Pensez à en enregistrer une copie d’ici là.`,
  linkBelow: 'Ou ouvrez cette adresse dans votre navigateur :',
  links: { imprintUrl: 'Mentions légales', privacyUrl: 'Confidentialité', supportUrl: 'Aide' },
  footer: (sender) => `E-mail envoyé par Signature requests. Expéditeur de la demande : ${sender}.`,
  unexpected: {
    request:
      'Vous n’attendiez pas cet e-mail ? Vous pouvez l’ignorer : rien n’est signé tant que vous ne le faites pas vous-même sur la page. Ne le transférez pas : le lien et le code vous sont strictement personnels.',
    reminder:
      'Vous n’attendiez pas cet e-mail ? Vous pouvez l’ignorer : rien n’est signé tant que vous ne le faites pas vous-même sur la page. Ne le transférez pas : le lien vous est strictement personnel.',
    code: 'Vous n’avez pas demandé de code ? Vous pouvez ignorer cet e-mail : sans le code, personne ne peut voir le document ni le signer. Ne communiquez ce code à personne.',
    sealed:
      'Vous recevez cet e-mail parce que vous avez signé le document. Ne le transférez pas : le lien vous est strictement personnel.',
    notice: 'Vous recevez cet e-mail parce qu’il vous avait été demandé de signer le document.',
    senderNotice: (requestId) =>
      `Vous recevez cet e-mail parce que les avis concernant les demandes de signature sont envoyés à cette adresse. Demande : ${requestId}`,
  },
  invitation: {
    subject: (sender, title) => `${sender} vous invite à signer « ${title} »`,
    intro: (sender) => `${sender} vous invite à signer un document par voie électronique.`,
    button: 'Lire et signer',
  },
  resend: {
    subject: (sender, title) => `Nouveau code d’accès envoyé par ${sender} pour « ${title} »`,
    intro: (sender) =>
      `${sender} vous a envoyé un nouveau code d’accès pour signer un document. Les codes précédents ne fonctionnent plus.`,
  },
  code_on_request: {
    subject: (_sender, title) => `Votre code d’accès pour « ${title} »`,
    intro: () => 'Voici le code d’accès que vous avez demandé. Les codes précédents ne fonctionnent plus.',
    button: 'Revenir au document',
  },
  reminder: {
    subject: (sender, title) => `Rappel : ${sender} vous invite à signer « ${title} »`,
    intro: (sender) => `${sender} attend toujours votre signature sur un document.`,
  },
  sealed: {
    subject: (_sender, title) => `Signé et scellé : « ${title} »`,
    intro: (sender) =>
      `Tous les signataires ont signé le document envoyé par ${sender}. Il a été scellé : toute modification ultérieure peut être détectée.`,
    button: 'Obtenir le document scellé',
  },
  signers: (n) => (n === 1 ? 'Signataire' : 'Signataires'),
  declineReason: 'Motif',
  openRequest: 'Ouvrir la demande',
  signerNotices: {
    cancelled: {
      subject: (_sender, title) => `Annulé : « ${title} »`,
      intro: (sender) =>
        `${sender} a annulé la demande de signature de ce document. Vous n’avez rien à faire.`,
    },
    declined: {
      subject: (_sender, title) => `Terminé sans résultat : « ${title} »`,
      intro: (sender) =>
        `Une autre personne a refusé de signer le document envoyé par ${sender} : la demande a donc pris fin pour tous. Vous n’avez rien à faire.`,
    },
    expired: {
      subject: (_sender, title) => `Expiré : « ${title} »`,
      intro: (sender) =>
        `Le délai pour signer le document envoyé par ${sender} est écoulé et tout le monde n’a pas signé. Vous n’avez rien à faire.`,
    },
  },
  senderNotices: {
    completed: {
      subject: (_sender, title) => `Terminé : « ${title} »`,
      intro: () => 'Tout le monde a signé le document, et il est scellé.',
    },
    declined: {
      subject: (_sender, title) => `Refusé : « ${title} »`,
      intro: () => 'Un signataire a refusé de signer le document : la demande a donc pris fin pour tous.',
    },
    expired: {
      subject: (_sender, title) => `Délai écoulé : « ${title} »`,
      intro: () =>
        'Le délai pour signer le document est écoulé et tout le monde n’a pas signé. La demande a pris fin.',
    },
    mail_failed: {
      subject: (_sender, title) => `E-mail non envoyé : « ${title} »`,
      intro: () => 'Un e-mail au sujet du document n’a pas pu être envoyé.',
      next: (n) =>
        n === 1
          ? 'Veuillez vérifier l’adresse et, au besoin, joindre la personne d’une autre manière.'
          : 'Veuillez vérifier les adresses et, au besoin, joindre ces personnes d’une autre manière.',
    },
    mail_bounced: {
      subject: (_sender, title) => `E-mail non distribué : « ${title} »`,
      intro: () => 'Un e-mail au sujet du document n’a pas pu être distribué et nous a été retourné.',
      next: 'Veuillez vérifier l’adresse et, au besoin, joindre la personne d’une autre manière. Tant que vous n’avez pas renvoyé l’invitation, aucun rappel n’est envoyé à cette adresse.',
    },
    mail_complained: {
      subject: (_sender, title) => `E-mail signalé comme indésirable : « ${title} »`,
      intro: () => 'Un e-mail au sujet du document a été signalé comme indésirable du côté du destinataire.',
      next: 'Veuillez prendre contact avec la personne avant de renvoyer l’invitation. D’ici là, aucun rappel n’est envoyé à cette adresse.',
    },
    code_entry_ended: {
      subject: (_sender, title) => `Un signataire a besoin d’une nouvelle invitation : « ${title} »`,
      intro: () =>
        'Trop de codes d’accès ont été essayés ou demandés avec le lien d’un signataire. Pour protéger le document, ce lien ne permet plus de demander de codes.',
      next: 'Veuillez vous assurer que la bonne personne a le lien, puis renvoyez l’invitation. Le lien fonctionnera alors comme avant.',
    },
    sealing_failed: {
      subject: (_sender, title) => `Échec du scellement : « ${title} »`,
      intro: () => 'Tout le monde a signé le document, mais il n’a pas pu être scellé.',
      next: 'Toutes les signatures sont enregistrées. L’exploitant du service est alerté et examine le problème. Vous n’avez rien à faire pour le moment.',
    },
  },
  account: {
    signIn: {
      subject: 'Votre code de connexion',
      intro:
        'Voici le code qui vous permet de vous connecter. Saisissez-le dans le navigateur où vous l’avez demandé.',
      code: 'Votre code de connexion',
      unexpected:
        'Vous n’avez pas demandé de code ? Vous pouvez ignorer cet e-mail : le code ne fonctionne que dans le navigateur où il a été demandé. Ne le communiquez à personne.',
    },
    newMember: {
      subject: (organization) => `${organization} vous a donné accès`,
      intro: (organization) =>
        `${organization} vous a ajouté à ses membres. Vous pouvez maintenant gérer ses demandes de signature.`,
      button: 'Se connecter',
      howTo:
        'Il n’y a pas de mot de passe : vous vous connectez avec cette adresse e-mail, à laquelle un code est envoyé à chaque fois.',
      unexpected:
        'Vous n’attendiez pas cet e-mail ? Vous pouvez l’ignorer : rien ne se passe tant que vous ne vous connectez pas.',
    },
  },
};

export const CONSENT =
  'J’accepte de signer ce document par voie électronique. En signant, je confirme que j’ai lu le document, que j’ai l’intention de le signer et que je l’accepte sous forme électronique. Ma signature est une signature électronique simple. Mon nom, mon adresse e-mail, la date et l’heure, mon adresse IP et mon navigateur sont enregistrés pour en apporter la preuve. L’expéditeur peut consulter ces données, dont une partie figure dans le document signé.';

const MONTHS = 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre';

export const PDF: en.PdfTexts = {
  colon: ' :',
  kind: 'Page de signatures',
  document: 'Document',
  fingerprint: 'Empreinte',
  fingerprintNote: 'SHA-256 du document original, sans la présente page',
  requestId: 'Demande',
  sender: 'Expéditeur',
  anchor: 'Ancre',
  anchorNote: (event) =>
    `L’empreinte de l’événement ${event} du journal d’audit. Elle couvre tous les événements jusqu’à la dernière signature.`,
  verifyAt: (address) => `Ce document et son cachet peuvent être vérifiés à l’adresse ${address}.`,
  signatures: (count) => (count === 1 ? '1 signature' : `${count} signatures`),
  email: 'E-mail',
  signedAt: 'Signé le',
  firstViewed: '1er affichage',
  proof: 'Authentifié par',
  proofByLinkAndCode: 'Lien et code à usage unique envoyé par e-mail',
  ipAddress: 'Adresse IP',
  notRecorded: 'non enregistrée',
  consent: 'Consentement',
  consentOf: (language, version) => `${language}, version ${version}`,
  onBehalfOf: (entity) => `agissant pour ${entity}`,
  inTheRoleOf: (role) => `qualité : ${role}`,
  entityId: (id) => `identifiant ${id}`,
  statement:
    'Chaque signataire mentionné sur cette page a signé le document au moyen d’une signature électronique simple au sens de l’article 3, point 10, du règlement (UE) nº 910/2014 (eIDAS). Cette page a été ajoutée une fois toutes les signatures recueillies. Le service de signature a ensuite apposé sur le fichier un cachet électronique (PAdES) assorti d’un horodatage (RFC 3161). Le cachet couvre l’ensemble du fichier, y compris cette page : toute modification ultérieure peut être détectée à l’aide d’un lecteur PDF ou d’un validateur de signatures.',
  replacedCharacters:
    'Les indications entre crochets (U+…) sont les codes Unicode de caractères que cette page ne peut pas afficher. Le texte exact peut être copié depuis cette page et est conservé dans le journal d’audit.',
  test: 'Test – signé en mode test et scellé avec un certificat de test. Ce document est dépourvu de valeur juridique.',
  testWatermark: 'TEST',
  pageOf: (page, pages) => `Page ${page} sur ${pages}`,
  time: ({ year, month, day, hour, minute, second }) =>
    `${day === 1 ? '1er' : day} ${MONTHS.split(' ')[month]} ${year} à ${hour}:${minute}:${second} UTC`,
};

export const EVIDENCE: en.EvidenceTexts = {
  kind: 'Preuve de signature',
  created: 'Créée',
  level: SEAL_LEVEL,
  anchorNote: (event) => `L’empreinte de l’événement ${event}, le dernier de cette liste.`,
  signatures: 'Signatures',
  consentGiven: 'Voici le texte que les signataires ont accepté.',
  events: 'Événements',
  eventsNote:
    'Tous les événements de la demande jusqu’à la dernière signature. Chaque empreinte couvre l’événement et l’empreinte précédente : modifier, ajouter ou retirer un événement changerait l’ancre.',
  columns: { time: 'Heure (UTC)', event: 'Événement', by: 'Par', hash: 'SHA-256' },
  actors: { client: 'Expéditeur', signer: 'Signataire', service: 'Service', operator: 'Exploitant' },
  eventTypes: {
    request_created: 'Demande créée',
    invitation_sent: 'Invitation envoyée',
    invitation_failed: 'Invitation non envoyée',
    link_opened: 'Lien de signature ouvert',
    code_sent: 'Code à usage unique envoyé',
    code_rotated: 'Code à usage unique remplacé',
    signer_corrected: 'Coordonnées du signataire corrigées',
    code_failed: 'Code à usage unique non envoyé',
    code_wrong: 'Code à usage unique erroné saisi',
    link_locked: 'Verrouillé après trop de codes erronés',
    code_entry_ended: 'Saisie de codes terminée',
    code_verified: 'Code à usage unique vérifié',
    document_viewed: 'Document affiché au signataire',
    signer_signed: 'Signé',
    signer_declined: 'Signature refusée',
    request_cancelled: 'Demande annulée',
    invitation_resent: 'Invitation renvoyée',
    invitation_resend_failed: 'Invitation non renvoyée',
    reminder_sent: 'Rappel envoyé',
    reminder_failed: 'Rappel non envoyé',
    seal_queued: 'Scellement demandé',
    document_sealed: 'Document scellé',
    seal_failed: 'Échec d’une tentative de scellement',
    sealed_notice_sent: 'Avis de fin envoyé',
    sealed_notice_failed: 'Avis de fin non envoyé',
    signer_notice_sent: 'Avis au signataire envoyé',
    signer_notice_failed: 'Avis au signataire non envoyé',
    sender_notice_sent: 'Avis à l’expéditeur envoyé',
    sender_notice_failed: 'Avis à l’expéditeur non envoyé',
    mail_bounced: 'E-mail non distribué',
    mail_complained: 'E-mail signalé comme indésirable',
    document_downloaded: 'Document scellé téléchargé',
    webhook_delivered: 'Webhook livré',
    webhook_failed: 'Webhook non livré',
    request_expired: 'Demande expirée',
    document_deletion_requested: 'Suppression du document demandée',
    document_purged: 'Document supprimé',
    retention_changed: 'Conservation modifiée',
    archive_renewed: 'Horodatage des fichiers archivés renouvelé',
    person_erased: 'Données personnelles du signataire effacées',
  },
  verify: 'Comment vérifier',
  verifyDocument: (address) =>
    `Le document scellé : son SHA-256 doit être celui indiqué plus haut. ${address} le calcule et vérifie le cachet et l’horodatage.`,
  verifyFile:
    'Ce fichier : comme le document, il porte un cachet électronique horodaté (PAdES). Un validateur de signatures, ou un lecteur PDF qui vérifie les signatures, montre s’il a été modifié.',
  verifyEvents: (attachment) =>
    `Les événements : le fichier joint ${attachment} contient leurs valeurs. Chaque empreinte, jusqu’à l’ancre, peut en être recalculée.`,
  attachment: 'Les événements et leurs valeurs, pour recalculer les empreintes',
};

export const AUDIT: en.AuditTexts = {
  kind: 'Journal d’audit',
  foot: (id) => `Demande ${id} · à titre d’information, non signé`,
  notSigned: 'Ce journal d’audit est fourni à titre d’information et n’est pas signé.',
  sealIsEvidence: 'Le document scellé constitue la preuve juridique.',
  filesAreEvidence: 'Le document scellé et son fichier de preuve scellé constituent la preuve juridique.',
  asOf: (time) => `Il montre la demande dans son état du ${time}.`,
  testMark:
    'Test – créé en mode test, sans effet juridique. Les demandes de test sont scellées avec un certificat de test.',
  sections: {
    signers: 'Signataires',
    seal: 'Cachet',
    integrity: 'Intégrité de ce journal',
    webhooks: 'Annexe : livraisons de webhooks',
  },
  statuses: {
    pending: 'En attente : aucune invitation n’a encore pu être envoyée',
    sent: 'Envoyée',
    opened: 'Ouverte',
    signed: 'Signée et scellée',
    cancelled: 'Annulée',
    declined: 'Refusée',
    expired: 'Expirée',
    awaiting_stamp: 'Signée par tous, en attente du cachet',
    stamp_failed: 'Signée par tous, échec du scellement',
  },
  signerStatuses: {
    pending: 'En attente',
    sent: 'Invitation envoyée',
    opened: 'Lien ouvert',
    signed: 'A signé',
    declined: 'A refusé',
    invalidated: 'Lien invalidé',
  },
  request: {
    id: 'Identifiant',
    status: 'État',
    createdVia: 'Créée via',
    viaDashboard: 'Tableau de bord',
    sent: 'Invitations envoyées',
    opened: 'Première ouverture',
    message: 'Message',
  },
  document: {
    size: 'Taille',
    bytes: (exact) => (/^[01]$/.test(exact) ? `${exact} octet` : `${exact} octets`),
    moreAttachments: (n) => (n === 1 ? 'et 1 autre' : `et ${n} autres`),
    unnamed: 'sans nom',
    original: 'Original (SHA-256)',
    deleted: 'Supprimé',
    noSignaturePage:
      'Aucune. Le document portait déjà des signatures, qu’une page ajoutée aurait mises en doute.',
    evidenceNamesSigners: 'Le fichier de preuve nomme les signataires.',
  },
  seal: {
    format: 'Type de cachet',
    formatName: (level) => `PAdES ${level} (ETSI EN 319 142-1) avec horodatage RFC 3161`,
    file: 'Fichier scellé',
    pagesAdded: (pages) =>
      pages === 0 ? 'aucune page ajoutée' : pages === 1 ? '1 page ajoutée' : `${pages} pages ajoutées`,
  },
  signaturesNote:
    'Elles figurent ici parce que le document portait déjà des signatures et n’a donc pas reçu de page de signatures.',
  signer: {
    times: 'État et heures (UTC)',
    origin: 'Adresse IP et navigateur',
    invitedAs: (name) => `Nom dans l’invitation : ${name}`,
    sent: 'Invitation',
    viewed: 'Affichage',
    reason: (reason) => `Motif : ${reason}`,
    erased: 'Personne effacée',
    typed: 'Signature saisie',
    drawn: 'Signature dessinée',
  },
  event: {
    forSigner: (name) => `Pour ${name}`,
    inAppendix: 'Les livraisons de webhooks sont numérotées dans le même ordre et figurent en annexe.',
    leftOut: (count) =>
      `${count === 1 ? '1 entrée est omise' : `${count} entrées sont omises`} ici. L’API les donne toutes : GET /api/v1/signatures/{id}/events.`,
  },
  yes: 'oui',
  no: 'non',
  chain: {
    head: 'Tête de la chaîne',
    chain: 'Chaîne',
    intact: (events) =>
      `Intacte : ${events === 1 ? '1 événement' : `${events} événements`}, vérifiée à la création de ce fichier`,
    broken: (event) =>
      `ROMPUE à l’événement ${event} : les empreintes des événements ne correspondent pas à la tête`,
    howToRead: 'Comment la lire',
    meaning:
      'Chaque événement porte l’empreinte SHA-256 du précédent. La tête est l’empreinte du dernier : elle change si un événement est modifié, supprimé ou déplacé.',
    characters: 'Caractères',
  },
  details: {
    title: 'Titre',
    reference: 'Référence',
    filename: 'Nom du fichier',
    document_size: 'Taille en octets',
    page_count: 'Nombre de pages',
    already_signed: 'Portait déjà des signatures',
    attachments: 'Fichiers joints',
    return_url: 'Adresse de retour',
    document_sha256: 'Document (SHA-256)',
    message_sha256: 'Message (SHA-256)',
    metadata_sha256: 'Métadonnées (SHA-256)',
    sender: 'Expéditeur',
    sender_type: 'Type d’expéditeur',
    sender_id: 'Identifiant de l’expéditeur',
    created_by: 'Créée par',
    user_id: 'Identifiant de l’utilisateur',
    mode: 'Mode',
    expires_at: 'Expire',
    signers: 'Nombre de signataires',
    invited: 'Personnes invitées',
    name: 'Nom',
    email: 'Adresse e-mail',
    representing: 'Pour le compte de',
    role: 'Qualité',
    entity_id: 'Identifiant',
    locale: 'Langue',
    position: 'Rang',
    signer_id: 'Identifiant du signataire',
    signature_type: 'Type de signature',
    signature_style: 'Style de la signature',
    text: 'Texte saisi',
    drawing_sha256: 'Dessin (SHA-256)',
    consent_version: 'Version du consentement',
    consent_locale: 'Langue du consentement',
    document_hash: 'Document scellé (SHA-256)',
    evidence_hash: 'Fichier de preuve (SHA-256)',
    pages_added: 'Pages ajoutées',
    sealed_at: 'Scellé',
    sealed_size: 'Taille du fichier scellé en octets',
    subject: 'Titulaire du certificat',
    issuer: 'Émetteur du certificat',
    serial: 'Numéro du certificat',
    notBefore: 'Valide à partir du',
    notAfter: 'Valide jusqu’au',
    algorithm: 'Algorithme',
    level: 'Niveau du cachet',
    timestampAuthority: 'Autorité d’horodatage',
    timestampTime: 'Heure de l’horodatage',
    timestampSerial: 'Numéro de l’horodatage',
    timestampPolicy: 'Politique d’horodatage',
    event_type: 'Type d’événement',
    event_id: 'Identifiant d’événement',
    endpoint_id: 'Destinataire',
    http_status: 'Statut HTTP',
    duration_ms: 'Millisecondes',
    manual: 'Répétée sur demande',
    attempts_left: 'Essais restants',
    reason: 'Motif',
    code: 'Cause de l’échec',
    archive_protected: 'Conservé dans l’archive',
    renewal: 'Renouvellement',
    renewed_document_hash: 'Document renouvelé (SHA-256)',
    renewed_evidence_hash: 'Fichier de preuve renouvelé (SHA-256)',
    holds_until: 'Vérifiable de façon autonome jusqu’au',
    shown_as: 'Affiché comme',
    notice: 'Avis',
    mail: 'Type d’e-mail',
    mail_sent_at: 'E-mail envoyé',
    error: 'Erreur',
  },
  values: {
    mode: { live: 'production', test: 'test' },
    sender_type: { organization: 'organisation', user: 'personne' },
    signature_type: { typed: 'saisie', drawn: 'dessinée' },
    signature_style: { italic: 'italique', serif: 'droite', sans: 'simple' },
    notice: {
      completed: 'fin',
      declined: 'refus',
      cancelled: 'annulation',
      expired: 'expiration',
      mail_failed: 'e-mail non envoyé',
      mail_bounced: 'e-mail non distribué',
      mail_complained: 'e-mail signalé comme indésirable',
      code_entry_ended: 'saisie de codes terminée',
      sealing_failed: 'échec du scellement',
    },
    mail: {
      invitation: 'invitation',
      resend: 'invitation renvoyée',
      code: 'code à usage unique',
      reminder: 'rappel',
      completed: 'avis de fin',
      declined: 'avis de refus d’un autre signataire',
      cancelled: 'avis d’annulation',
      expired: 'avis d’expiration',
    },
  },
};
