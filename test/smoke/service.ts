import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { AnswerOf, Endpoint } from '../../shared/contract/endpoint.ts';
import { ERRORS, type ErrorCode } from '../../shared/contract/errors.ts';
import { errorBody } from '../../shared/contract/resources.ts';
import { cancelSignature, createSignature, listSignatures } from '../../shared/contract/signatures.ts';

/** A running service as its client meets it, and what this run has made there. */

const TIME_LIMIT_SECONDS = 60;
const OPEN = ['pending', 'sent', 'opened'];
const REASON = { reason: 'Smoke test' };

export interface Answer {
  status: number;
  headers: Headers;
  body: Buffer;
}

/** What came is not what should have come. Says no more of an answer than its error, since answers hold secrets. */
export class Unexpected extends Error {
  constructor(expected: string, came: string) {
    super(`expected ${expected}, came ${came}`);
  }
}

/** A request of this run's, as its owner and its signer reach it. */
export interface Made {
  id: string;
  /** Why its invitation was not sent, where it was not. */
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
  /** By which the requests of this run are known, also those whose answer was lost. */
  readonly title = `Smoke test ${randomUUID()}`;
  readonly #apiKey: string;
  readonly #secrets: string[];
  readonly #notCancelled = new Set<string>();
  #mayHaveLeft = false;

  constructor({ baseUrl, apiKey, signer }: { baseUrl: string; apiKey: string; signer: string }) {
    this.baseUrl = baseUrl;
    this.signer = signer;
    this.#apiKey = apiKey;
    this.#secrets = [apiKey];
  }

  /** The same words without the key and the tokens of links, whatever brought them in. */
  withoutSecrets = (words: string): string =>
    this.#secrets.reduce((said, secret) => said.replaceAll(secret, '***'), words);

  /** Follows no redirect: none is promised, and one could lead the key astray. */
  async ask(address: string, init: RequestInit = {}): Promise<Answer> {
    try {
      const signal = AbortSignal.timeout(TIME_LIMIT_SECONDS * 1_000);
      const response = await fetch(new URL(address, this.baseUrl), { redirect: 'manual', signal, ...init });
      const body = Buffer.from(await response.arrayBuffer());
      return { status: response.status, headers: response.headers, body };
    } catch (error) {
      throw new Unexpected('an answer', `none (${reasonOf(error)})`);
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

  /** Calls an endpoint with the key, and gets what the contract promises. */
  call = async <E extends Endpoint>(endpoint: E, call?: Call) =>
    promised(endpoint, await this.send(endpoint, call));

  sendCreate(document: object): Promise<Answer> {
    this.#mayHaveLeft = true;
    const signers = [{ email: this.signer, name: 'Smoke Test' }];
    return this.send(createSignature, { body: { title: this.title, signers, document } });
  }

  /** Reads the answer to a create, and remembers what there is to cancel. */
  created(answer: Answer): Made {
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

  /** Cancels what this run has made and not cancelled, whatever went wrong on the way; how many these were. */
  async cleanUp(): Promise<number> {
    if (!this.#mayHaveLeft) return 0;
    const { data } = await this.call(listSignatures, { query: '?limit=100' }).catch(() => ({ data: [] }));
    const listed = data.filter(({ title, status }) => title === this.title && OPEN.includes(status));
    const left = new Set([...this.#notCancelled, ...listed.map(({ id }) => id)]);
    const open: string[] = [];
    for (const id of left) if (!(await this.#isClosed(id))) open.push(id);
    if (open.length > 0)
      throw new Unexpected('to cancel all that was made', `a refusal for ${open.join(' and ')}`);
    return left.size;
  }

  /** A cancel whose answer was lost counts as well. */
  async #isClosed(id: string): Promise<boolean> {
    const answer = await this.send(cancelSignature, { id, body: REASON }).catch(() => undefined);
    return answer?.status === 200 || (answer && errorOf(answer)?.error) === 'request_not_cancellable';
  }
}

/** The answer of an endpoint as the contract has it. */
export function promised<E extends Endpoint>(endpoint: E, answer: Answer): AnswerOf<E> {
  if (answer.status !== endpoint.status) throw new Unexpected(`${endpoint.status}`, described(answer));
  if (typeof endpoint.answer === 'string') throw new Error(`${endpoint.name} answers no JSON.`);
  const read = endpoint.answer.safeParse(jsonOf(answer));
  if (!read.success)
    throw new Unexpected('what the contract promises', z.prettifyError(read.error).replaceAll('\n', ' '));
  return read.data as AnswerOf<E>;
}

/** A refusal by one of the contract's errors, as JSON. */
export function refused(answer: Answer, code: ErrorCode, status: number = ERRORS[code][0]): void {
  if (answer.status !== status || errorOf(answer)?.error !== code)
    throw new Unexpected(`${status} ${code} as JSON`, described(answer));
}

/** An answer in a few words, none of them from a body that is not an error. */
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

/** Node says "fetch failed" and puts the reason beneath. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `not within ${TIME_LIMIT_SECONDS} seconds`;
  const { cause = error } = error;
  return cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : String(cause);
}
