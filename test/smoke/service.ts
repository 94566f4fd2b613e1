import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { AnswerOf, Endpoint } from '../../shared/contract/endpoint.ts';
import { ERRORS, type ErrorCode } from '../../shared/contract/errors.ts';
import { errorBody } from '../../shared/contract/resources.ts';
import { cancelSignature, createSignature, listSignatures } from '../../shared/contract/signatures.ts';

/** A client of the running service, which remembers what this run has created. */

const TIME_LIMIT_SECONDS = 60;
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

interface Call {
  id?: string;
  query?: string;
  body?: object;
}

export class Service {
  readonly baseUrl: string;
  readonly signer: string;
  /** Identifies the requests of this run, including those whose response was lost. */
  readonly title = `Smoke test ${randomUUID()}`;
  readonly #apiKey: string;
  readonly #secrets: string[];
  readonly #notCancelled = new Set<string>();
  #hasCreated = false;

  constructor({ baseUrl, apiKey, signer }: { baseUrl: string; apiKey: string; signer: string }) {
    this.baseUrl = baseUrl;
    this.signer = signer;
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

  /** Calls an endpoint with the key. */
  send({ method, path }: Endpoint, { id = '', query = '', body }: Call = {}): Promise<Answer> {
    return this.ask(path.replace('{id}', id) + query, {
      method,
      headers: {
        authorization: `Bearer ${this.#apiKey}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  /** Calls an endpoint with the key, and validates the response by the contract. */
  call = async <E extends Endpoint>(endpoint: E, call?: Call) =>
    promised(endpoint, await this.send(endpoint, call));

  sendCreate(document: object): Promise<Answer> {
    this.#hasCreated = true;
    const signers = [{ email: this.signer, name: 'Smoke Test' }];
    return this.send(createSignature, { body: { title: this.title, signers, document } });
  }

  /** Reads the response to a create call, and remembers what to cancel. */
  created(answer: Answer): Created {
    const { id, signers } = promised(createSignature, answer);
    this.#notCancelled.add(id);
    const [signer] = signers;
    if (!signer || signers.length > 1) throw new Unexpected('one signer', `${signers.length}`);
    this.#secrets.push(signer.access_token);
    const { access_token: token, sign_url: link, email_error: mailError } = signer;
    return { id, mailError, token, link };
  }

  async cancel(id: string): Promise<AnswerOf<typeof cancelSignature>> {
    const cancelled = await this.call(cancelSignature, { id, body: REASON });
    this.#notCancelled.delete(id);
    return cancelled;
  }

  /** Cancels all open requests of this run and returns their number. */
  async cleanUp(): Promise<number> {
    if (!this.#hasCreated) return 0;
    const { data } = await this.call(listSignatures, { query: '?limit=100' }).catch(() => ({ data: [] }));
    const listed = data.filter(({ title, status }) => title === this.title && OPEN.includes(status));
    const left = new Set([...this.#notCancelled, ...listed.map(({ id }) => id)]);
    const open: string[] = [];
    for (const id of left) if (!(await this.#isClosed(id))) open.push(id);
    if (open.length > 0)
      throw new Unexpected('every request to be cancelled', `a refusal for ${open.join(' and ')}`);
    return left.size;
  }

  /** True also if an earlier cancel succeeded but its response was lost. */
  async #isClosed(id: string): Promise<boolean> {
    const answer = await this.send(cancelSignature, { id, body: REASON }).catch(() => undefined);
    return answer?.status === 200 || (answer && errorOf(answer)?.error) === 'request_not_cancellable';
  }
}

/** Validates the response of an endpoint by the contract. */
export function promised<E extends Endpoint>(endpoint: E, answer: Answer): AnswerOf<E> {
  if (answer.status !== endpoint.status) throw new Unexpected(`${endpoint.status}`, described(answer));
  if (typeof endpoint.answer === 'string') throw new Error(`${endpoint.name} does not return JSON.`);
  const read = endpoint.answer.safeParse(jsonOf(answer));
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
  if (error.name === 'TimeoutError') return `no response within ${TIME_LIMIT_SECONDS} seconds`;
  const { cause = error } = error;
  return cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : String(cause);
}
