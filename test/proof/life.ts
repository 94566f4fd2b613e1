import { sleep } from '../../shared/runtime/time.ts';
import type { Answer, SigningClient } from '../support/service.ts';
import type { Invited, Sent } from '../support/signing-stage.ts';
import { until } from '../support/until.ts';
import { ENDED } from './refusals.ts';
import { Timings } from './timings.ts';
import type { World } from './world.ts';

/** The sender and the signers of one request, as they would act from outside. */

const PATH = '/api/v1/signatures';
const PAUSE_MS = 250;
/** Requests expire before their files are purged and before anyone is reminded. */
export const LIFETIME_DAYS = 2;
/** Refusals that no repetition changes. */
const FINAL = [...ENDED, 'already_signed', 'not_found'];

export const ENDINGS = ['signed', 'declined', 'cancelled', 'expired'] as const;
/** The sender may also mail the first signer anew, or another in their place, or delete the document after the end. */
export const TURNS = ['resent', 'corrected', 'deleted'] as const;

export interface LifePlan {
  title: string;
  signers: number;
  /** The end that its people mean it to have; nobody acts where it is to expire. */
  ending: (typeof ENDINGS)[number];
  turn?: (typeof TURNS)[number] | null;
}

interface Manner {
  timings?: Timings;
  /** Attempts of each person; one if nothing is expected to fail. */
  patience?: number;
}

type Call = () => Promise<Answer<ReturnType<typeof JSON.parse>>>;

/** Thrown once a person has lost patience, or the request has ended otherwise. */
export class GaveUp extends Error {
  override name = 'GaveUp';
}

const addressOf = (title: string, place: number) =>
  `${title.toLowerCase().replaceAll(/[^a-z\d]+/g, '-')}.${place + 1}@example.com`;

export class Life {
  readonly #world: World;
  readonly #plan: LifePlan;
  readonly #timings: Timings;
  readonly #patience: number;

  constructor(world: World, plan: LifePlan, { timings = new Timings(), patience = 1 }: Manner = {}) {
    this.#world = world;
    this.#plan = plan;
    this.#timings = timings;
    this.#patience = patience;
  }

