/**
 * A timestamp authority (RFC 3161), for stacks that need one. Its certificate is issued at the first start; its time is
 * the local clock's.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import forge from 'node-forge';
import { CertificateAuthority } from '../certificate-authority/authority.ts';
import type { Clock } from '../ports.ts';
import { answerTimestampRequest, type Signer } from './answer.ts';

const { pki } = forge;

/** Issues and stores the authority's own certificate. */
function createIdentity(dir: string, root: CertificateAuthority): void {
  const own = root.issue('Local timestamp authority', [
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, critical: true },
    { name: 'extKeyUsage', timeStamping: true, critical: true },
  ]);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  writeFileSync(join(dir, 'key.pem'), own.keyPem, { mode: 0o600 });
  writeFileSync(join(dir, 'certificate.pem'), pki.certificateToPem(own.certificate));
}

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
    if (!existsSync(join(this.#dir, 'certificate.pem'))) createIdentity(this.#dir, this.#root);
    this.#signer ??= {
      certificate: new X509Certificate(readFileSync(join(this.#dir, 'certificate.pem'))).raw,
      key: createPrivateKey(readFileSync(join(this.#dir, 'key.pem'))),
      issuers: [],
    };
    return answerTimestampRequest(request, this.#signer, new Date(this.#clock.now()));
  }
}
