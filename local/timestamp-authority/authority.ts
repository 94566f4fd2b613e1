/**
 * A timestamp authority (RFC 3161), for stacks that need one. Its certificates are created at the first start; its time
 * is the local clock's.
 */
import { createPrivateKey, generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import forge from 'node-forge';
import type { Clock } from '../ports.ts';
import { answerTimestampRequest, type Signer } from './answer.ts';

const { pki } = forge;
const VALID_YEARS = 20;

interface Identity {
  certificate: forge.pki.Certificate;
  keyPem: string;
}

function issue(name: string, extensions: object[], now: Date, issuer?: Identity): Identity {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const keyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const certificate = pki.createCertificate();
  certificate.publicKey = pki.publicKeyFromPem(publicKey.export({ type: 'spki', format: 'pem' }).toString());
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
  certificate.validity.notBefore = new Date(now.getTime() - 86_400_000);
  certificate.validity.notAfter = new Date(now.getTime() + VALID_YEARS * 365.25 * 86_400_000);
  const subject = [
    { name: 'organizationName', value: 'Local cloud' },
    { name: 'commonName', value: name },
  ];
  certificate.setSubject(subject);
  certificate.setIssuer(issuer ? issuer.certificate.subject.attributes : subject);
  certificate.setExtensions(extensions);
  certificate.sign(pki.privateKeyFromPem(issuer?.keyPem ?? keyPem), forge.md.sha256.create());
  return { certificate, keyPem };
}

/** Creates and stores the root and the authority's own certificate. */
function createIdentity(dir: string, now: Date): void {
  const root = issue(
    'Local timestamp root',
    [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
      { name: 'subjectKeyIdentifier' },
    ],
    now,
  );
  const own = issue(
    'Local timestamp authority',
    [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', timeStamping: true, critical: true },
      { name: 'subjectKeyIdentifier' },
      {
        name: 'authorityKeyIdentifier',
        keyIdentifier: root.certificate.generateSubjectKeyIdentifier().getBytes(),
      },
    ],
    now,
    root,
  );
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  writeFileSync(join(dir, 'key.pem'), own.keyPem, { mode: 0o600 });
  writeFileSync(join(dir, 'certificate.pem'), pki.certificateToPem(own.certificate));
  writeFileSync(join(dir, 'ca.pem'), pki.certificateToPem(root.certificate));
}

export class TimestampAuthority {
  readonly caFile: string;
  readonly #dir: string;
  readonly #clock: Clock;
  #signer: Signer | undefined;

  constructor(dir: string, clock: Clock) {
    this.#dir = dir;
    this.#clock = clock;
    this.caFile = join(dir, 'ca.pem');
    if (!existsSync(this.caFile)) createIdentity(dir, new Date(clock.now()));
  }

  answer(request: Uint8Array): Buffer {
    this.#signer ??= {
      certificate: new X509Certificate(readFileSync(join(this.#dir, 'certificate.pem'))).raw,
      key: createPrivateKey(readFileSync(join(this.#dir, 'key.pem'))),
      issuers: [],
    };
    return answerTimestampRequest(request, this.#signer, new Date(this.#clock.now()));
  }
}
