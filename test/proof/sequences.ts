import fc from 'fast-check';
import { DAY, HOUR, MINUTE, SECOND, sleep } from '../../shared/runtime/time.ts';
import type { SigningClient } from '../support/service.ts';
import type { Invited, Sent } from '../support/signing-stage.ts';
import { functionOf, MOST_STEPS, type Player, played } from './actions.ts';
import { proveSound } from './chaos.ts';
import { collect } from './collect.ts';
import { type Action, created, isOpen, LIFETIME_DAYS, RETENTION } from './model.ts';
import { type Done, Possible } from './possible.ts';
import { isFinished, settle } from './settle.ts';
import { inWorld, type World } from './world.ts';

/** Sequences of actions against the service, each answer compared with the model. */

const PATH = '/api/v1/signatures';
/** A service for so many sequences: each moves its clock by weeks, and the demo's certificates are valid for three years. */
const SEQUENCES_A_WORLD = 20;
const SEAL_BACK_OFF = 16 * MINUTE;
const MOST_SEAL_ROUNDS = 40;

/** With a browser of their own. */
interface Person {
  signer: Invited;
  link: SigningClient;
}

/** A request with its people. */
class Stage implements Player {
  readonly #world: World;
  readonly #sent: Sent;
  readonly #people: Person[];
  readonly #consent: string;
  #corrections = 0;
  readonly possible: Possible;

  constructor(world: World, sent: Sent, consent: string) {
    this.#world = world;
    this.#sent = sent;
    this.#consent = consent;
    this.#people = sent.signers.map((signer) => this.#invited(signer));
    this.possible = new Possible(created(sent.signers.length, world.now));
  }

  get people(): number {
    return this.#people.length;
  }

  #invited = (signer: Invited): Person => ({ signer, link: this.#world.service.signer(signer.access_token) });

