import { readFile } from 'node:fs/promises';
import { printable } from '../../shared/runtime/columns.ts';
import { VERIFY } from '../../shared/texts/en/service.ts';
import {
  type CertificateReport,
  type EvidenceReport,
  judgementOf,
  type Level,
  type Report,
} from '../verifier/index.ts';
import { toldAs } from '../verifier/report.ts';
import { checkFiles } from './check-files.ts';
import { command } from './command.ts';
import { ofFile } from './problem.ts';

const MARKS: Readonly<Record<Level, string>> = { green: '✓', amber: '!', red: '✗' };

export const verify = command({
  name: 'verify',
  summary: 'Say who sealed a PDF, and whether it was changed since; exit code 0 if nothing is left to check',
  args: ['FILE', '[EVIDENCE]'],
  options: {
    trust: {
      type: 'string',
      value: 'FILE',
      help: 'Certificates that you trust: SHA-256 fingerprints, PEM, or both',
    },
  },
  run: async ([file = '', evidenceFile], { trust }) => {
    const paths = { file, evidence: evidenceFile, trust };
    const { document, evidence } = await checkFiles(paths, read);
    const judgement = judgementOf({ document, evidence });
    const { heading, text } = VERIFY.verdicts[toldAs({ document, evidence })];
    const parts = [
      `${heading}\n${text}`,
      textOf(document),
      ...(evidence ? [`${VERIFY.evidence}\n${textOf(evidence)}\n${signersOf(evidence)}`] : []),
      VERIFY.limits,
    ];
    return {
      text: parts.join('\n\n'),
      json: { judgement, document, evidence },
      exitCode: judgement === 'green' ? 0 : 1,
    };
  },
});

/** Node's error for a folder names no path. */
const read = (path: string): Promise<Uint8Array> =>
  readFile(path).catch((error: unknown) => {
    throw ofFile(path, error);
  });

function textOf({ findings, signatures, sha256 }: Report): string {
  const sentences = findings.map(({ code, level, signature }) => {
    const whose = signatures.length > 1 && signature !== null ? `${VERIFY.ofSignature(signature + 1)} ` : '';
    return `  ${MARKS[level]} ${whose}${VERIFY.findings[code]}`;
  });
  const facts = signatures.flatMap(({ kind, signer, timestamp, lasting, reason }, index) => [
    ...(signatures.length > 1
      ? [[VERIFY.ofSignature(index + 1), kind === 'timestamp' ? VERIFY.documentStamp : VERIFY.seal]]
      : []),
    ...certificate(VERIFY.by, signer),
    ...(timestamp
      ? [[VERIFY.time, timestamp.time], ...certificate(VERIFY.authority, timestamp.authority)]
      : []),
    ...(lasting ? [[VERIFY.level.name, VERIFY.level.told[lasting.level](lasting.until)]] : []),
    ...(reason ? [[VERIFY.reason, reason]] : []),
  ]);
  return [...sentences, '', ...[...facts, [VERIFY.hash, sha256]].map(row)].join('\n');
}

const signersOf = ({ signers }: EvidenceReport): string =>
  signers
    .flatMap(({ name, representing, signedAt, codeConfirmedAt }) => [
      [VERIFY.signedBy, `${name ?? VERIFY.unreadable}${representing ? ` (${representing})` : ''}`],
      [VERIFY.signedAt, signedAt],
      [VERIFY.codeConfirmed, codeConfirmedAt ?? VERIFY.unreadable],
    ])
    .map(row)
    .join('\n');

const certificate = (whose: string, given: CertificateReport | null): string[][] =>
  given
    ? [
        [whose, given.subject],
        [VERIFY.issuer, given.issuer],
        [VERIFY.fingerprint, given.fingerprint],
      ]
    : [];

const row = ([label = '', value = '']: string[]): string => `  ${label.padEnd(24)}  ${printable(value)}`;
