import type { SignerOnPage } from '../../shared/audit/signatures.ts';
import { evidenceRecord } from '../../shared/requests/evidence.ts';
import type { AuditEntry, RequestContent, RequestState, SignerState } from '../../shared/requests/model.ts';
import type { EvidenceInput } from '../../shared/stamping/evidence-file.ts';
import { auditInput, auditSigner, SEALED_SHA256 } from './audit-input.ts';
import { SHA256, signer } from './signature-input.ts';

const NAMES = ['Aino Virtanen', 'Δημήτριος Παπαδόπουλος', 'Иван Петров', 'Zoë Müller-Lüdenscheidt'];

/** The input of an evidence file with the usual events of each signer. */
export function evidenceInput(
  signerCount: number,
  changes: {
    state?: Partial<RequestState>;
    content?: Partial<RequestContent>;
    lasting?: Partial<EvidenceInput['lasting']>;
    onPage?: (index: number) => Partial<SignerOnPage>;
    /** Before the events of the signers. */
    entries?: AuditEntry[];
    signer?: Partial<SignerState>;
  } = {},
): EvidenceInput {
  const nameOf = (index: number) => NAMES[index % NAMES.length] ?? '';
  const document = { document_sha256: changes.content?.documentSha256 ?? SHA256 };
  const { request, events } = auditInput({
    state: { status: 'awaiting_stamp', signerCount, signedCount: signerCount, ...changes.state },
    ...(changes.content && { content: changes.content }),
    signers: Array.from({ length: signerCount }, (_, index) =>
      auditSigner(index, { status: 'signed', nameAsSigned: nameOf(index), ...changes.signer }),
    ),
    entries: [
      { type: 'request_created', at: time(0), actor: 'client', details: document },
      ...(changes.entries ?? []),
      ...Array.from({ length: signerCount }, (_, index) => eventsOf(index, document)).flat(),
      { type: 'seal_queued', at: time(signerCount * 10), actor: 'service' },
    ],
  });
  const last = events.at(-1);
  const anchor = last === undefined ? null : { sequence: last.sequence, hash: last.hash };
  const anchored = { ...request, state: { ...request.state, anchor } };
  return {
    request: anchored,
    record: evidenceRecord({ ...anchored, events, sealedSha256: SEALED_SHA256 }),
    signers: request.signers.map(({ email }, index) =>
      signer(nameOf(index), {
        email,
        viewedAt: time(index * 10 + 7),
        signedAt: time(index * 10 + 9),
        ...changes.onPage?.(index),
      }),
    ),
    lasting: { level: 'B-T', until: '2031-11-21T10:00:00.000Z', ...changes.lasting },
    verifyUrl: 'https://sign.example.com/verify',
  };
}

const time = (minute: number) => new Date(Date.UTC(2026, 10, 10, 8, minute)).toISOString();

function eventsOf(index: number, document: { document_sha256: string }): AuditEntry[] {
  const signerId = `signer-${index}`;
  const at = (minute: number) => time(index * 10 + minute);
  const visitor = { ipAddress: '203.0.113.7', userAgent: 'Mozilla/5.0' };
  const bySigner = { actor: 'signer', signerId, visitor } as const;
  return [
    { type: 'invitation_sent', at: at(1), actor: 'service', signerId },
    { type: 'link_opened', at: at(5), ...bySigner },
    { type: 'code_verified', at: at(6), ...bySigner },
    { type: 'document_viewed', at: at(7), ...bySigner },
    { type: 'signer_signed', at: at(9), ...bySigner, details: document },
  ];
}
