import type { AuditTexts, EvidenceTexts, MailTexts, PdfTexts } from '../en/service.ts';
import { SEAL_LEVEL } from './page.ts';

export const MAIL: MailTexts = {
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

export const PDF: PdfTexts = {
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
    'Chaque signataire mentionné sur cette page a signé le document au moyen d’une signature électronique simple au ' +
    'sens de l’article 3, point 10, du règlement (UE) nº 910/2014 (eIDAS). Cette page a été ajoutée une fois toutes ' +
    'les signatures recueillies. Le service de signature a ensuite apposé sur le fichier un cachet électronique ' +
    '(PAdES) assorti d’un horodatage (RFC 3161). Le cachet couvre l’ensemble du fichier, y compris cette page : ' +
    'toute modification ultérieure peut être détectée à l’aide d’un lecteur PDF ou d’un validateur de signatures.',
  replacedCharacters:
    'Les indications entre crochets (U+…) sont les codes Unicode de caractères que cette page ne peut pas afficher. ' +
    'Le texte exact peut être copié depuis cette page et est conservé dans le journal d’audit.',
  test: 'Test – signé en mode test et scellé avec un certificat de test. Ce document est dépourvu de valeur juridique.',
  testWatermark: 'TEST',
  pageOf: (page, pages) => `Page ${page} sur ${pages}`,
  time: ({ year, month, day, hour, minute, second }) =>
    `${day === 1 ? '1er' : day} ${MONTHS.split(' ')[month]} ${year} à ${hour}:${minute}:${second} UTC`,
};

export const EVIDENCE: EvidenceTexts = {
  kind: 'Preuve de signature',
  created: 'Créée',
  level: SEAL_LEVEL,
  anchorNote: (event) => `L’empreinte de l’événement ${event}, le dernier de cette liste.`,
  signatures: 'Signatures',
  consentGiven: 'Voici le texte que les signataires ont accepté.',
  events: 'Événements',
  eventsNote:
    'Tous les événements de la demande jusqu’à la dernière signature. Chaque empreinte couvre l’événement et ' +
    'l’empreinte précédente : modifier, ajouter ou retirer un événement changerait l’ancre.',
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
    'Ce fichier : comme le document, il porte un cachet électronique horodaté (PAdES). Tout lecteur PDF ou ' +
    'validateur de signatures montre s’il a été modifié.',
  verifyEvents: (attachment) =>
    `Les événements : le fichier joint ${attachment} contient leurs valeurs. Chaque empreinte, jusqu’à l’ancre, peut en être recalculée.`,
  attachment: 'Les événements et leurs valeurs, pour recalculer les empreintes',
};

export const AUDIT: AuditTexts = {
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
      'Chaque événement porte l’empreinte SHA-256 du précédent. La tête est l’empreinte du dernier : elle change si un ' +
      'événement est modifié, supprimé ou déplacé.',
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
