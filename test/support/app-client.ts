import { type Answer, answerOf, type Service, send } from './service.ts';
import { until } from './until.ts';

type Json = ReturnType<typeof JSON.parse>;

/** The dashboard in one browser, holding cookies as a browser does. */
export class AppClient {
  readonly #service: Service;
  readonly #cookies = new Map<string, string>();
  /** Whom the calls are for, as `X-Owner` names them. */
  owner: string | undefined;

  constructor(service: Service) {
    this.#service = service;
  }

  static async signedIn(service: Service, email: string): Promise<AppClient> {
    const app = new AppClient(service);
    await app.signIn(email);
    return app;
  }

  async signIn(email: string): Promise<void> {
    const earlier = this.#service.mails(email).length;
    await this.call('POST', '/sign-in', { email });
    const { status } = await this.call('POST', '/sign-in/verify', {
      code: await this.mailedCode(email, earlier),
    });
    if (status !== 200) throw new Error(`${email} could not sign in: ${status}`);
  }

  /** The headers of the browser's calls. */
  get headers(): Record<string, string> {
    return {
      'x-requested-with': 'app',
      ...(this.owner && { 'x-owner': this.owner }),
      ...(this.#cookies.size > 0 && {
        cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      }),
    };
  }

  /** A call of the dashboard's own, or of the client API if the path is a whole one. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<Json>> {
    const url = `${this.#service.baseUrl}${path.startsWith('/api/') ? path : `/api/app/v1${path}`}`;
    const response = await send(method, url, body, { ...this.headers, ...headers });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value) this.#cookies.set(name, value);
      else this.#cookies.delete(name);
    }
    return answerOf<Json>(response);
  }

  /** The code of the newest mail, once there are more mails than before: a job sends it. */
  async mailedCode(email: string, earlier = 0): Promise<string> {
    await until(() => this.#service.mails(email).length > earlier, `a code for ${email}`);
    return this.#service.code(email);
  }
}
