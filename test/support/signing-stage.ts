import type { StoredMail } from '../../local/ports.ts';
import { makePdf } from './pdf.ts';
import type { Receiver } from './receiver.ts';
import { type ApiClient, Service, type SigningClient } from './service.ts';
import { until } from './until.ts';

const path = '/api/v1/signatures';

export interface Invited {
  id: string;
  email: string;
  name: string;
  locale: string;
  access_token: string;
  sign_url: string;
}

export interface Sent {
  id: string;
  expires_at: string;
  signers: Invited[];
}

interface AuditEvent {
  type: string;
  signer_id: string | null;
  details: Record<string, unknown>;
}

interface Parts {
  service: Service;
  client: ApiClient & { ownerId: string };
  receiver: Receiver;
  pdf: Buffer;
}

async function partsAt(service: Service, pdf: Uint8Array | undefined): Promise<Parts> {
  const client = await service.client();
  const receiver = await service.receiver(client);
  return { service, client, receiver, pdf: pdf ? Buffer.from(pdf) : await makePdf() };
}

/** Shared by the tests of signing: a service, an organization that sends, its receiver, and requests to people of their own. */
export class SigningStage {
  readonly service: Service;
  readonly client: ApiClient & { ownerId: string };
  readonly receiver: Receiver;
  readonly pdf: Buffer;
  #people = 0;

  constructor({ service, client, receiver, pdf }: Parts) {
    this.service = service;
    this.client = client;
    this.receiver = receiver;
    this.pdf = pdf;
  }

  static async open<S>(this: new (parts: Parts) => S, pdf?: Uint8Array): Promise<S> {
    return new this(await partsAt(await Service.start(), pdf));
  }

  static async openCold<S>(this: new (parts: Parts) => S, pdf?: Uint8Array): Promise<S> {
    return new this(await partsAt(await Service.startCold(), pdf));
  }

  close = () => this.service.stop();

  /** A request that was sent to so many people, who have had no mail before. */
  async send(
    signers = 1,
    overrides: Record<string, unknown> = {},
    client: ApiClient = this.client,
  ): Promise<Sent> {
    const people = Array.from({ length: signers }, () => {
      this.#people += 1;
      return { email: `person${this.#people}@example.com`, name: `Person ${this.#people}` };
    });
    const { status, body } = await client.post<Sent>(path, {
      title: 'Contract',
      signers: people,
      document: { filename: 'contract.pdf', content_base64: this.pdf.toString('base64') },
      ...overrides,
    });
    if (status !== 200) throw new Error(`The request was refused: ${JSON.stringify(body)}`);
    return body;
  }

  get = async (id: string, client: ApiClient = this.client) => (await client.get(`${path}/${id}`)).body;
  cancel = (id: string) => this.client.post(`${path}/${id}/cancel`);
  resend = (id: string, signerId: string) => this.client.post(`${path}/${id}/signers/${signerId}/resend`);
  /** Corrects a signer, who is invited with a new link. */
  correct = async (
    id: string,
    signer: Invited,
    changes: { email?: string; name?: string },
  ): Promise<Invited> => {
    const { status, body } = await this.client.call('PATCH', `${path}/${id}/signers/${signer.id}`, changes);
    if (status !== 200) throw new Error(`The correction was refused: ${JSON.stringify(body)}`);
    return body;
  };
  sealedDocument = async (id: string) => (await this.client.get(`${path}/${id}/document`)).bytes;
  untilStatus = (id: string, status: string) => this.service.untilStatus(this.client, id, status);

  /** The signers' states, in the request's order. */
  statuses = async (id: string): Promise<string[]> =>
    (await this.get(id)).signers.map(({ status }: { status: string }) => status);

  linkOf = ({ access_token }: Invited): SigningClient => this.service.signer(access_token);

  /** A signer with a session: the code is the newest mail's, or a fresh one where that is asked for. */
  async verified(signer: Invited, { freshCode = false } = {}): Promise<SigningClient> {
    if (freshCode) await this.linkOf(signer).sendCode();
    return this.service.verifiedSigner(signer.access_token, signer.email);
  }

  async sign(signer: Invited, overrides: Record<string, unknown> = {}) {
    return (await this.verified(signer)).sign(overrides);
  }

  async trail(id: string, type: string): Promise<AuditEvent[]> {
    const { audit_trail: trail } = await this.get(id);
    return trail.events.filter((event: AuditEvent) => event.type === type);
  }

  /** The data of the events of one type that the receiver was told. */
  told = (id: string, type: string) =>
    this.receiver
      .eventsOf(id)
      .filter((event) => event.type === type)
      .map(({ data }) => data);

  /** Waits for so many events of a type, which then are all there were to come. */
  async untilTold(id: string, type: string, count = 1) {
    await until(() => this.told(id, type).length >= count, `${count} times ${type} of ${id}`);
    expect(this.told(id, type)).toHaveLength(count);
    return this.told(id, type);
  }

  /** The token of the link in the mail with the sealed document. */
  async copyToken({ email }: Invited): Promise<string> {
    const { text } = await this.untilMail(email, /sealed/);
    const [, token] = /\/sign\/copy#([\w-]+)/.exec(text) ?? [];
    if (!token) throw new Error('The mail has no link to a copy.');
    return token;
  }

  /** A call with the link to a copy alone: without the signing link, and without a session. */
  withCopyLink = (token: string, path: string) =>
    this.service.signer('').call('GET', path, undefined, { 'x-copy-token': token });

  untilMail = (to: string, words: RegExp): Promise<StoredMail> =>
    until(
      () => this.service.mails(to).find(({ subject }) => words.test(subject)),
      `the mail ${words} to ${to}`,
    );

  /** A mail is in the inbox before the request says that it was sent. */
  untilRecorded = (id: string, { id: signerId }: { id: string }, kind: string) =>
    until(async () => {
      const { signers } = await this.get(id);
      const { mails }: { mails: { kind: string }[] } = signers.find(
        (signer: { id: string }) => signer.id === signerId,
      );
      return mails.some((mail) => mail.kind === kind);
    }, `the record of the mail ${kind} to ${signerId}`);
}

/** The only one, or the first. */
export function first<T>([item]: readonly T[]): T {
  if (item === undefined) throw new Error('The list is empty.');
  return item;
}

/** The status and the error of an answer. */
export const refusal = ({ status, body }: { status: number; body: { error?: string } }) => [
  status,
  body.error,
];

/** A code that is not this one. */
export const wrongCode = (right: string, guess = 0) => {
  const code = String(guess).padStart(6, '0');
  return code === right ? '999999' : code;
};