  /** Repeats a call until it is answered with success. */
  async #insist(step: string, call: Call) {
    let refusal = '';
    for (let tried = 0; tried < this.#patience; tried += 1) {
      if (tried > 0) await sleep(PAUSE_MS);
      const answer = await this.#timings.of(step, call).catch(() => undefined);
      if (answer && answer.status < 300) return answer;
      refusal = `${answer?.status} ${answer?.body?.error}`;
      if (FINAL.includes(answer?.body?.error)) break;
    }
    throw new GaveUp(`${step} of “${this.#plan.title}” was answered ${refusal}`);
  }

  async create(): Promise<Sent> {
    const { title, signers, ending } = this.#plan;
    const entry = { title, id: null as string | null, ending: ending as string };
    this.#world.creates.push(entry);
    const body = {
      title,
      expires_in_days: LIFETIME_DAYS,
      signers: Array.from({ length: signers }, (_, place) => ({
        email: addressOf(title, place),
        name: `Person ${place + 1}`,
      })),
      document: { filename: 'contract.pdf', content_base64: this.#world.pdf.toString('base64') },
    };
    const { body: sent } = await this.#insist('create', () =>
      this.#world.client.post(PATH, body, { 'idempotency-key': title }),
    );
    entry.id = sent.id;
    return sent;
  }

  async #enterCode(link: SigningClient, { email }: Invited): Promise<void> {
    let isFirst = true;
    await this.#insist('verify', async () => {
      // The newest code may be the one that was wrong, or its mail may have been lost.
      if (!isFirst) await link.sendCode();
      isFirst = false;
      return link.verify(this.#world.service.code(email));
    });
  }

  /** A signer who opened the link, entered the code and read the document. */
  async #reader(signer: Invited): Promise<SigningClient> {
    const link = this.#world.service.signer(signer.access_token);
    await this.#insist('open', link.open);
    await this.#enterCode(link, signer);
    await this.#insist('read', () => link.call('GET', '/document'));
    return link;
  }

  /** A session may end between two steps: then the signer begins again. */
  async #asReader(
    signer: Invited,
    step: string,
    act: (link: SigningClient) => ReturnType<Call>,
  ): Promise<Answer<ReturnType<typeof JSON.parse>>> {
    for (let tried = 1; ; tried += 1) {
      const link = await this.#reader(signer);
      try {
        return await this.#insist(step, () => act(link));
      } catch (error) {
        if (tried >= this.#patience) throw error;
        if (FINAL.some((refusal) => String(error).endsWith(refusal))) throw error;
      }
    }
  }

  async sign(id: string, signer: Invited): Promise<void> {
    const { body } = await this.#asReader(signer, 'sign', (link) => link.sign());
    this.#world.acts.push({ kind: 'sign', requestId: id, signerId: signer.id, at: body.signed_at });
  }

  /** All have read the document and sign at the same moment. */
  async signTogether({ id, signers }: Sent): Promise<void> {
    const readers = await Promise.all(signers.map((signer) => this.#reader(signer)));
    const answers = await Promise.all(readers.map((link) => this.#insist('sign', async () => link.sign())));
    for (const [place, { body }] of answers.entries())
      this.#world.acts.push({
        kind: 'sign',
        requestId: id,
        signerId: signers[place]?.id ?? null,
        at: body.signed_at,
      });
  }

  async decline(id: string, signer: Invited): Promise<void> {
    const { body } = await this.#asReader(signer, 'decline', (link) => link.decline('Not like this.'));
    this.#world.acts.push({ kind: 'decline', requestId: id, signerId: signer.id, at: body.declined_at });
  }

  async cancel(id: string): Promise<void> {
    const { body } = await this.#insist('cancel', () => this.#world.client.post(`${PATH}/${id}/cancel`));
    this.#world.acts.push({ kind: 'cancel', requestId: id, signerId: null, at: body.cancelled_at });
  }

  /** The people after the sender has mailed the first of them anew, or somebody at another address. */
  async #mailedAnew({ id, signers }: Sent): Promise<Invited[]> {
    const { turn, title } = this.#plan;
    const { client } = this.#world;
    const [first, ...others] = signers;
    if (!first) throw new Error('A request has a signer.');
    const path = `${PATH}/${id}/signers/${first.id}`;
    if (turn === 'resent') await this.#insist('resend', () => client.post(`${path}/resend`));
    if (turn !== 'corrected') return signers;
    const email = `corrected.${addressOf(title, 0)}`;
    const { body } = await this.#insist('correct', () => client.call('PATCH', path, { email }));
    return [{ ...first, ...body }, ...others];
  }

  async #delete(id: string): Promise<void> {
    await this.#insist('delete', () => this.#world.client.call('DELETE', `${PATH}/${id}/document`));
  }

  /** Until the last of it has arrived: the seal, both files, and the webhook of the end. */
  async #sealed(id: string): Promise<void> {
    const [steady] = this.#world.endpoints;
    await this.#timings.of('seal', () =>
      until(
        () => steady?.receiver.wasTold('signature_request.completed', id),
        `“${this.#plan.title}” to be sealed`,
        300,
      ),
    );
    for (const file of ['document', 'evidence.pdf'])
      await this.#insist('download', () => this.#world.client.get(`${PATH}/${id}/${file}`));
  }

  /** Everything that people do with the request. */
  async act(sent: Sent): Promise<void> {
    const { ending, turn } = this.#plan;
    await this.#toTheEnd(sent.id, await this.#mailedAnew(sent));
    if (turn === 'deleted' && ending !== 'expired') await this.#delete(sent.id);
  }

  async #toTheEnd(id: string, signers: Invited[]): Promise<void> {
    const { ending } = this.#plan;
    const [first, ...others] = signers;
    if (!first || ending === 'expired') return;
    if (ending === 'declined' || ending === 'cancelled') {
      if (others.length > 0) await this.sign(id, first);
      const last = others.at(-1) ?? first;
      return ending === 'declined' ? this.decline(id, last) : this.cancel(id);
    }
    for (const signer of signers) await this.sign(id, signer);
  }

  /** From the create to the end. */
  async live(): Promise<void> {
    const sent = await this.create();
    await this.act(sent);
    if (this.#plan.ending === 'signed') await this.#sealed(sent.id);
  }

  /** As `live`, but whoever loses patience leaves, and nobody waits for the seal. */
  async tryToLive(): Promise<void> {
    try {
      await this.act(await this.create());
    } catch (error) {
      if (!(error instanceof GaveUp)) throw error;
    }
  }
}
