import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import {
  type CallOptions,
  type Download,
  SignatureRequests,
  SignatureRequestsError,
} from '../../client/src/node.ts';
import type { AnswerOf, Endpoint } from '../../shared/contract/endpoint.ts';
import { ERRORS, type ErrorCode } from '../../shared/contract/errors.ts';
import { errorBody } from '../../shared/contract/resources.ts';
import { cancelSignature, createSignature, listSignatures } from '../../shared/contract/signatures.ts';

/**
 * The running service: called with the client where a program would, with bare `fetch` where the client would not. Remembers
 * what this run has created.
 */

const TIME_LIMIT_SECONDS = 60;
const NO_ANSWER = `no response within ${TIME_LIMIT_SECONDS} seconds`;
const OPEN = ['pending', 'sent', 'opened'];
const REASON = { reason: 'Smoke test' };

export interface Answer {
  status: number;
  headers: Headers;
  body: Buffer;
}

/** A response that is not as expected. Quotes only errors, since other responses contain secrets. */
export class Unexpected extends Error {
  constructor(expected: string, actual: string) {
    super(`expected ${expected}, got ${actual}`);
  }
}

/** A request that this run has created. */
export interface Created {
  id: string;
  /** The reason that its invitation was not sent, or null. */
  mailError: string | null;
  token: string;
  link: string;
}

export class Service {
  readonly baseUrl: string;
  readonly signer: string;
  /** Identifies the requests of this run, including those whose response was lost. */
  readonly title = `Smoke test ${randomUUID()}`;
  readonly #client: SignatureRequests;
  readonly #apiKey: string;
  readonly #secrets: string[];
  readonly #notCancelled = new Set<string>();
  #hasCreated = false;

