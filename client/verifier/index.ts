/** The package's entry `./verifier`. */
export { type Expected, readExpected } from './certificates.ts';
export { type SealedDocument, verifyEvidence } from './evidence.ts';
export {
  type CertificateReport,
  type EvidenceReport,
  type Finding,
  type FindingCode,
  type Judgement,
  judgementOf,
  type Lasting,
  type Level,
  type RecordedSigner,
  type Report,
  type SignatureReport,
} from './report.ts';
export { type VerifyOptions, verifyPdf } from './verify.ts';
