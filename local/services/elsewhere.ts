/** Another implementation of a service, at the address in KMS_ENDPOINT or SES_ENDPOINT. */
import { ServiceError } from './service.ts';

export interface Elsewhere {
  /** A call in the JSON protocol. */
  json(target: string, input: object): Promise<Record<string, unknown>>;
  /** A call in the query protocol. The answer is XML. */
  form(fields: URLSearchParams): Promise<string>;
}

/** Undefined if the environment names no address: the local cloud answers itself. */
export function elsewhere(
  service: 'kms' | 'ses',
  environment: NodeJS.ProcessEnv = process.env,
): Elsewhere | undefined {
  const endpoint = environment[`${service.toUpperCase()}_ENDPOINT`];
  if (!endpoint) return undefined;
  const post = async (
    body: string,
    headers: Record<string, string>,
  ): Promise<[ok: boolean, text: string]> => {
    const response = await fetch(endpoint, {
      method: 'POST',
      body,
      // It needs a signature but does not check it; the caller's was checked before.
      headers: {
        ...headers,
        'x-amz-date': '20260101T000000Z',
        authorization: `AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=0`,
      },
    }).catch((error: unknown) => {
      throw new ServiceError('InternalFailure', `${endpoint} cannot be reached: ${error}`, 500);
    });
    return [response.ok, await response.text()];
  };
  return {
    json: async (target, input) => {
      const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target };
      const [isDone, text] = await post(JSON.stringify(input), headers);
      const answer = JSON.parse(text);
      if (isDone) return answer;
      throw new ServiceError(String(answer.__type).replace(/.*#/, ''), String(answer.message));
    },
    form: async (fields) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const [isDone, text] = await post(fields.toString(), headers);
      if (isDone) return text;
      const [, code = 'InternalFailure'] = /<Code>([^<]*)</.exec(text) ?? [];
      const [, message = ''] = /<Message>([^<]*)</.exec(text) ?? [];
      throw new ServiceError(code, message);
    },
  };
}
