/**
 * A timestamp authority (RFC 3161), for stacks that need one. Its certificate is issued at the first start; its time is
 * the local clock's.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CertificateAuthority } from '../certificate-authority/authority.ts';
import { issuerIn } from '../certificate-authority/issue.ts';
import type { Clock } from '../ports.ts';
import { answerTimestampRequest, type Signer } from './answer.ts';

const EXTENSIONS = [
  { name: 'basicConstraints', cA: false, critical: true },
  { name: 'keyUsage', digitalSignature: true, critical: true },
  { name: 'extKeyUsage', timeStamping: true, critical: true },
];

export class TimestampAuthority {
  /** The root's certificate. */
  readonly caFile: string;
  readonly #dir: string;
  readonly #root: CertificateAuthority;
  readonly #clock: Clock;
  #signer: Signer | undefined;

  constructor(dir: string, clock: Clock, root = new CertificateAuthority(join(dir, 'ca'), clock)) {
    this.caFile = root.caFile;
    this.#dir = dir;
    this.#root = root;
    this.#clock = clock;
  }

  answer(request: Uint8Array): Buffer {
    if (!existsSync(join(this.#dir, 'certificate.pem')))
      this.#root.issue(this.#dir, 'Local timestamp authority', EXTENSIONS);
    this.#signer ??= { ...issuerIn(this.#dir), issuers: [] };
    return answerTimestampRequest(request, this.#signer, new Date(this.#clock.now()));
  }
}
