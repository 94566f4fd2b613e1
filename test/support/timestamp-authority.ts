import { OIDS } from '../../shared/sealing/oids.ts';
import { type Authority, type Timestamper, timestamper } from '../../shared/sealing/timestamp.ts';
import { type DemoIdentity, extensions, issueDemo, type KeyAlgorithm, makeDemoCa, pem } from './demo-keys.ts';
import { type Deviations, deviantAnswer } from './pki/timestamp.ts';

export interface Misbehaviour extends Deviations {
  time?: Date;
}

export interface TestAuthority {
  ca: DemoIdentity;
  /** The settings of a client that trusts this authority. The URL is never requested: see `fetchOf`. */
  authority: Authority;
  answer(request: Uint8Array, misbehaviour?: Misbehaviour): Buffer;
}

interface TestAuthorityOptions {
  now: Date;
  /** Of both keys. */
  algorithm?: KeyAlgorithm;
  /** The one that clients trust; of a signer made elsewhere too. */
  ca?: DemoIdentity;
  /** A signer made elsewhere. */
  signer?: DemoIdentity;
  /** The extensions of the signer's certificate, if not those of a timestamp authority. */
  signerExtensions?: Uint8Array[];
  years?: number;
  name?: string;
}

/** The local cloud's timestamp authority with certificates in memory and, on request, misbehaviour. */
export function makeTestAuthority(options: TestAuthorityOptions): TestAuthority {
  const { now, algorithm = 'ecdsa-p256', name = 'Demo TSA' } = options;
  const ca = options.ca ?? makeDemoCa(now, `${name} CA`, { algorithm });
  const { certificate, privateKey, issuers } =
    options.signer ??
    issueDemo({
      commonName: name,
      now,
      years: options.years ?? 5,
      algorithm,
      issuer: ca,
      extensions: options.signerExtensions ?? [
        extensions.keyUsage('digitalSignature'),
        extensions.extendedKeyUsage(true, OIDS.timeStamping),
      ],
    });
  const signer = { certificate, key: privateKey, issuers };
  return {
    ca,
    authority: { url: 'http://tsa.test/', caPem: pem(ca.certificate) },
    answer: (request, { time = now, ...deviations } = {}) => deviantAnswer(request, signer, time, deviations),
  };
}

/** A `fetch` that sends every request to the authority. */
export function fetchOf(tsa: TestAuthority, misbehaviour: () => Misbehaviour = () => ({})): typeof fetch {
  return async (_url, init) => {
    const { body } = init ?? {};
    if (!(body instanceof Uint8Array)) throw new Error('A timestamp request has a body.');
    return new Response(new Uint8Array(tsa.answer(body, misbehaviour())));
  };
}

/** Gets timestamps of the authority alone. */
export const timestamperOf = (tsa: TestAuthority, now = () => new Date()): Timestamper =>
  timestamper([tsa.authority], { fetch: fetchOf(tsa), now });
