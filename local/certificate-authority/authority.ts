/**
 * A certificate authority on this machine: a root whose certificates name addresses for its OCSP responder and revocation
 * list, which answer that nothing was ever revoked. Programs of this machine may issue with its key.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../ports.ts';
import { type Addresses, addressExtensions, certificateIn, issue, issuerIn } from './issue.ts';
import { answerOcspRequest, emptyRevocationList, type Issuer } from './proofs.ts';

export class CertificateAuthority {
  /** Certificate, key, and `addresses.json`. */
  readonly #folder: string;
  readonly caFile: string;
  readonly #clock: Clock;
  #issuer: Issuer | undefined;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.caFile = join(folder, 'certificate.pem');
    this.#clock = clock;
    if (!existsSync(this.caFile)) issue(folder, 'Local root', ROOT_EXTENSIONS, new Date(clock.now()));
  }

  /** Sets the addresses that certificates issued from now on will name. */
  listensAt(url: string): void {
    const addresses: Addresses = { issuer: `${url}/issuer`, ocsp: `${url}/ocsp`, list: `${url}/list` };
    writeFileSync(join(this.#folder, 'addresses.json'), `${JSON.stringify(addresses, null, 2)}\n`);
  }

  /** Issues a certificate and its key into a folder. */
  issue(folder: string, name: string, extensions: object[]): void {
    const keyIdentifier = certificateIn(this.#folder).generateSubjectKeyIdentifier().getBytes();
    const all = [
      ...extensions,
      ...this.#addresses(),
      { name: 'subjectKeyIdentifier' },
      { name: 'authorityKeyIdentifier', keyIdentifier },
    ];
    issue(folder, name, all, new Date(this.#clock.now()), this.#folder);
  }

  /** Empty until `listensAt` is called. */
  #addresses(): object[] {
    const file = join(this.#folder, 'addresses.json');
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
    this.#issuer ??= issuerIn(this.#folder);
    return this.#issuer;
  }
}

const ROOT_EXTENSIONS = [
  { name: 'basicConstraints', cA: true, critical: true },
  { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
  { name: 'subjectKeyIdentifier' },
];