  #of(place: number): Person {
    const person = this.#people[place];
    if (!person) throw new Error(`There is nobody at ${place}.`);
    return person;
  }

  /** Somebody at another address takes the place of a person. */
  #correct({ signer }: Person) {
    this.#corrections += 1;
    const email = `corrected-${this.#corrections}.of-${this.#sent.id}@example.com`;
    return this.#world.client.call('PATCH', `${PATH}/${this.#sent.id}/signers/${signer.id}`, { email });
  }

  async #status(): Promise<string> {
    return (await this.#world.client.get(`${PATH}/${this.#sent.id}`)).body.status;
  }

  /** Gives the seal its retries, until it has come or was given up. */
  async #driveSeal(): Promise<void> {
    for (let round = 0; (await this.#status()) === 'awaiting_stamp'; round += 1) {
      if (round > MOST_SEAL_ROUNDS) throw new Error('The seal is stuck.');
      if (round % 4 === 3) {
        this.#world.service.advance(SEAL_BACK_OFF);
        // The signature that completed the request may have died before it called for the seal.
        await this.#world.service.runSchedule('sweep');
      }
      await sleep(100);
    }
  }

  #signature(place: number) {
    const { signer } = this.#of(place);
    return {
      document_sha256: this.#world.documentSha256,
      consent_version: this.#consent,
      consent_locale: 'en',
      name: signer.name,
      signature: { type: 'typed', text: signer.name },
    };
  }

  async #byPerson(action: Extract<Action, { place: number }>) {
    const person = this.#of(action.place);
    const { link, signer } = person;
    const { service, client } = this.#world;
    switch (action.kind) {
      case 'open':
        return link.open();
      case 'ask':
        return link.sendCode();
      case 'guess':
        return link.verify(service.code(signer.email) === '000000' ? '000001' : '000000');
      case 'enter':
        return link.verify(service.code(signer.email));
      case 'sign':
        return link.call('POST', '/sign', this.#signature(action.place));
      case 'decline':
        return link.decline();
      case 'read':
        return link.call('GET', '/document');
      case 'fetch':
        return link.call('GET', '/sealed-document');
      case 'correct':
        return this.#correct(person);
      case 'resend':
        return client.post(`${PATH}/${this.#sent.id}/signers/${signer.id}/resend`);
    }
  }

  #bySender(kind: Exclude<Action, { place: number }>['kind']) {
    const { client } = this.#world;
    const path = `${PATH}/${this.#sent.id}`;
    if (kind === 'cancel') return client.post(`${path}/cancel`);
    return client.call(kind === 'delete' ? 'DELETE' : 'GET', `${path}/document`);
  }

  #note(action: Action, body: Record<string, unknown> | undefined): void {
    const times: Readonly<Record<string, unknown>> = {
      sign: body?.signed_at,
      decline: body?.declined_at,
      cancel: body?.cancelled_at,
    };
    const at = times[action.kind];
    if (typeof at !== 'string') return;
    const signerId = 'place' in action ? this.#of(action.place).signer.id : null;
    this.#world.acts.push({ kind: action.kind, requestId: this.#sent.id, signerId, at });
  }

  #letDie({ kind, dies }: Action): void {
    if (!dies) return;
    const call = { service: 'dynamodb', operation: 'TransactWriteItems', function: functionOf(kind) };
    this.#world.service.fault({ ...call, effect: dies, after: 1 });
  }

  async #call(action: Action): Promise<string> {
    this.#letDie(action);
    const answer = await ('place' in action ? this.#byPerson(action) : this.#bySender(action.kind));
    if (action.dies && answer.status === 502) return 'lost';
    if (answer.status >= 300) return String(answer.body?.error);
    this.#note(action, answer.body);
    return 'ok';
  }

  /** No day passes while a function works: what it wrote or reads would meanwhile be removed for its age. */
  async #pass(milliseconds: number): Promise<void> {
    if (milliseconds >= DAY) {
      await isFinished(this.#world);
      // What ended by then ended before the days that follow.
      await this.look();
    }
    this.#world.service.advance(milliseconds);
  }

  /** Moves the clock so far that the job has something to do with this request, if anything ever. */
  async #runJob(job: 'expire' | 'purge'): Promise<void> {
    const { service, now } = this.#world;
    const due = this.possible.requests.flatMap((request) => {
      if (job === 'expire') return isOpen(request) ? [request.expiresAt] : [];
      return request.endedAt === null ? [] : [request.endedAt + RETENTION];
    });
    const wait = Math.max(...due, now) - now;
    if (wait > 0) await this.#pass(wait + HOUR);
    await service.runSchedule(job);
  }

  async act(action: Action): Promise<string> {
    const { authority, service } = this.#world;
    switch (action.kind) {
      case 'wait':
        await this.#pass(action.milliseconds);
        return 'ok';
      case 'expire':
      case 'purge':
        await this.#runJob(action.kind);
        return 'ok';
      case 'seal ok':
      case 'seal fails':
        authority.mood = action.kind === 'seal ok' ? 'answers' : 'dead';
        return 'ok';
      case 'remind':
        await service.runSchedule('remind');
        return 'ok';
      case 'restamp':
        return service.admin('request', 'restamp', this.#sent.id).then(
          () => 'ok',
          () => 'refused',
        );
      default:
        return this.#call(action);
    }
  }

  async done(action: Action): Promise<void> {
    const answer = await this.act(action);
    this.#world.service.cloud.services.clearFaults();
    this.possible.after({ action, answer }, this.#world.now);
    if (action.kind === 'seal ok' || action.kind === 'seal fails') await this.#driveSeal();
    await this.look();
  }

  async bothDone(one: Action, other: Action): Promise<void> {
    const answered = async (action: Action): Promise<Done> => ({ action, answer: await this.act(action) });
    const [first, second] = await Promise.all([answered(one), answered(other)]);
    this.#world.service.cloud.services.clearFaults();
    this.possible.afterBoth(first, second, this.#world.now);
    await this.look();
  }

  async look(): Promise<void> {
    const { body } = await this.#world.client.get(`${PATH}/${this.#sent.id}`);
    const signers: (Invited & { status: string })[] = body.signers;
    for (const [place, signer] of signers.entries())
      if (signer.access_token !== this.#of(place).signer.access_token)
        this.#people[place] = this.#invited(signer);
    this.possible.seen(
      body.status,
      signers.map(({ status }) => status),
      this.#world.now,
    );
  }
}

async function send(world: World, people: number): Promise<Sent> {
  const title = `Sequence ${world.creates.length + 1}`;
  const { status, body } = await world.client.post<Sent>(PATH, {
    title,
    expires_in_days: LIFETIME_DAYS,
    signers: Array.from({ length: people }, (_, each) => ({
      email: `sequence-${world.creates.length + 1}.${each}@example.com`,
      name: `Person ${each + 1}`,
    })),
    document: { filename: 'contract.pdf', content_base64: world.pdf.toString('base64') },
  });
  if (status !== 200) throw new Error(`The create was answered ${status}.`);
  world.creates.push({ title, id: body.id, ending: null });
  return body;
}

/** Of the consent that signers give, as a signer of another request is shown it. */
async function consentVersion(world: World): Promise<string> {
  const [signer] = (await send(world, 1)).signers;
  if (!signer) throw new Error('A request has a signer.');
  const { body } = await world.service.signer(signer.access_token).verify(world.service.code(signer.email));
  return body.consent.version;
}

interface Limits {
  seed: number;
  /** No sequence begins after this time. */
  seconds: number;
}

/** Returns how many sequences there was time for. */
async function runIn(world: World, most: number, { seed, seconds }: Limits): Promise<number> {
  const consent = await consentVersion(world);
  const property = played(async (people) => {
    world.authority.mood = 'answers';
    return new Stage(world, await send(world, people), consent);
  });
  const outcome = await fc.check(property, {
    numRuns: most,
    seed,
    interruptAfterTimeLimit: seconds * SECOND,
    markInterruptAsFailure: false,
    // A shorter sequence would be played where the clock of the one that failed has moved.
    endOnFailure: true,
  });
  if (outcome.failed) throw new Error(fc.defaultReportMessage(outcome), { cause: outcome.errorInstance });
  // Its clock moved under whatever was in hand.
  world.interruptions += 1;
  await settle(world);
  proveSound(await collect(world), seed);
  return outcome.numRuns;
}

export interface ModelSize {
  sequences: number;
  seconds: number;
}

export async function model({ sequences, seconds }: ModelSize, seed: number): Promise<string> {
  const end = performance.now() + seconds * SECOND;
  let done = 0;
  for (let left = seconds; done < sequences && left > 0; left = (end - performance.now()) / SECOND) {
    const most = Math.min(SEQUENCES_A_WORLD, sequences - done);
    const limits = { seed: seed + done, seconds: left };
    done += await inWorld((world) => runIn(world, most, limits));
  }
  return `${done} sequences of up to ${MOST_STEPS} steps, every fourth of them two actions at once, and some of functions that died: each answer and each state was one that the model allows, and the checker found nothing lost, doubled or stuck.`;
}
