import { jest } from '@jest/globals';
import fc from 'fast-check';
import { ApiError } from '../../shared/contract/api-error.ts';
import { MailLeaseHeld } from '../../shared/requests/inviting.ts';
import type { Item } from '../../shared/store/items.ts';
import type { Key } from '../../shared/store/keys.ts';
import { Meeting } from './meeting.ts';
import type { MemoryDynamo } from './memory-dynamo.ts';
import { Random } from './random.ts';
import { NOON } from './requests.ts';

const WAYS = 20;

/** Each draws another way in which the same actions meet. */
export const seeds = fc.array(fc.nat(), { minLength: WAYS, maxLength: WAYS });

/** Of the cases of a property, and at least: each is played in so many ways. */
export const SOME_RACES = [0.02, 40] as const;

const ordersOf = <T>(items: readonly T[]): T[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((first) =>
        ordersOf(items.filter((item) => item !== first)).map((rest) => [first, ...rest]),
      );

interface Play<A> {
  /** Throws the refusal. */
  act: (action: A) => Promise<string>;
  /** All that people can see afterwards, as one text. */
  look: () => Promise<string>;
}

/** Plays the same actions on a table in memory at the same time and one after another, each time from where it is now. */
export class Races<A> {
  readonly #memory: MemoryDynamo;
  readonly #start: readonly Item[];
  readonly #play: Play<A>;

  constructor(memory: MemoryDynamo, play: Play<A>) {
    this.#memory = memory;
    this.#start = memory.items;
    this.#play = play;
  }

  /** The answers to actions that meet as the seed draws. */
  async atOnce(actions: readonly A[], seed: number): Promise<Map<A, string>> {
    this.#begin();
    const meeting = new Meeting(new Random(seed));
    this.#memory.meeting = meeting;
    const answers = new Map<A, string>();
    await Promise.all(
      actions.map(async (action) => {
        await meeting.begin();
        answers.set(action, await this.#answerTo(action));
      }),
    );
    this.#memory.meeting = undefined;
    return answers;
  }

  /** Fails if actions at the same time, met in each of these ways, end as none of their orders would. */
  async expectSomeOrder(actions: readonly A[], seeds: readonly number[]): Promise<void> {
    const ends: string[] = [];
    for (const order of ordersOf(actions)) {
      const answers = await this.#oneByOne(order);
      ends.push(await this.#end(actions, answers));
    }
    for (const seed of seeds) {
      const answers = await this.atOnce(actions, seed);
      expect(ends).toContain(await this.#end(actions, answers));
    }
  }

  async #oneByOne(actions: readonly A[]): Promise<Map<A, string>> {
    this.#begin();
    const answers = new Map<A, string>();
    for (const action of actions) answers.set(action, await this.#answerTo(action));
    return answers;
  }

  #begin(): void {
    jest.setSystemTime(NOON);
    this.#memory.clear();
    for (const item of this.#start) this.#memory.set(item as Item & Key);
  }

  #answerTo = (action: A): Promise<string> =>
    this.#play.act(action).catch((error: unknown) => {
      // A read that sees another action in part may find another reason.
      if (error instanceof ApiError || error instanceof MailLeaseHeld) return 'refused';
      throw error;
    });

  async #end(actions: readonly A[], answers: ReadonlyMap<A, string>): Promise<string> {
    const given = actions.map((action) => answers.get(action));
    return JSON.stringify([given, await this.#play.look()]);
  }
}
