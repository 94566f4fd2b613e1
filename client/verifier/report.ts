/** The verifier's result for a file. Findings are codes; shared/texts has the sentences. */
export interface Report {
  verdict: Level;
  /** Worst first. */
  findings: Finding[];
  /** Lower-case hexadecimal, of the whole file. */
  sha256: string;
  size: number;
  /** Oldest first. Empty if the file cannot be read or has none. */
  signatures: SignatureReport[];
}

export interface EvidenceReport extends Report {
  /** In the order of signing. Empty if the file has no record. */
  signers: RecordedSigner[];
}

/** According to the events of the evidence. Times are those of the service's clock. */
export interface RecordedSigner {
  name: string | null;
  /** The organization that was signed for. */
  representing: string | null;
  signedAt: string;
  /** The time at which the signer entered the code from the mail. */
  codeConfirmedAt: string | null;
  ipAddress: string | null;
}

/** Green: everything was checked and is right. Amber: nothing is proved to be wrong, but something is left to check. Red: something is wrong. */
export type Level = 'green' | 'amber' | 'red';

export interface Finding {
  code: FindingCode;
  level: Level;
  /** Index of the signature that the finding is about; null for the whole file. */
  signature: number | null;
}

/** The level of each finding. */
const FINDINGS = {
  not_a_pdf: 'red',
  /** The structure cannot be read. */
  damaged: 'red',
  not_signed: 'red',
  /** The bytes that a signature covers are not those that were signed. */
  altered: 'red',
  /** A signature's own parts do not fit together. */
  signature_wrong: 'red',
  /** Something other than signatures was added or changed after the last signature, whatever timestamp covers it, or against a certification. */
  changed_after: 'red',
  timestamp_wrong: 'red',
  /** The certificate was not valid at the time of the timestamp, or the file proves that it was revoked by then. */
  certificate_not_valid: 'red',
  /** The evidence file is about another document. */
  evidence_of_other: 'red',
  /** The evidence file has no record. */
  evidence_missing: 'red',
  /** The events in the evidence file do not form one chain to its anchor. */
  evidence_chain_broken: 'red',
  /** The sealed document prints another anchor, so events were removed or replaced before the evidence was sealed. */
  evidence_anchor_differs: 'red',

  too_large: 'amber',
  too_complex: 'amber',
  encrypted: 'amber',
  /** Weak or unknown algorithms, or a kind of signature that is not known. */
  cannot_check: 'amber',
  /** The key is too weak, or the certificate is not for signatures. */
  certificate_unsuitable: 'amber',
  no_timestamp: 'amber',
  /** Changed between this signature and a later one, which covers the change. */
  changed_between: 'amber',
  /** The metadata were changed after this signature: title, author and the like, which show on no page. */
  metadata_changed: 'amber',
  /** Only what `signed_further` allows was added, but the signature locks fields, and other programs report a change. */
  locked_before: 'amber',
  unknown_signer: 'amber',
  unknown_authority: 'amber',
  /** The certificate of the timestamp authority has expired, so the timestamp alone no longer proves the time. */
  authority_expired: 'amber',
  /** The timestamp is later than this device's clock. */
  time_ahead: 'amber',
  evidence_by_other: 'amber',

  covers_all: 'green',
  /** Only signatures, timestamps or data for their validation were added after the signature. */
  signed_further: 'green',
  evidence_fits: 'green',
} as const satisfies Record<string, Level>;

export type FindingCode = keyof typeof FINDINGS;

export interface SignatureReport {
  /** A document timestamp has an authority and no signer. */
  kind: 'signature' | 'timestamp';
  /** Null if it cannot be read. */
  signer: CertificateReport | null;
  timestamp: { time: string; authority: CertificateReport } | null;
  /** True if the whole file is signed, except for the signature itself. */
  coversWholeFile: boolean;
  /** True if it certifies the document, which forbids later visible changes. */
  certifies: boolean;
  /** As stated by the signer; not proved otherwise. */
  reason: string | null;
  /** The level that the file proves for an intact signature with a timestamp; null otherwise. */
  lasting: Lasting | null;
}

