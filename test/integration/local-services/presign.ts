import { Sha256 } from '@aws-crypto/sha256-js';
import { SignatureV4 } from '@smithy/signature-v4';
import type { ClientSettings } from './harness.ts';
import { region } from './harness.ts';

/** A presigned S3 URL, made as the SDK's presigner makes it. */
export async function presign(
  caller: ClientSettings,
  method: 'GET' | 'PUT',
  path: string,
  {
    expiresIn = 60,
    at = new Date(),
    query = {},
    headers = {},
  }: {
    expiresIn?: number;
    at?: Date;
    query?: Record<string, string>;
    headers?: Record<string, string>;
  } = {},
): Promise<string> {
  const { host, hostname, protocol } = new URL(caller.endpoint);
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials: caller.credentials,
    sha256: Sha256,
    uriEscapePath: false,
  });
  const signed = await signer.presign(
    {
      method,
      protocol,
      hostname,
      path,
      query,
      headers: { host, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', ...headers },
    },
    { expiresIn, signingDate: at },
  );
  return `${caller.endpoint}${path}?${new URLSearchParams(Object.entries(signed.query ?? {}).map(([k, v]) => [k, String(v)]))}`;
}
