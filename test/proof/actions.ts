import fc from 'fast-check';
import { DAY, HOUR, MINUTE, SECOND } from '../../shared/runtime/time.ts';
import type { Action } from './model.ts';

/** Random sequences of actions, one at a time and two at once. */

const MOST_PEOPLE = 3;
export const MOST_STEPS = 16;

/** Acts for sender and signers, and compares each answer with the model. */
export interface Player {
  readonly people: number;
  done(action: Action): Promise<void>;
  bothDone(one: Action, other: Action): Promise<void>;
}

type Command = fc.AsyncCommand<object, Player>;

/** Places are drawn before it is known how many people there are. */
const among = (action: Action, { people }: Player): Action =>
  'place' in action ? { ...action, place: action.place % people } : action;

class InTurn implements Command {
  readonly actions: readonly Action[];

  constructor(...actions: readonly Action[]) {
    this.actions = actions;
  }
  check = () => true;
  toString = () => this.actions.map((action) => JSON.stringify(action)).join(', ');

  async run(_: object, player: Player): Promise<void> {
    for (const action of this.actions) await player.done(among(action, player));
  }
}

class AtOnce implements Command {
  readonly actions: readonly [Action, Action];

  constructor(actions: readonly [Action, Action]) {
    this.actions = actions;
  }
  check = () => true;
  toString = () => `at once ${JSON.stringify(this.actions)}`;

  run(_: object, player: Player): Promise<void> {
    const [one, other] = this.actions;
    return player.bothDone(among(one, player), among(other, player));
  }
}

const wait = (milliseconds: number): Action => ({ kind: 'wait', milliseconds });
type Kind = Extract<Action, { place: number }>['kind'];
const place = fc.nat({ max: MOST_PEOPLE - 1 });
const of = (kinds: readonly Kind[]) =>
  place.map((each) => kinds.map((kind): Action => ({ kind, place: each })));
const KINDS: readonly Kind[] = ['open', 'ask', 'guess', 'enter', 'sign', 'decline', 'resend'];
const ENTER_AND_SIGN: readonly Kind[] = ['enter', 'sign'];

/** Many of one kind, which single steps would hardly ever lead to. */
const stubborn = place.chain((each) => {
  const asks = [{ kind: 'ask', place: each } as const, wait(40 * SECOND)];
  const guesses: Action[] = Array(5).fill({ kind: 'guess', place: each });
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(guesses) },
    { weight: 2, arbitrary: fc.constant(Array(6).fill(asks).flat() as Action[]) },
    {
      weight: 1,
      arbitrary: fc.constant(
        Array(4)
          .fill([...guesses, wait(16 * MINUTE), ...asks])
          .flat() as Action[],
      ),
    },
  );
});
const personal = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...KINDS).chain((kind) => of([kind])) },
  { weight: 6, arbitrary: of(ENTER_AND_SIGN) },
  { weight: 1, arbitrary: stubborn },
);
const ofSender = fc.constantFrom<Action>({ kind: 'cancel' }, { kind: 'download' });
const ofOperator = fc.constantFrom<Action>(
  { kind: 'seal ok' },
  { kind: 'seal fails' },
  { kind: 'restamp' },
  { kind: 'expire' },
  { kind: 'purge' },
);
/** Longer than a pause, a code, a lock, a day, and than links last. */
const waits = fc.constantFrom(40 * SECOND, 11 * MINUTE, 16 * MINUTE, 26 * HOUR, 31 * DAY).map(wait);
const inTurn = fc
  .oneof(
    { weight: 10, arbitrary: personal },
    { weight: 1, arbitrary: ofSender.map((action) => [action]) },
    { weight: 2, arbitrary: waits.map((action) => [action]) },
    { weight: 3, arbitrary: ofOperator.map((action) => [action]) },
  )
  .map((actions) => new InTurn(...actions));
const call = fc.oneof(
  {
    weight: 10,
    arbitrary: fc
      .constantFrom(...KINDS, ...ENTER_AND_SIGN)
      .chain((kind) => place.map((each): Action => ({ kind, place: each }))),
  },
  { weight: 1, arbitrary: ofSender },
);
const atOnce = fc.tuple(call, call).map((actions) => new AtOnce(actions));
const sequence = fc.commands([inTurn, inTurn, inTurn, atOnce], { maxCommands: MOST_STEPS, size: 'max' });

/** Plays sequences, each with so many people. */
export const played = (begin: (people: number) => Promise<Player>) =>
  fc.asyncProperty(fc.integer({ min: 1, max: MOST_PEOPLE }), sequence, async (people, commands) => {
    const player = await begin(people);
    await fc.asyncModelRun(() => ({ model: {}, real: player }), commands);
  });
