import type { InsteadTexts, LanguageTexts, LevelTexts, PageTexts, VerifyTexts } from '../en/page.ts';

const tries = (n: number) => (n === 1 ? '1 essai' : `${n} essais`);

export const LANGUAGE: LanguageTexts = { label: 'Langue', name: 'Français' };

export const INSTEAD: InsteadTexts = {
  notLoaded:
    'La page n’est pas encore chargée. Si elle ne s’affiche pas, vérifiez votre connexion et rechargez la page, ou ouvrez le lien dans un navigateur plus récent.',
  noScript: {
    sign: 'Cette page a besoin de JavaScript pour afficher le document et recueillir votre signature. Activez-le pour cette page ou ouvrez le lien dans un autre navigateur.',
    verify:
      'Cette page a besoin de JavaScript pour vérifier le fichier sur votre appareil. Activez-le pour cette page ou utilisez un autre navigateur.',
    app: 'Cette page a besoin de JavaScript. Activez-le pour cette page ou utilisez un autre navigateur.',
  },
};

export const PAGE: PageTexts = {
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
export const SEAL_LEVEL: LevelTexts = {
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

export const VERIFY: VerifyTexts = {
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
      text: 'Rien ne s’est révélé faux, mais tout n’a pas pu être vérifié.',
    },
    red: { heading: 'Ne vous fiez pas à ce fichier', text: 'Quelque chose ne va pas.' },
  },
  ofSignature: (number) => `Signature nº ${number} :`,
  findings: {
    not_a_pdf: 'Le fichier n’est pas un PDF.',
    damaged: 'Le fichier est endommagé : sa structure est illisible.',
    not_signed:
      'Le PDF ne porte aucune signature. C’est peut-être une copie faite en l’imprimant ou en l’enregistrant à nouveau.',
    altered: 'Le fichier n’est pas celui qui a été signé : son contenu a été modifié.',
    signature_wrong: 'La signature n’est pas valide : ses parties ne concordent pas.',
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
      'Le fichier de preuve concerne ce document et est scellé avec le même certificat ; ses événements sont complets.',
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
