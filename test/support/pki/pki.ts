import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { answerTimestampRequest } from '../../../local/timestamp-authority/answer.ts';
import { readCertificate } from '../../../shared/sealing/certificate.ts';
import { encode } from '../../../shared/sealing/der-encode.ts';
import type { SealKey } from '../../../shared/sealing/keys/port.ts';
import { RetrievalFault, type Retrieve } from '../../../shared/sealing/long-term/retrieve.ts';
import { OIDS } from '../../../shared/sealing/oids.ts';
import {
  type DemoIdentity,
  extensions,
  issueDemo,
  type KeyAlgorithm,
  makeDemoCa,
  makeDemoSealIdentity,
} from '../demo-keys.ts';
import { listenHere, originOf } from '../loopback.ts';
import { sealKeyOf } from '../seal-key-of.ts';
import { answerOcspRequest, type OcspDeviations, type Standing } from './ocsp.ts';
import { type ListDeviations, revocationList } from './revocation-list.ts';

type CaName = 'root' | 'seals' | 'timestamps';
type Service = 'ocsp' | 'list' | 'issuer';

/** The faults of one address. */
export interface Fault {
  /** An HTTP status, without a body. */
  status?: number;
  /** Another body. */
  body?: Uint8Array;
  /** Never answers, and tells that it was asked. */
  hangs?: () => void;
  ocsp?: OcspDeviations;
  list?: ListDeviations;
  /** The CA's own key signs, or this delegate of it. */
  responder?: DemoIdentity;
}

/**
 * A public-key infrastructure on loopback: a root, two issuing CAs, a seal's and an authority's certificate. RSA keys, if asked
 * for, take long to make.
 */
export class Pki {
  readonly url: string;
  readonly root: DemoIdentity;
  readonly seals: DemoIdentity;
  readonly timestamps: DemoIdentity;
  readonly seal: DemoIdentity;
  /** Of the seal's certificate. */
  readonly sealKey: SealKey;
  readonly authority: DemoIdentity;
  /** The authority that answers at `stampUrl`. */
  stampsWith: DemoIdentity;
  now: Date;
  /** Requests so far, by address: `seals/ocsp`. */
  readonly counts = new Map<string, number>();
  readonly #faults = new Map<string, Fault>();
  readonly #standings = new Map<string, Standing>();
  readonly #algorithm: KeyAlgorithm;
  readonly #close: () => Promise<void>;

  private constructor(
    url: string,
    now: Date,
    name: string,
    algorithm: KeyAlgorithm,
    close: () => Promise<void>,
  ) {
    this.url = url;
    this.now = now;
    this.#algorithm = algorithm;
    this.#close = close;
    this.root = makeDemoCa(now, `${name}Root`, { algorithm });
    const issued = { issuer: this.root, addresses: this.addressesOf('root'), algorithm };
    this.seals = makeDemoCa(now, `${name}Seal CA`, issued);
    this.timestamps = makeDemoCa(now, `${name}Timestamp CA`, issued);
    this.seal = makeDemoSealIdentity(this.seals, { now, algorithm, addresses: this.addressesOf('seals') });
    this.sealKey = sealKeyOf(this.seal);
    this.authority = this.issueAuthority('Authority');
    this.stampsWith = this.authority;
  }

  /** The name begins those of its CAs: judges take two of one name for the same. */
  static async open(now: Date, name = '', algorithm: KeyAlgorithm = 'ecdsa-p256'): Promise<Pki> {
    let pki: Pki | undefined;
    const server = createServer((request, response) => void pki?.serve(request, response));
    await listenHere(server);
    pki = new Pki(originOf(server), now, name, algorithm, async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return pki;
  }

  close = (): Promise<void> => this.#close();

  addressesOf(ca: CaName) {
    const at = `${this.url}/${ca}`;
    return { issuer: `${at}/issuer`, ocsp: `${at}/ocsp`, list: `${at}/list` };
  }

  get stampUrl(): string {
    return `${this.url}/stamp`;
  }

  #stamp(request: Buffer): Buffer {
    const { certificate, privateKey: key } = this.stampsWith;
    const issuers = [this.timestamps.certificate];
    return answerTimestampRequest(request, { certificate, key, issuers }, this.now);
  }

