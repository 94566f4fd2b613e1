import { SignatureV4 } from '@smithy/signature-v4';
import { NodeSha256 } from '../../../local/services/signatures.ts';
import { type ClientSettings, REGION } from './harness.ts';

/** Presigns an S3 URL with the SDK's signer. */
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
    region: REGION,
    credentials: caller.credentials,
    sha256: NodeSha256,
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
