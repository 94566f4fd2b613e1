/**
 * A certificate authority on this machine: a root whose certificates name addresses for its OCSP responder and revocation
 * list, which answer that nothing was ever revoked. Programs of this machine may issue with its key.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import forge from 'node-forge';
import type { Clock } from '../ports.ts';
import { type Addresses, addressExtensions, type Identity, issue } from './issue.ts';
import { answerOcspRequest, emptyRevocationList, type Issuer } from './proofs.ts';

const { pki } = forge;

export class CertificateAuthority {
  /** Certificate, key, and `addresses.json`. */
  readonly folder: string;
  readonly caFile: string;
  readonly #clock: Clock;
  #issuer: Issuer | undefined;

  constructor(folder: string, clock: Clock) {
    this.folder = folder;
    this.caFile = join(folder, 'certificate.pem');
    this.#clock = clock;
    if (!existsSync(this.caFile)) createRoot(folder, new Date(clock.now()));
  }

  /** Says where it answers, for the certificates issued from now on. */
  listensAt(url: string): void {
    const addresses: Addresses = { issuer: `${url}/issuer`, ocsp: `${url}/ocsp`, list: `${url}/list` };
    writeFileSync(join(this.folder, 'addresses.json'), `${JSON.stringify(addresses, null, 2)}\n`);
  }

  issue(name: string, extensions: object[]): Identity {
    const certificate = pki.certificateFromPem(readFileSync(this.caFile, 'utf8'));
    const issuer = { certificate, keyPem: readFileSync(join(this.folder, 'key.pem'), 'utf8') };
    const keyIdentifier = certificate.generateSubjectKeyIdentifier().getBytes();
    const all = [
      ...extensions,
      ...this.#addresses(),
      { name: 'subjectKeyIdentifier' },
      { name: 'authorityKeyIdentifier', keyIdentifier },
    ];
    return issue(name, all, new Date(this.#clock.now()), issuer);
  }

  /** None before it is said where it answers. */
  #addresses(): object[] {
    const file = join(this.folder, 'addresses.json');
    if (!existsSync(file)) return [];
    const addresses: Addresses = JSON.parse(readFileSync(file, 'utf8'));
    return addressExtensions(addresses);
  }

  get certificate(): Uint8Array {
    return this.#signer.certificate;
  }

  answerOcsp(request: Uint8Array): Buffer {
    return answerOcspRequest(request, this.#signer, new Date(this.#clock.now()));
  }

  revocationList(): Buffer {
    return emptyRevocationList(this.#signer, new Date(this.#clock.now()));
  }

  get #signer(): Issuer {
    this.#issuer ??= {
      certificate: new X509Certificate(readFileSync(this.caFile)).raw,
      key: createPrivateKey(readFileSync(join(this.folder, 'key.pem'))),
    };
    return this.#issuer;
  }
}

function createRoot(folder: string, now: Date): void {
  const root = issue(
    'Local root',
    [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
      { name: 'subjectKeyIdentifier' },
    ],
    now,
  );
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'key.pem'), root.keyPem, { mode: 0o600 });
  writeFileSync(join(folder, 'certificate.pem'), pki.certificateToPem(root.certificate));
}