  constructor({ baseUrl, apiKey, signer }: { baseUrl: string; apiKey: string; signer: string }) {
    this.baseUrl = baseUrl;
    this.signer = signer;
    // A fault must show, so nothing is tried again.
    this.#client = new SignatureRequests({
      baseUrl,
      apiKey,
      retries: 0,
      timeoutMs: TIME_LIMIT_SECONDS * 1_000,
    });
    this.#apiKey = apiKey;
    this.#secrets = [apiKey];
  }

  /** Masks the key and the tokens of links. */
  withoutSecrets = (text: string): string =>
    this.#secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), text);

  /** Follows no redirect, since that could send the key elsewhere. */
  async ask(address: string, init: RequestInit = {}): Promise<Answer> {
    try {
      const signal = AbortSignal.timeout(TIME_LIMIT_SECONDS * 1_000);
      const response = await fetch(new URL(address, this.baseUrl), { redirect: 'manual', signal, ...init });
      const body = Buffer.from(await response.arrayBuffer());
      return { status: response.status, headers: response.headers, body };
    } catch (error) {
      throw new Unexpected('a response', `none (${reasonOf(error)})`);
    }
  }

  /** Calls an endpoint with the client, and validates the answer by the contract. */
  async call<E extends Endpoint>(endpoint: E, call: (requests: Requests) => Promise<unknown>) {
    const answer = await call(this.#client.signatureRequests).catch((thrown: unknown) => {
      throw new Unexpected(expectedOf(endpoint, thrown), toldBy(thrown));
    });
    return validated(endpoint, answer);
  }

  /** Ends in time whatever arrives: the client waits as long as anything does. */
  async download(call: (requests: Requests, options: CallOptions) => Promise<Download>): Promise<Buffer> {
    try {
      const signal = AbortSignal.timeout(TIME_LIMIT_SECONDS * 1_000);
      return Buffer.from(await (await call(this.#client.signatureRequests, { signal })).bytes());
    } catch (error) {
      throw new Unexpected('a file', toldBy(error));
    }
  }

  /** Expects that the service refuses a call of the client. */
  async refuses(call: (requests: Requests) => Promise<unknown>, code: ErrorCode): Promise<void> {
    const expected = `${ERRORS[code][0]} ${code} as JSON`;
    const thrown = await call(this.#client.signatureRequests).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (thrown === undefined) throw new Unexpected(expected, 'an answer');
    if (!(thrown instanceof SignatureRequestsError) || thrown.code !== code)
      throw new Unexpected(expected, toldBy(thrown));
  }

  /** Creates a request as the client does: a large document becomes an upload. */
  async create(pdf: Buffer): Promise<Created> {
    this.#hasCreated = true;
    const file = new File([new Uint8Array(pdf)], 'smoke.pdf', { type: 'application/pdf' });
    return this.#remember(
      await this.call(createSignature, (requests) => requests.create({ ...this.#head, file })),
    );
  }

  /** Sends a document inline, however large it is. The client would upload it. */
  async sendInline(pdf: Buffer): Promise<Answer> {
    this.#hasCreated = true;
    const document = { filename: 'smoke.pdf', content_base64: pdf.toString('base64') };
    return this.ask(createSignature.path, {
      method: createSignature.method,
      headers: { authorization: `Bearer ${this.#apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...this.#head, document }),
    });
  }

  /** Reads the response to a bare create call. */
  created = (answer: Answer): Created => this.#remember(promised(createSignature, answer));

  get #head() {
    return { title: this.title, signers: [{ email: this.signer, name: 'Smoke Test' }] };
  }

  /** Requests to cancel at the end, and values to mask. */
  #remember({ id, signers }: AnswerOf<typeof createSignature>): Created {
    this.#notCancelled.add(id);
    const [signer] = signers;
    if (!signer || signers.length > 1) throw new Unexpected('one signer', `${signers.length}`);
    this.#secrets.push(signer.access_token);
    const { access_token: token, sign_url: link, email_error: mailError } = signer;
    return { id, mailError, token, link };
  }

  async cancel(id: string): Promise<AnswerOf<typeof cancelSignature>> {
    const cancelled = await this.call(cancelSignature, (requests) => requests.cancel(id, REASON));
    this.#notCancelled.delete(id);
    return cancelled;
  }

  /** Cancels all open requests of this run and returns their number. */
  async cleanUp(): Promise<number> {
    if (!this.#hasCreated) return 0;
    const listed = await this.#listedOpen().catch((fault: Error) => fault);
    const left = new Set([...this.#notCancelled, ...(listed instanceof Error ? [] : listed)]);
    const open: string[] = [];
    for (const id of left) if (!(await this.#isClosed(id))) open.push(id);
    const unsure = [
      ...(open.length > 0 ? [`none of ${open.join(' and ')}`] : []),
      // A request whose answer was lost is found only there.
      ...(listed instanceof Error
        ? [`no list to find others titled "${this.title}" (${listed.message})`]
        : []),
    ];
    if (unsure.length > 0) throw new Unexpected('the cancellation of every request', unsure.join(' and '));
    return left.size;
  }

  /** By title: the newest requests may all be others', and their index may be behind. */
  async #listedOpen(): Promise<string[]> {
    const { data } = await this.call(listSignatures, (requests) =>
      requests.list({ title_prefix: this.title }).page(),
    );
    return data.filter(({ status }) => OPEN.includes(status)).map(({ id }) => id);
  }

  /** True also if an earlier cancel succeeded but its response was lost. */
  async #isClosed(id: string): Promise<boolean> {
    try {
      const answer = await this.#client.signatureRequests.cancel(id, REASON);
      return validated(cancelSignature, answer).id === id;
    } catch (error) {
      return error instanceof SignatureRequestsError && error.code === 'request_not_cancellable';
    }
  }
}

type Requests = SignatureRequests['signatureRequests'];

function expectedOf({ status }: Endpoint, thrown: unknown): string {
  if (!(thrown instanceof SignatureRequestsError)) return `${status}`;
  if (thrown.status === undefined) return 'a response';
  return thrown.code === 'unexpected_answer' ? `${status} as JSON` : `${status}`;
}

/** The error of a call with the client. */
function toldBy(error: unknown): string {
  if (!(error instanceof SignatureRequestsError)) return `none (${reasonOf(error)})`;
  const { status, code, message, cause } = error;
  if (status !== undefined) return `${status} ${code} ("${message}")`;
  return `none (${code === 'no_answer' ? NO_ANSWER : reasonOf(cause ?? error)})`;
}

/** Validates the response of an endpoint by the contract. */
export function promised<E extends Endpoint>(endpoint: E, answer: Answer): AnswerOf<E> {
  if (answer.status !== endpoint.status) throw new Unexpected(`${endpoint.status}`, described(answer));
  const body = jsonOf(answer);
  if (body === undefined)
    throw new Unexpected(`${endpoint.status} as JSON`, `${described(answer)} that is not JSON`);
  return validated(endpoint, body);
}

function validated<E extends Endpoint>({ name, answer }: E, body: unknown): AnswerOf<E> {
  if (typeof answer === 'string') throw new Error(`${name} does not return JSON.`);
  const read = answer.safeParse(body);
  if (!read.success)
    throw new Unexpected('what the contract promises', z.prettifyError(read.error).replaceAll('\n', ' '));
  return read.data as AnswerOf<E>;
}

/** Expects an error of the contract, as JSON. */
export function refused(answer: Answer, code: ErrorCode, status: number = ERRORS[code][0]): void {
  if (answer.status !== status || errorOf(answer)?.error !== code)
    throw new Unexpected(`${status} ${code} as JSON`, described(answer));
}

/** Describes a response without quoting any body that is not an error. */
export function described(answer: Answer): string {
  const error = errorOf(answer);
  if (error) return `${answer.status} ${error.error} ("${error.message}")`;
  return `${answer.status} ${answer.headers.get('content-type') ?? 'without a content type'}`;
}

export const errorOf = (answer: Answer): z.output<typeof errorBody> | undefined =>
  errorBody.safeParse(jsonOf(answer)).data;

function jsonOf({ headers, body }: Answer): unknown {
  if (!headers.get('content-type')?.startsWith('application/json')) return undefined;
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** The cause of a fetch error, which itself only says "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return NO_ANSWER;
  const { cause = error } = error;
  return cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : String(cause);
}
