import { type KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { certificatesOfPem } from '../certificate.ts';
import { SealError } from '../errors.ts';
import type { SealKey } from './port.ts';

export interface KmsKeyOptions {
  client: KMSClient;
  /** Id or ARN of an asymmetric SIGN_VERIFY key: RSA or ECC_NIST_P256. */
  keyId: string;
  /** The key's own certificate first, then its issuers. */
  certificateChainPem: string;
}

/** KMS faults that stay until somebody changes the key or its permissions. */
const PERMANENT_FAULTS: ReadonlySet<string> = new Set([
  'AccessDeniedException',
  'DisabledException',
  'InvalidKeyUsageException',
  'KMSInvalidStateException',
  'NotFoundException',
  'UnsupportedOperationException',
  'ValidationException',
]);

/** A key that never leaves KMS. The signed attributes (135 bytes) are small enough to be sent whole, not as a digest. */
export function kmsKey({ client, keyId, certificateChainPem }: KmsKeyOptions): SealKey {
  const chain = readChain(certificateChainPem);
  const isEc = chain[0]?.x509.publicKey.asymmetricKeyType === 'ec';
  return {
    certificateChain: chain.map(({ der }) => der),
    algorithm: isEc ? 'ecdsa-p256' : 'rsa',
    sign: async (signedAttributes) => {
      const command = new SignCommand({
        KeyId: keyId,
        Message: signedAttributes,
        MessageType: 'RAW',
        SigningAlgorithm: isEc ? 'ECDSA_SHA_256' : 'RSASSA_PKCS1_V1_5_SHA_256',
      });
      const { Signature } = await client.send(command).catch(asSealError);
      if (Signature === undefined) throw new SealError('key_unavailable', 'KMS answered without a signature');
      return Signature;
    },
  };
}

function readChain(pem: string) {
  try {
    return certificatesOfPem(pem);
  } catch (cause) {
    throw new SealError('certificate_chain', 'the certificate chain cannot be read', { cause });
  }
}

function asSealError(cause: unknown): never {
  const name = cause instanceof Error ? cause.name : 'unknown';
  throw new SealError('key_unavailable', `KMS: ${name}`, { cause, permanent: PERMANENT_FAULTS.has(name) });
}
