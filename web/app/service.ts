import { Http, inPath, type SessionOptions } from '../../client/src/http.ts';
import { type NewSignatureRequest, SignatureRequestsResource } from '../../client/src/signature-requests.ts';
import { WebhookEndpointsResource } from '../../client/src/webhook-endpoints.ts';
import type { Locale } from '../../shared/texts/languages.ts';
import type {
  ApiKey,
  Brand,
  BrandChanges,
  CodeSent,
  Me,
  Member,
  NewApiKey,
  Notices,
  SessionRow,
} from './contract.ts';
import { fetchWithProgress, type OnProgress } from './new/upload.ts';

const APP_PATH = '/api/app/v1';
/** As long as an upload is valid. One that stands still ends sooner. */
const UPLOAD_MS = 3_600_000;

interface ServiceOptions
  extends Required<Pick<SessionOptions, 'baseUrl' | 'fetch' | 'headers' | 'recover' | 'pause'>> {
  /** Watches the connection of another `fetch`, too. */
  watched(fetch: typeof globalThis.fetch): typeof globalThis.fetch;
}

/** All calls of the dashboard: those of the published client, and those that API keys may not make. */
export class Service {
  readonly requests: SignatureRequestsResource;
  readonly webhooks: WebhookEndpointsResource;
  readonly #options: ServiceOptions;
  readonly #app: Http;
  /** Without retries: a limit on codes is shown at once, not waited out. */
  readonly #signIn: Http;

  constructor(options: ServiceOptions) {
    this.#options = options;
    const api = new Http(options);
    this.requests = new SignatureRequestsResource(api);
    this.webhooks = new WebhookEndpointsResource(api);
    this.#app = new Http({ ...options, apiPath: APP_PATH });
    this.#signIn = new Http({ ...options, apiPath: APP_PATH, retries: 0, recover: async () => false });
  }

  /** The same calls, pinned to the current owner and mode. */
  pinned(): Service {
    const headers = this.#options.headers();
    return new Service({ ...this.#options, headers: () => headers });
  }

  createRequest = (request: NewSignatureRequest, idempotencyKey: string, onProgress: OnProgress) =>
    this.#requestsWith(onProgress).create(request, { idempotencyKey });
  upload = (file: File, onProgress: OnProgress) => this.#requestsWith(onProgress).upload(file);

  requestCode = (email: string, locale: string) =>
    this.#signIn.json<CodeSent>({ method: 'POST', path: '/sign-in', body: { email, locale } });
  signIn = (code: string) =>
    this.#signIn.json<Me>({ method: 'POST', path: '/sign-in/verify', body: { code } });
  signOut = () => this.#signIn.json({ method: 'POST', path: '/sign-out' });
  /** On the sign-in client, because a 401 is a normal response here. */
  me = () => this.#signIn.json<Me>({ path: '/me' });

  changeLanguage = (locale: Locale) =>
    this.#app.json<Me['user']>({ method: 'PATCH', path: '/me', body: { locale } });

  sessions = () => this.#list<SessionRow>('/sessions');
  revokeSession = (id: string) => this.#remove('/sessions', id);

  members = () => this.#list<Member>('/members');
  addMember = (email: string, role: Member['role'], locale: Locale) =>
    this.#app.json<Member>({ method: 'POST', path: '/members', body: { email, role, locale } });
  changeRole = (id: string, role: Member['role']) =>
    this.#app.json<Member>({ method: 'PATCH', path: `/members/${inPath(id)}`, body: { role } });
  removeMember = (id: string) => this.#remove('/members', id);

  apiKeys = () => this.#list<ApiKey>('/api-keys');
  createApiKey = (name: string, test: boolean) =>
    this.#app.json<NewApiKey>({ method: 'POST', path: '/api-keys', body: { name, test } });
  revokeApiKey = (id: string) => this.#remove('/api-keys', id);

  brand = () => this.#app.json<Brand>({ path: '/brand' });
  changeBrand = (body: BrandChanges) => this.#app.json<Brand>({ method: 'PATCH', path: '/brand', body });
  notices = () => this.#app.json<Notices>({ path: '/notices' });
  changeNotices = (body: Partial<Notices>) =>
    this.#app.json<Notices>({ method: 'PATCH', path: '/notices', body });

  #requestsWith = (onProgress: OnProgress) =>
    new SignatureRequestsResource(
      new Http({
        ...this.#options,
        fetch: this.#options.watched(fetchWithProgress(onProgress)),
        timeoutMs: UPLOAD_MS,
      }),
    );
  #list = async <Row>(path: string): Promise<Row[]> => (await this.#app.json<{ data: Row[] }>({ path })).data;
  #remove = (path: string, id: string) =>
    this.#app.json({ method: 'DELETE', path: `${path}/${inPath(id)}`, isRepeatable: false });
}
