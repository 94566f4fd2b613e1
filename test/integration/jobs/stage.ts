import { makePdf } from '../../support/pdf.ts';
import type { Receiver } from '../../support/receiver.ts';
import { type ApiClient, Service, type SigningClient } from '../../support/service.ts';

export const DAY = 24 * 60 * 60 * 1_000;
const PATH = '/api/v1/signatures';

export interface Created {
  id: string;
  signers: { id: string; email: string; access_token: string }[];
}

/** Shared by the job tests: a service, an organization, and requests in any state. */
export class Stage {
  readonly service: Service;
  readonly client: ApiClient & { ownerId: string };
  readonly receiver: Receiver;
  readonly #pdf: string;
  static #people = 0;

  private constructor(
    service: Service,
    client: ApiClient & { ownerId: string },
    receiver: Receiver,
    pdf: string,
  ) {
    this.service = service;
    this.client = client;
    this.receiver = receiver;
    this.#pdf = pdf;
  }

  static open = async () => Stage.#at(await Service.start());
  static openCold = async () => Stage.#at(await Service.startCold());

  static async #at(service: Service): Promise<Stage> {
    const client = await service.client();
    return new Stage(service, client, await service.receiver(client), (await makePdf()).toString('base64'));
  }

  close = () => this.service.stop();

  /** Creates a request with new addresses. */
  async create(
    signers = 1,
    overrides: Record<string, unknown> = {},
    client: ApiClient = this.client,
  ): Promise<Created> {
    const people = Array.from({ length: signers }, () => {
      Stage.#people += 1;
      return { email: `person${Stage.#people}@example.com`, name: `Person ${Stage.#people}` };
    });
    const { status, body } = await client.post<Created>(PATH, {
      title: 'Contract',
      signers: people,
      document: { content_base64: this.#pdf },
      ...overrides,
    });
    if (status !== 200) throw new Error(`The request was refused: ${JSON.stringify(body)}`);
    return body;
  }

  get = async (id: string, client: ApiClient = this.client) => (await client.get(`${PATH}/${id}`)).body;
  cancel = (id: string) => this.client.post(`${PATH}/${id}/cancel`);
  document = (id: string, client: ApiClient = this.client) => client.get(`${PATH}/${id}/document`);

  /** Counts the events of a type in the audit trail. */
  async countEvents(id: string, type: string): Promise<number> {
    const { audit_trail: trail } = await this.get(id);
    return trail.events.filter((event: { type: string }) => event.type === type).length;
  }

  /** A signer with a verified code. */
  async verified({ signers }: Created, index = 0): Promise<SigningClient> {
    const { access_token: token, email } = signers[index] ?? { access_token: '', email: '' };
    const signer = this.service.signer(token);
    await signer.open();
    await signer.sendCode();
    await signer.verify(this.service.code(email));
    return signer;
  }

  async signed(client: ApiClient = this.client): Promise<Created> {
    const request = await this.create(1, {}, client);
    await (await this.verified(request)).sign();
    await this.service.untilStatus(client, request.id, 'signed');
    return request;
  }

  async expectIntact(id: string): Promise<void> {
    expect(await this.service.admin('request', 'verify-audit', id)).toMatchObject({ intact: true });
  }

  mails = (email: string, words: RegExp) =>
    this.service.mails(email).filter(({ subject }) => words.test(subject));
}
