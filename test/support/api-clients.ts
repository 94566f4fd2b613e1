import { assertDeclared } from './declared-errors.ts';

/** Any answer: tests read its members freely, and compare whole answers with the contract's schemas. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Answer<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: Body;
  bytes: Buffer;
}

export async function answerOf<Body>(response: Response): Promise<Answer<Body>> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(bytes.toString()) : undefined,
    bytes,
  };
}

/** Sends a body as JSON. A string is sent as it is: it may be the broken JSON of a test. */
export async function send(
  method: string,
  url: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Response> {
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  await assertDeclared(method, 'x-requested-with' in headers, response);
  return response;
}

/** A client of the API with a key of its own. */
export class ApiClient {
  readonly baseUrl: string;
  readonly apiKey: string;

  constructor(baseUrl: string, apiKey: string) {
    this.baseUrl = baseUrl;
    this.apiKey = apiKey;
  }
  async call<Body = Json>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    const authorization = `Bearer ${this.apiKey}`;
    return answerOf<Body>(await send(method, `${this.baseUrl}${path}`, body, { authorization, ...headers }));
  }
  get = <Body = Json>(path: string, headers?: Record<string, string>) =>
    this.call<Body>('GET', path, undefined, headers);
  post = <Body = Json>(path: string, body?: unknown, headers?: Record<string, string>) =>
    this.call<Body>('POST', path, body, headers);
}

/** A signer with a link, holding cookies as a browser does. */
export class SigningClient {
  readonly baseUrl: string;
  readonly token: string;
  cookie: string | undefined;

  constructor(baseUrl: string, token: string) {
    this.baseUrl = baseUrl;
    this.token = token;
  }
  async call<Body = Json>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    const response = await send(method, `${this.baseUrl}/api/signing/v1${path}`, body, {
      'x-signing-token': this.token,
      ...(this.cookie && { cookie: this.cookie }),
      ...headers,
    });
    const [cookie] = response.headers.getSetCookie();
    if (cookie) this.cookie = cookie.split(';')[0];
    return answerOf<Body>(response);
  }

  open = () => this.call('POST', '/open');
  sendCode = () => this.call('POST', '/code');
  verify = (code: string) => this.call('POST', '/verify', { code });
  view = () => this.call('GET', '/request');
  decline = (reason?: string) => this.call('POST', '/decline', reason === undefined ? {} : { reason });

  /** Signs what `view` shows, typed. */
  async sign(overrides: Record<string, unknown> = {}) {
    const { body } = await this.view();
    return this.call('POST', '/sign', {
      document_sha256: body.document?.sha256,
      consent_version: body.consent?.version,
      consent_locale: body.consent?.locale,
      name: body.signer?.name,
      signature: { type: 'typed', text: body.signer?.name },
      ...overrides,
    });
  }
}
