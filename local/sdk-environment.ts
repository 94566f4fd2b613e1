import type { Credentials } from './ports.ts';

/** The environment variables by which the unmodified AWS SDK calls the services here. */
export const sdkEnvironment = (
  { accessKeyId, secretAccessKey, sessionToken }: Credentials,
  { endpointUrl, region }: { endpointUrl: string; region: string },
): Record<string, string> => ({
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
  ...(sessionToken && { AWS_SESSION_TOKEN: sessionToken }),
  AWS_ENDPOINT_URL: endpointUrl,
  AWS_REGION: region,
});
