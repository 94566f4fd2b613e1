import { constants, createHash, randomBytes, sign } from 'node:crypto';
import { readCertificate } from '../../shared/sealing/certificate.ts';
import {
  childrenOf,
  contextTag,
  decode,
  derNull,
  encode,
  expect,
  integer,
  octetString,
  oid,
  retag,
  sequence,
  setOf,
  tags,
} from '../../shared/sealing/der.ts';
import {
  type DemoIdentity,
  extensions,
  issueDemo,
  type KeyAlgorithm,
  makeDemoCa,
  pem,
} from '../../shared/sealing/keys/demo.ts';
import { oids } from '../../shared/sealing/oids.ts';
import type { Authority } from '../../shared/sealing/timestamp.ts';

/** What a test authority does wrong, or differently. All left out: it is a good one. */
export interface Misbehaviour {
  /** PKIStatus instead of 0; with 2 or more there is no token. */
  status?: number;
  imprint?: Uint8Array;
  nonce?: Uint8Array | null;
  time?: Date;
  signingCertificate?: 1 | 2 | 'none' | 'other';
  signature?: 'good' | 'broken' | 'pss';
  /** Which certificates the token carries. */
  certificates?: 'all' | 'none';
  policy?: string;
}

export interface TestAuthority {
  ca: DemoIdentity;
  signer: DemoIdentity;
  /** How a client trusts it; the URL is made up, since `fetchOf` needs no network. */
  authority: Authority;
  answer(request: Uint8Array, misbehaviour?: Misbehaviour): Buffer;
}

export interface TestAuthorityOptions {
  now: Date;
  algorithm?: KeyAlgorithm;
  ca?: DemoIdentity;
  /** Extensions of the signer's certificate instead of those of a timestamp authority. */
  signerExtensions?: Uint8Array[];
  years?: number;
  name?: string;
}

const POLICY = '1.3.6.1.4.1.55555.1.1';

/** A timestamp authority (RFC 3161) in memory, that can be told to fail in each way that a client must notice. */
export function makeTestAuthority(options: TestAuthorityOptions): TestAuthority {
  const { now, algorithm = 'rsa', name = 'Demo TSA' } = options;
  const ca = options.ca ?? makeDemoCa(now, `${name} CA`);
  const signer = issueDemo({
    commonName: name,
    now,
    years: options.years ?? 5,
    algorithm,
    issuer: ca,
    extensions: options.signerExtensions ?? [
      extensions.keyUsage('digitalSignature'),
      extensions.extendedKeyUsage(true, oids.timeStamping),
    ],
  });
  return {
    ca,
    signer,
    authority: { url: 'http://tsa.test/', caPem: pem(ca.certificate) },
    answer: (request, misbehaviour = {}) => answer(signer, now, request, misbehaviour),
  };
}

/** A `fetch` that reaches the authority. */
export function fetchOf(tsa: TestAuthority, misbehaviour: () => Misbehaviour = () => ({})): typeof fetch {
  return async (_url, init) => {
    const { body } = init ?? {};
    if (!(body instanceof Uint8Array)) throw new Error('a timestamp request has a body');
    return new Response(new Uint8Array(tsa.answer(body, misbehaviour())));
  };
}

function answer(signer: DemoIdentity, now: Date, request: Uint8Array, misbehaviour: Misbehaviour): Buffer {
  const status = misbehaviour.status ?? 0;
  const statusInfo = sequence(integer(status));
  if (status >= 2) return sequence(statusInfo);
  const [, messageImprint, ...optional] = childrenOf(decode(request), tags.sequence);
  const [, hashed] = childrenOf(messageImprint, tags.sequence);
  const asked = optional.find(({ tag }) => tag === tags.integer)?.raw ?? null;
  const nonce = misbehaviour.nonce === undefined ? asked : misbehaviour.nonce;
  const time = (misbehaviour.time ?? now).toISOString();
  const tstInfo = sequence(
    integer(1),
    oid(misbehaviour.policy ?? POLICY),
    sequence(
      sequence(oid(oids.sha256), derNull()),
      octetString(misbehaviour.imprint ?? expect(hashed, tags.octetString).content),
    ),
    integer(Buffer.concat([Buffer.of(0x41), randomBytes(11)])),
    encode(tags.generalizedTime, Buffer.from(time.slice(0, 19).replace(/[-:T]/g, '').concat('Z'))),
    nonce ?? Buffer.alloc(0),
  );
  return sequence(statusInfo, token(signer, tstInfo, misbehaviour));
}

function token(signer: DemoIdentity, tstInfo: Buffer, misbehaviour: Misbehaviour): Buffer {
  const { issuer, serial } = readCertificate(signer.certificate);
  const attributes = setOf(
    attribute(oids.contentType, oid(oids.tstInfo)),
    attribute(oids.messageDigest, octetString(createHash('sha256').update(tstInfo).digest())),
    ...signingCertificate(signer, misbehaviour.signingCertificate ?? 2),
  );
  const kept = misbehaviour.certificates === 'none' ? [] : [signer.certificate, ...signer.issuers];
  const digestAlgorithm = sequence(oid(oids.sha256));
  const { algorithm, value } = signatureOf(signer, attributes, misbehaviour.signature ?? 'good');
  const signerInfo = sequence(
    integer(1),
    sequence(issuer, serial),
    digestAlgorithm,
    retag(contextTag(0), attributes),
    algorithm,
    octetString(value),
  );
  const signedData = sequence(
    integer(3),
    setOf(digestAlgorithm),
    sequence(oid(oids.tstInfo), encode(contextTag(0), octetString(tstInfo))),
    kept.length > 0 ? retag(contextTag(0), setOf(...kept)) : Buffer.alloc(0),
    setOf(signerInfo),
  );
  return sequence(oid(oids.signedData), encode(contextTag(0), signedData));
}

const attribute = (type: string, value: Buffer): Buffer => sequence(oid(type), setOf(value));

function signingCertificate(signer: DemoIdentity, version: 1 | 2 | 'none' | 'other'): Buffer[] {
  if (version === 'none') return [];
  const named = version === 'other' ? Buffer.from('another certificate') : signer.certificate;
  const hash = createHash(version === 1 ? 'sha1' : 'sha256')
    .update(named)
    .digest();
  const type = version === 1 ? oids.signingCertificate : oids.signingCertificateV2;
  return [attribute(type, sequence(sequence(sequence(octetString(hash)))))];
}

function signatureOf(
  { privateKey }: DemoIdentity,
  attributes: Buffer,
  kind: 'good' | 'broken' | 'pss',
): { algorithm: Buffer; value: Buffer } {
  if (kind === 'pss') {
    const sha256 = sequence(oid(oids.sha256));
    const parameters = sequence(
      encode(contextTag(0), sha256),
      encode(contextTag(1), sequence(oid('1.2.840.113549.1.1.8'), sha256)),
      encode(contextTag(2), integer(32)),
    );
    const key = { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
    return { algorithm: sequence(oid(oids.rsaPss), parameters), value: sign('sha256', attributes, key) };
  }
  const value = sign(
    'sha256',
    kind === 'broken' ? Buffer.concat([attributes, Buffer.of(0)]) : attributes,
    privateKey,
  );
  const algorithm =
    privateKey.asymmetricKeyType === 'ec'
      ? sequence(oid(oids.ecdsaWithSha256))
      : sequence(oid(oids.rsaEncryption), derNull());
  return { algorithm, value };
}
