import fc from 'fast-check';
import { DAY, HOUR, MINUTE, SECOND } from '../../shared/runtime/time.ts';
import { type Action, type Death, LIFETIME_DAYS, RETENTION } from './model.ts';

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

/** One action, or two that begin at the same moment. */
type Step = readonly [Action] | readonly [Action, Action];

class Steps implements Command {
  readonly steps: readonly Step[];

  constructor(steps: readonly Step[]) {
    this.steps = steps;
  }
  check = () => true;
  toString = () => JSON.stringify(this.steps);

  async run(_: object, player: Player): Promise<void> {
    for (const [one, other] of this.steps)
      await (other
        ? player.bothDone(among(one, player), among(other, player))
        : player.done(among(one, player)));
  }
}

const inTurn = (actions: readonly Action[]) => new Steps(actions.map((action): Step => [action]));

const wait = (milliseconds: number): Action => ({ kind: 'wait', milliseconds });
type Kind = Extract<Action, { place: number }>['kind'];
const place = fc.nat({ max: MOST_PEOPLE - 1 });
const of = (kinds: readonly Kind[]) =>
  place.map((each) => kinds.map((kind): Action => ({ kind, place: each })));
const KINDS: readonly Kind[] = ['open', 'ask', 'guess', 'enter', 'sign', 'decline', 'resend'];
const RARE_KINDS: readonly Kind[] = ['read', 'fetch', 'correct'];
const ENTER_AND_SIGN: readonly Kind[] = ['enter', 'sign'];
/** Kinds whose functions may die here. Those that mail are left to chaos: nobody knows then which code is the newest. */
const MORTAL: readonly Kind[] = ['open', 'enter', 'sign', 'decline'];

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
  { weight: 3, arbitrary: fc.constantFrom(...RARE_KINDS).chain((kind) => of([kind])) },
  { weight: 6, arbitrary: of(ENTER_AND_SIGN) },
  { weight: 1, arbitrary: stubborn },
);
const CANCEL: Action = { kind: 'cancel' };
const ofSender = fc.constantFrom<Action>(CANCEL, { kind: 'download' }, { kind: 'delete' });
const REMIND: Action = { kind: 'remind' };
const EXPIRE: Action = { kind: 'expire' };
const PURGE: Action = { kind: 'purge' };
const ofOperator = fc.constantFrom<Action>(
  { kind: 'seal ok' },
  { kind: 'seal fails' },
  { kind: 'restamp' },
  EXPIRE,
  PURGE,
  REMIND,
);
/** Longer than a pause, a code, a lock, a day, and than links last. */
const waits = fc.constantFrom(40 * SECOND, 11 * MINUTE, 16 * MINUTE, 26 * HOUR, 31 * DAY).map(wait);
const FUNCTIONS: Partial<Record<Action['kind'], string>> = {
  open: 'open-link',
  enter: 'verify-code',
  guess: 'verify-code',
  sign: 'sign',
  decline: 'decline',
  cancel: 'cancel-signature',
};
/** The function that may die of an action. */
export const functionOf = (kind: Action['kind']): string => FUNCTIONS[kind] ?? kind;

/** The last of the actions dies. */
const killed = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...MORTAL).chain((kind) => of([kind])),
      of(ENTER_AND_SIGN),
      fc.constant([CANCEL]),
    ),
    fc.constantFrom<Death>('kill', 'kill-after'),
  )
  .map(([actions, dies]) =>
    actions.map((action, nth) => (nth < actions.length - 1 ? action : { ...action, dies })),
  );
const alone = fc
  .oneof(
    { weight: 10, arbitrary: personal },
    { weight: 2, arbitrary: killed },
    { weight: 1, arbitrary: ofSender.map((action) => [action]) },
    { weight: 2, arbitrary: waits.map((action) => [action]) },
    { weight: 3, arbitrary: ofOperator.map((action) => [action]) },
  )
  .map(inTurn);
const call = fc.oneof(
  {
    weight: 10,
    arbitrary: fc
      .constantFrom(...KINDS, ...RARE_KINDS, ...ENTER_AND_SIGN)
      .chain((kind) => place.map((each): Action => ({ kind, place: each }))),
  },
  { weight: 1, arbitrary: ofSender },
  { weight: 2, arbitrary: killed.map((actions) => actions.at(-1) ?? CANCEL) },
);
/** Jobs, with the time after which they have something to do. */
const JOBS: readonly (readonly [milliseconds: number, job: Action])[] = [
  [3 * DAY, REMIND],
  [LIFETIME_DAYS * DAY, EXPIRE],
  [RETENTION, PURGE],
];
const besideJob = fc
  .tuple(fc.constantFrom(...JOBS), call)
  .map(([[milliseconds, job], action]): Step[] => [[wait(milliseconds + HOUR)], [job, action]]);
/** It is the function that dies, whoever called it. */
function withOneDeath([one, other]: [Action, Action]): Step {
  const dies = one.dies ?? other.dies;
  const isOneFunction = functionOf(one.kind) === functionOf(other.kind);
  return dies && isOneFunction
    ? [
        { ...one, dies },
        { ...other, dies },
      ]
    : [one, other];
}
const atOnce = fc
  .oneof(
    { weight: 9, arbitrary: fc.tuple(call, call).map((both): Step[] => [withOneDeath(both)]) },
    { weight: 2, arbitrary: besideJob },
  )
  .map((steps) => new Steps(steps));
const sequence = fc.commands([alone, alone, alone, atOnce], { maxCommands: MOST_STEPS, size: 'max' });

/** Plays sequences, each with so many people. */
export const played = (begin: (people: number) => Promise<Player>) =>
  fc.asyncProperty(fc.integer({ min: 1, max: MOST_PEOPLE }), sequence, async (people, commands) => {
    const player = await begin(people);
    await fc.asyncModelRun(() => ({ model: {}, real: player }), commands);
  });
