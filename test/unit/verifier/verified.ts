import { type SigningOptions, sign } from 'node:crypto';
import { readExpected } from '../../../client/verifier/certificates.ts';
import type { FindingCode, Report } from '../../../client/verifier/report.ts';
import { verifyPdf } from '../../../client/verifier/verify.ts';
import { buildIncrement, CONTENTS_BYTES, writeUnsigned } from '../../../shared/sealing/append.ts';
import { type Certificate, readCertificate, sha256 } from '../../../shared/sealing/certificate.ts';
import { signedAttributes, signedData } from '../../../shared/sealing/cms.ts';
import { planSeal } from '../../../shared/sealing/plan.ts';
import { type DemoIdentity, pem } from '../../support/demo-keys.ts';
import { timestamperOf } from '../../support/timestamp-authority.ts';
import { craft, manyPages, revise } from '../sealing/craft.ts';
import { demoSealing, now, sealIt, signaturePage } from '../sealing/sealing-kit.ts';

/** Files to verify: sealed as the service does it, or signed in ways that it does not. */

export const ORIGINAL = craft({ objects: manyPages(2) });
const sealed = async (original: Buffer) =>
  Buffer.from((await sealIt(original, { signaturePage: await signaturePage(), reason: 'Agreed' })).bytes);
const ofOriginal = sealed(ORIGINAL);
/** A copy, since forgers write into it. */
export const seal = async (original?: Buffer) =>
  original ? sealed(original) : Buffer.from(await ofOriginal);

export const timestamp = (tsa = demoSealing().tsa) => timestamperOf(tsa, () => now);

/** Trust anchors of the person: the seal's own certificate and the authority's root. */
export const both = () => pem(demoSealing().identity.certificate) + demoSealing().tsa.authority.caPem;

export const verify = async (bytes: Uint8Array, trusted = both(), at = now): Promise<Report> =>
  verifyPdf(bytes, { expected: await readExpected(trusted), now: at });

export const codes = ({ findings }: Report): FindingCode[] => findings.map(({ code }) => code);

interface Signing {
  /** A second signature approves: it certifies nothing. */
  approves?: boolean;
  original?: Buffer;
  /** Changes what is signed, and keeps its length. */
  change?: (unsigned: string) => string;
  sign?: (covered: Buffer) => Promise<Buffer>;
}

/** A signature that the service would not make: by other means, or of other bytes. */
export async function signedOtherwise({
  approves = false,
  original = ORIGINAL,
  change = (text) => text,
  sign = bySealKey,
}: Signing): Promise<Buffer> {
  const plan = { ...planSeal(original), signed: approves };
  const unsigned = writeUnsigned(original, buildIncrement(plan, { time: now, name: 'other' }));
  const bytes = Buffer.from(change(unsigned.toString('latin1')), 'latin1');
  const [, from = 0, to = 0, length = 0] =
    /\/ByteRange \[0 +(\d+) +(\d+) +(\d+)/.exec(bytes.toString('latin1'))?.map(Number) ?? [];
  const cms = await sign(Buffer.concat([bytes.subarray(0, from), bytes.subarray(to, to + length)]));
  bytes.write(cms.toString('hex'), from + 1, 'latin1');
  return bytes;
}

export interface Parts {
  /** The signer, if not the one who seals. */
  identity?: DemoIdentity;
  /** The certificate that the signed attributes name, if not the signer's own. */
  named?: Certificate;
  issuers?: Uint8Array[];
  token?: Uint8Array;
  padding?: SigningOptions;
}

/** The signature of a seal, unless some parts are others. */
export async function bySealKey(
  covered: Buffer,
  { identity = demoSealing().identity, named, issuers, token, padding }: Parts = {},
): Promise<Buffer> {
  const own = readCertificate(identity.certificate);
  const attributes = signedAttributes(sha256(covered), named ?? own);
  const signature = sign('sha256', attributes, { key: identity.privateKey, ...padding });
  return signedData({
    attributes,
    signature,
    algorithm: 'rsa',
    chain: [own, ...(issuers ?? identity.issuers).map(readCertificate)],
    timestampToken: token ?? (await timestamp()(sha256(signature), CONTENTS_BYTES)).token,
  });
}

/** The text of the newest catalog. */
export const catalogOf = (sealed: Buffer): string =>
  sealed.toString('latin1').split('\n1 0 obj\n').at(-1)?.split('\nendobj')[0] ?? '';

/** Adds objects in an incremental update, as a forger would. */
export const withRevision = (sealed: Buffer, objects: Record<string, string>, trailer = ''): Buffer =>
  revise(sealed, {
    objects,
    trailer: `${trailer} /Root ${/\/Root (\d+ 0 R)/.exec(sealed.toString('latin1'))?.[1]}`,
    size: 200,
  });

/** Adds a signature field that shows nothing. */
export const withField = (bytes: Buffer, value: string): Buffer =>
  withRevision(bytes, {
    1: catalogOf(bytes).replace(/\/Fields \[([^\]]*)/, '/Fields [$1 90 0 R'),
    90: `<</FT /Sig /T (Next) ${value}>>`,
  });
