/** The verifier's answer for a file. Words for people are in shared/texts: a finding is a code. */
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
  /** In the order of their signatures. Empty if the file has no record. */
  signers: RecordedSigner[];
}

/** As the events of the evidence say; times are those of the service's clock. */
export interface RecordedSigner {
  name: string | null;
  /** The organization that they signed for. */
  representing: string | null;
  signedAt: string;
  /** The time at which they entered a code that was mailed to them. */
  codeConfirmedAt: string | null;
  ipAddress: string | null;
}

/** Green: nothing is left to check. Amber: nothing is wrong, but something is left to check. Red: something is wrong. */
export type Level = 'green' | 'amber' | 'red';

export interface Finding {
  code: FindingCode;
  level: Level;
  /** Index of the signature that it is about; null: it is about the file. */
  signature: number | null;
}

/** The level of each finding. */
export const FINDINGS = {
  not_a_pdf: 'red',
  /** The structure cannot be read. */
  damaged: 'red',
  not_signed: 'red',
  /** The bytes that a signature covers are not those that were signed. */
  altered: 'red',
  /** A signature's own parts do not fit together. */
  signature_wrong: 'red',
  /** Something other than signatures was added or changed after the last signature, or against a certification. */
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
  /** The sealed document prints another anchor, so events were cut off or exchanged before the evidence was sealed. */
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
  /** Only what `signed_further` allows was added, but the signature locks fields: other programs take that for a change of them. */
  locked_before: 'amber',
  unknown_signer: 'amber',
  unknown_authority: 'amber',
  /** The certificate of the timestamp's authority has expired by now, so the timestamp alone proves the time no more. */
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
  /** True if the first byte to the last of the file is signed, but for the signature itself. */
  coversWholeFile: boolean;
  /** True if it certifies the document, so that later changes of what is shown are forbidden. */
  certifies: boolean;
  /** As the signature states it: not proved by anyone but its signer. */
  reason: string | null;
  /** The level that the file proves for an intact signature with a timestamp; null for others, and for timestamps. */
  lasting: Lasting | null;
}

export interface Lasting {
  /**
   * PAdES baseline level. B-LT: the file proves that no certificate of the signature's and the timestamp's chains was
   * revoked. B-LTA: a document timestamp, proved in the same way, covers those proofs.
   */
  level: 'B-T' | 'B-LT' | 'B-LTA';
  /** The end of the newest timestamp's certificate. Above B-T the file needs nobody's help until then. */
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
  /** True if it is one of those expected, or, of an authority, was issued by one. */
  expected: boolean;
}

const ORDER: readonly Level[] = ['red', 'amber', 'green'];

export const finding = (code: FindingCode, signature: number | null = null): Finding => ({
  code,
  level: FINDINGS[code],
  signature,
});

export const worstFirst = (findings: readonly Finding[]): Finding[] =>
  [...findings].sort((a, b) => ORDER.indexOf(a.level) - ORDER.indexOf(b.level));

/** Nothing found is not green: green must be earned. */
export const verdictOf = (findings: readonly Finding[]): Level => worstFirst(findings)[0]?.level ?? 'amber';

/** Intact: nothing is left but for the person to say whether the certificates are those that they expect. */
export type Judgement = Level | 'intact';

const TRUST: readonly FindingCode[] = ['unknown_signer', 'unknown_authority'];

interface Reports {
  document: Report;
  evidence: EvidenceReport | null;
}

/** One judgement of a document and, if it is there, its evidence file. */
export function judgementOf({ document, evidence }: Reports): Judgement {
  const reports: Report[] = evidence ? [document, evidence] : [document];
  const open = reports.flatMap(({ findings }) => findings).filter(({ level }) => level !== 'green');
  if (open.some(({ level }) => level === 'red')) return 'red';
  if (open.length === 0) return 'green';
  const isTrustAlone = open.every(({ code }) => TRUST.includes(code));
  return isTrustAlone && !reports.some(isSignedByStranger) ? 'intact' : 'amber';
}

/** True if somebody unknown signed after a signer whom the person expects: the look of a signature may cover what was signed. */
function isSignedByStranger({ findings, signatures }: Report): boolean {
  const unknown = findings.flatMap(({ code, signature }) =>
    code === 'unknown_signer' ? [signature ?? 0] : [],
  );
  const known = signatures.findIndex(({ kind }, index) => kind === 'signature' && !unknown.includes(index));
  return known >= 0 && unknown.some((index) => index > known);
}
