import {
  type CertificateReport,
  type FindingCode,
  finding,
  type Judgement,
  judgementOf,
  type Report,
  type SignatureReport,
  toldAs,
  verdictOf,
} from '../../../client/verifier/report.ts';

const certificate = (fingerprint: string): CertificateReport => ({
  subject: '',
  issuer: '',
  serial: '',
  notBefore: '',
  notAfter: '',
  fingerprint,
  expected: false,
});

const signature = (signer: string): SignatureReport => ({
  kind: signer === 'timestamp' ? 'timestamp' : 'signature',
  signer: certificate(signer),
  timestamp: null,
  coversWholeFile: false,
  certifies: false,
  reason: null,
  lasting: null,
});

/** The judgement of a file with these signatures, oldest first. */
function judged(...signers: ('known' | 'unknown' | 'another unknown' | 'timestamp')[]) {
  const signatures = signers.map(signature);
  const findings = signers.map((signer, index) =>
    finding(signer.endsWith('unknown') ? 'unknown_signer' : 'signed_further', index),
  );
  const document = { verdict: 'amber' as const, findings, sha256: '', size: 0, signatures };
  return judgementOf({ document, evidence: null });
}

describe('the judgement of a file', () => {
  it('is green where every signer is expected', () => {
    expect(judged('known', 'timestamp', 'known')).toBe('green');
  });

  it('is that it is intact where only the signers are to be compared, or somebody else signed before', () => {
    expect(judged('unknown')).toBe('intact');
    expect(judged('unknown', 'unknown')).toBe('intact');
    expect(judged('unknown', 'known')).toBe('intact');
    expect(judged('timestamp', 'unknown')).toBe('intact');
  });

  it('is no more than amber where a stranger signed after somebody else, whose document the look may cover', () => {
    expect(judged('known', 'unknown')).toBe('amber');
    expect(judged('unknown', 'known', 'unknown')).toBe('amber');
    expect(judged('unknown', 'another unknown')).toBe('amber');
    expect(judged('unknown', 'timestamp', 'another unknown')).toBe('amber');
  });

  const report = (...codes: FindingCode[]): Report => ({
    verdict: 'amber',
    findings: codes.map((code) => finding(code)),
    sha256: '',
    size: 0,
    signatures: [],
  });

  it.each<[Judgement, FindingCode[], FindingCode[]]>([
    ['green', ['covers_all'], ['covers_all', 'evidence_fits']],
    ['intact', ['unknown_signer', 'unknown_authority'], ['unknown_authority']],
    ['amber', ['unknown_signer', 'no_timestamp'], ['evidence_fits']],
    ['amber', ['covers_all'], ['unknown_signer', 'evidence_by_other']],
    ['red', ['unknown_signer', 'altered'], ['evidence_fits']],
    ['red', ['covers_all'], ['no_timestamp', 'evidence_missing']],
  ])('is %s by %j and evidence with %j', (judgement, document, evidence) => {
    expect(
      judgementOf({ document: report(...document), evidence: { ...report(...evidence), signers: [] } }),
    ).toBe(judgement);
  });

  it.each<[ReturnType<typeof toldAs>, FindingCode, FindingCode]>([
    ['evidence', 'covers_all', 'evidence_missing'],
    ['evidence', 'unknown_signer', 'not_signed'],
    ['red', 'changed_after', 'evidence_of_other'],
    ['green', 'covers_all', 'evidence_fits'],
  ])('is told as %s where a document has %s and its evidence %s', (told, document, evidence) => {
    const made = report(document);
    const reports = {
      document: { ...made, verdict: verdictOf(made.findings) },
      evidence: { ...report(evidence), signers: [] },
    };
    expect(toldAs(reports)).toBe(told);
  });

  it('is no more than amber where a stranger signed the evidence after an expected signer', () => {
    const signatures = [signature('known'), signature('unknown')];
    const evidence = { ...report(), findings: [finding('unknown_signer', 1)], signatures, signers: [] };
    expect(judgementOf({ document: report('covers_all'), evidence })).toBe('amber');
  });
});
