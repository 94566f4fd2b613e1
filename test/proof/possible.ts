import { present } from '../../shared/runtime/present.ts';
import { SECOND } from '../../shared/runtime/time.ts';
import { type Action, byItself, lostOutcomes, type Outcome, outcomesOf, type Request } from './model.ts';
import { ENDED } from './refusals.ts';

/** The lives that a request may have had, as its answers leave them possible. */

/** The error of a time that is measured around a call. */
const SLACK = 10 * SECOND;

const distinct = (requests: Request[]): Request[] => [
  ...new Map(requests.map((request) => [JSON.stringify(request), request])).values(),
];

/** With what may have happened by itself meanwhile. */
const since = (request: Request, now: number): Request[] =>
  distinct([now - SLACK, now + SLACK].flatMap((time) => byItself(request, time)));

function allOutcomes(request: Request, action: Action, at: number): Outcome[] {
  return since(request, at).flatMap((each) =>
    [at - SLACK, at + SLACK].flatMap((now) => [
      ...outcomesOf(each, action, { now, at }),
      ...(action.dies ? lostOutcomes(each, action, { now, at }) : []),
    ]),
  );
}

/** Of two at once, the later one may learn of the end before or after it looked at the link. */
const roughly = (answer: string) => (ENDED.includes(answer) ? 'ended' : answer);

/** Link and code are the newest of the moment when both begin. */
function begun(action: Action, { people }: Request): Action {
  if (!('place' in action)) return action;
  const { codes, links } = present(people[action.place], 'person');
  return { ...action, hand: { code: codes, link: links } };
}

export interface Done {
  action: Action;
  answer: string;
}

export class Possible {
  #requests: Request[];

  constructor(request: Request) {
    this.#requests = [request];
  }

  get requests(): readonly Request[] {
    return this.#requests;
  }

  #keep(requests: Request[], saw: string): void {
    if (requests.length === 0)
      throw new Error(
        `${saw}. Possible was only: ${this.#requests.map((each) => JSON.stringify(each)).join(' or ')}`,
      );
    this.#requests = distinct(requests);
  }

  /** One action was answered so. */
  after({ action, answer }: Done, at: number): void {
    const outcomes = this.#requests.flatMap((request) => allOutcomes(request, action, at));
    this.#keep(
      outcomes.filter((each) => each.answer === answer).map(({ request }) => request),
      `${JSON.stringify(action)} was answered ${answer}`,
    );
  }

  /** Two actions at once were answered so: as if one had come after the other, in either order. */
  afterBoth(one: Done, other: Done, at: number): void {
    const inOrder = (request: Request, [first, second]: readonly [Done, Done]): Request[] => {
      const step = (from: Request, done: Done): Request[] =>
        allOutcomes(from, begun(done.action, request), at)
          .filter(({ answer }) => roughly(answer) === roughly(done.answer))
          .map((outcome) => outcome.request);
      return step(request, first).flatMap((between) => step(between, second));
    };
    this.#keep(
      this.#requests.flatMap((request) => [
        ...inOrder(request, [one, other]),
        ...inOrder(request, [other, one]),
      ]),
      `${JSON.stringify([one, other])} fits no order`,
    );
  }

  /** The API shows these states. */
  seen(status: string, people: readonly string[], at: number): void {
    this.#keep(
      this.#requests
        .flatMap((request) => since(request, at))
        .filter(
          (request) =>
            request.status === status &&
            request.people.every((person, place) => person.status === people[place]),
        ),
      `The API shows ${status} with ${people.join(', ')}`,
    );
  }
}
