import { PDFDocument } from 'pdf-lib';
import { sha256Hex } from '../../../shared/runtime/hash.ts';
import { pkcs12Key } from '../../../shared/sealing/keys/pkcs12.ts';
import { HashedOriginal } from '../../../shared/sealing/original.ts';
import { seal } from '../../../shared/sealing/seal.ts';
import { sealOwn } from '../../../shared/sealing/seal-own.ts';
import { evidenceReason } from '../../../shared/sealing/seal-reasons.ts';
import { makeEvidenceFile } from '../../../shared/stamping/evidence-file.ts';
import { makeSignaturePage } from '../../../shared/stamping/signature-page.ts';
import { type DemoIdentity, makeDemoCa, makeDemoSealIdentity, toPkcs12 } from '../../support/demo-keys.ts';
import { evidenceInput } from '../../support/evidence-input.ts';
import { pageInput } from '../../support/signature-input.ts';
import { makeTestAuthority, type TestAuthority, timestamperOf } from '../../support/timestamp-authority.ts';
import type { Shape } from './kinds.ts';
import { prepared } from './shadows.ts';

const ORIGINAL = await contract('Contract', false);
/** The evidence of a request whose signer signed it. */
const INPUT = evidenceInput(1, { content: { documentSha256: sha256Hex(ORIGINAL) } });

/** Seals files with one key and one timestamp authority. */
export class Sealer {
  readonly ca: DemoIdentity;
  readonly tsa: TestAuthority;
  readonly identity: DemoIdentity;
  readonly #now: Date;

  /** Each has keys of its own under the same names. */
  constructor(now: Date) {
    this.#now = now;
    this.ca = makeDemoCa(now, 'Demo CA', { algorithm: 'rsa' });
    this.tsa = makeTestAuthority({ now, algorithm: 'rsa' });
    this.identity = makeDemoSealIdentity(this.ca, { now, algorithm: 'rsa' });
  }

  get #signer() {
    return {
      key: pkcs12Key(toPkcs12(this.identity, 'x'), 'x'),
      timestamp: timestamperOf(this.tsa),
      now: this.#now,
    };
  }

  async seal(bytes: Uint8Array): Promise<Buffer> {
    return (await seal({ original: new HashedOriginal(bytes), ...this.#signer })).bytes;
  }

  /** A document as the service seals it: its page prints the anchor of its evidence. */
  async withSignersPage(): Promise<Buffer> {
    const { anchor, requestId } = INPUT.record;
    const signaturePage = await makeSignaturePage(pageInput({ anchor }));
    const reason = `All signers of request ${requestId} have signed`;
    return (await seal({ original: new HashedOriginal(ORIGINAL), signaturePage, reason, ...this.#signer }))
      .bytes;
  }

  /** The evidence file of a sealed document. */
  async evidence(sealedSha256: string): Promise<Buffer> {
    const pdf = await makeEvidenceFile({ ...INPUT, record: { ...INPUT.record, sealedSha256 } });
    return sealOwn({ pdf, ...this.#signer, reason: evidenceReason(INPUT.record.requestId) });
  }

  async all(): Promise<Record<Shape, Buffer>> {
    const table = await this.seal(ORIGINAL);
    return {
      table,
      streams: await this.seal(await contract('Other contract', true)),
      twice: await this.seal(table),
      prepared: await this.seal(prepared()),
      evidence: await this.evidence('0'.repeat(64)),
    };
  }
}

async function contract(text: string, useObjectStreams: boolean): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (let page = 1; page <= 2; page += 1)
    document.addPage([595, 842]).drawText(`${text}, page ${page}`, { x: 60, y: 760 });
  await document.attach(Buffer.from('<invoice/>'), 'invoice.xml');
  return document.save({ useObjectStreams });
}
