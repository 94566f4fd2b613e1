import { finding, judgementOf, type SignatureReport } from '../../../client/verifier/report.ts';

const signature = (kind: SignatureReport['kind']): SignatureReport => ({
  kind,
  signer: null,
  timestamp: null,
  coversWholeFile: false,
  certifies: false,
  reason: null,
  lasting: null,
});

/** The judgement of a file with these signatures, oldest first. */
function judged(...signers: ('known' | 'unknown' | 'timestamp')[]) {
  const signatures = signers.map((signer) => signature(signer === 'timestamp' ? signer : 'signature'));
  const findings = signers.map((signer, index) =>
    finding(signer === 'unknown' ? 'unknown_signer' : 'signed_further', index),
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

  it('is no more than amber where a stranger signed after an expected signer, whose document the look may cover', () => {
    expect(judged('known', 'unknown')).toBe('amber');
    expect(judged('unknown', 'known', 'unknown')).toBe('amber');
  });
});
