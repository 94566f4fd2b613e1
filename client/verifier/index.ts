/** The package's entry `./verifier`. */
export { type Expected, readExpected } from './certificates.ts';
export { verifyEvidence } from './evidence.ts';
export type { CertificateReport, Finding, FindingCode, Level, Report, SignatureReport } from './report.ts';
export { type VerifyOptions, verifyPdf } from './verify.ts';