  issueAuthority(commonName: string, years = 10): DemoIdentity {
    return issueDemo({
      commonName,
      now: this.now,
      years,
      algorithm: this.#algorithm,
      issuer: this.timestamps,
      extensions: [
        extensions.keyUsage('digitalSignature'),
        extensions.extendedKeyUsage(true, OIDS.timeStamping),
        ...extensions.addresses(this.addressesOf('timestamps')),
      ],
    });
  }

  /** A responder that a CA appointed. */
  issueResponder(ca: CaName, own: Uint8Array[] = DELEGATE): DemoIdentity {
    return issueDemo({
      commonName: `Responder of ${ca}`,
      now: this.now,
      years: 1,
      algorithm: this.#algorithm,
      issuer: this[ca],
      extensions: own,
    });
  }

  break(ca: CaName, service: Service, fault: Fault): void {
    this.#faults.set(`${ca}/${service}`, fault);
  }

  repair(): void {
    this.#faults.clear();
    this.#standings.clear();
  }

  setStanding({ certificate }: DemoIdentity, standing: Standing): void {
    this.#standings.set(serialOf(certificate), standing);
  }

  /** All requests so far. */
  get requests(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = (request.url ?? '').slice(1);
    this.counts.set(address, (this.counts.get(address) ?? 0) + 1);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const fault = this.#faults.get(address) ?? {};
    if (fault.hangs) return void fault.hangs();
    if (fault.status !== undefined) {
      response.writeHead(fault.status).end();
      return;
    }
    const [ca = '', service = ca] = address.split('/');
    if (request.method === 'POST' && request.headers['content-type'] !== QUESTIONS[service]) {
      response.writeHead(415).end();
      return;
    }
    if (service === 'stamp') {
      response.end(this.#stamp(Buffer.concat(chunks)));
      return;
    }
    response.end(fault.body ?? this.#answer(ca as CaName, service as Service, Buffer.concat(chunks), fault));
  }

  #answer(ca: CaName, service: Service, body: Buffer, fault: Fault): Uint8Array {
    const { certificate, privateKey: key } = this[ca];
    if (service === 'issuer') return certificate;
    if (service === 'list')
      return revocationList({ certificate, key }, this.#revoked(), this.now, fault.list);
    const { responder } = fault;
    const signer = responder ?? this[ca];
    return answerOcspRequest(
      body,
      { certificate: signer.certificate, key: signer.privateKey, isDelegate: responder !== undefined },
      (serial) => this.#standings.get(serial) ?? 'good',
      this.now,
      fault.ocsp,
    );
  }

  #revoked() {
    return [...this.#standings].flatMap(([serialHex, standing]) =>
      typeof standing === 'string' ? [] : [{ serialHex, ...standing }],
    );
  }
}

export const DELEGATE = [
  extensions.keyUsage('digitalSignature'),
  extensions.extendedKeyUsage(false, OIDS.ocspSigning),
  extensions.ocspNoCheck(),
];

/** Without tag and length. */
const serialOf = (certificate: Uint8Array): string =>
  Buffer.from(readCertificate(certificate).serial.subarray(2)).toString('hex');

/** The types of the two questions, RFC 6960 and 3161. */
const QUESTIONS: Record<string, string> = {
  ocsp: 'application/ocsp-request',
  stamp: 'application/timestamp-query',
};

const MAX_BYTES = 256 * 1024;

/** Asks without the product's guard against internal addresses, which this PKI has. */
export const plainRetrieve: Retrieve = async (url, post) => {
  const init = post && {
    method: 'POST',
    headers: { 'content-type': post.contentType },
    body: new Uint8Array(post.body),
  };
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  if (response?.status !== 200) throw new RetrievalFault(`HTTP ${response?.status ?? 'failed'}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length > MAX_BYTES) throw new RetrievalFault('the answer is too long');
  return bytes;
};

/** Certificates in a CMS without signers, as a .p7c file has them. */
export function p7c(...certificates: Uint8Array[]): Buffer {
  const inner = encode(
    0x30,
    Buffer.from('020101', 'hex'),
    encode(0x31),
    encode(0x30, Buffer.from('06092a864886f70d010701', 'hex')),
    encode(0xa0, ...certificates),
    encode(0x31),
  );
  return encode(0x30, Buffer.from('06092a864886f70d010702', 'hex'), encode(0xa0, inner));
}