export interface Lasting {
  /**
   * PAdES baseline level. B-LT: the file proves that no certificate of the signature's and the timestamp's chains was
   * revoked. B-LTA: a document timestamp, proved in the same way, covers those proofs.
   */
  level: 'B-T' | 'B-LT' | 'B-LTA';
  /** The end of the newest timestamp's certificate. Above B-T the file can be verified offline until then. */
  until: string;
}

export interface CertificateReport {
  /** "CN=…, O=…". */
  subject: string;
  issuer: string;
  /** Hexadecimal. */
  serial: string;
  notBefore: string;
  notAfter: string;
  /** Lower-case hexadecimal SHA-256 of the certificate. */
  fingerprint: string;
  /** True if the certificate is trusted, or is an authority's that a trusted one has issued. */
  expected: boolean;
}

const ORDER: readonly Level[] = ['red', 'amber', 'green'];

export const finding = (code: FindingCode, signature: number | null = null): Finding => ({
  code,
  level: FINDINGS[code],
  signature,
});

const MOST_SHOWN = 300;

/** As much of a text as a page can show at once, without half a character at the end. */
export const shownText = (text: string): string =>
  [...text.slice(0, 2 * MOST_SHOWN)].slice(0, MOST_SHOWN).join('');

export const worstFirst = (findings: readonly Finding[]): Finding[] =>
  [...findings].sort((a, b) => ORDER.indexOf(a.level) - ORDER.indexOf(b.level));

/** True if a signature is right, and nothing was added since but further signatures, data for their validation and metadata. */
export const isIntact = (findings: readonly Finding[], index: number): boolean =>
  !findings.some(
    ({ signature, level, code }) => signature === index && (level === 'red' || code === 'changed_between'),
  );

/** Amber without findings: green needs a green finding. */
export const verdictOf = (findings: readonly Finding[]): Level => worstFirst(findings)[0]?.level ?? 'amber';

/** Intact: only the user can say whether the certificates are the expected ones. */
export type Judgement = Level | 'intact';

const TRUST: readonly FindingCode[] = ['unknown_signer', 'unknown_authority'];

export interface Reports {
  document: Report;
  evidence: EvidenceReport | null;
}

/** One judgement of a document and, if given, its evidence file. */
export function judgementOf({ document, evidence }: Reports): Judgement {
  const reports: Report[] = evidence ? [document, evidence] : [document];
  const open = reports.flatMap(({ findings }) => findings).filter(({ level }) => level !== 'green');
  if (open.some(({ level }) => level === 'red')) return 'red';
  if (open.length === 0) return 'green';
  const isTrustAlone = open.every(({ code }) => TRUST.includes(code));
  return isTrustAlone && !reports.some(isSignedByStranger) ? 'intact' : 'amber';
}

/** Which sentences tell the judgement: a wrong evidence file makes the whole red, but says nothing against the document. */
export function toldAs(reports: Reports): Judgement | 'evidence' {
  const judgement = judgementOf(reports);
  return judgement === 'red' && reports.document.verdict !== 'red' ? 'evidence' : judgement;
}

/** True if an unknown signer signed after somebody else: the appearance of a signature may cover what was signed. */
function isSignedByStranger({ findings, signatures }: Report): boolean {
  const unknown = findings.flatMap(({ code, signature }) => (code === 'unknown_signer' ? [signature] : []));
  const signers = signatures.flatMap(({ kind, signer }, index) =>
    kind === 'signature' ? [{ isUnknown: unknown.includes(index), fingerprint: signer?.fingerprint }] : [],
  );
  return signers.some(
    ({ isUnknown, fingerprint }, place) =>
      isUnknown && place > 0 && fingerprint !== signers[place - 1]?.fingerprint,
  );
}
