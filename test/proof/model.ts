import { present } from '../../shared/runtime/present.ts';
import { DAY, MINUTE, SECOND } from '../../shared/runtime/time.ts';

/**
 * The life of a request as its people see it, in the fewest words and without the product's rules. What cannot be known from
 * outside (has the seal come by now?) makes several lives possible; each answer rules some of them out.
 */

interface Person {
  status: 'sent' | 'opened' | 'signed' | 'declined' | 'invalidated';
  /** Grows with each correction, so that an earlier link is told from the newest. */
  links: number;
  /** Grows with each code, so that an earlier one is told from the newest. */
  codes: number;
  /** The time at which the valid code was mailed. */
  codeAt: number | null;
  tries: number;
  triedAt: number;
  /** Times at which codes were asked for, and wrong ones entered, since the sender last mailed. */
  asked: readonly number[];
  wrong: readonly number[];
  sessionAt: number | null;
}

export interface Request {
  status: string;
  people: readonly Person[];
  expiresAt: number;
  endedAt: number | null;
  isPurged: boolean;
  hasAuthority: boolean;
  queuedAt: number;
  /** True if an authority answered at some time since the seal was queued. */
  isSealable: boolean;
}

/** Code and link of somebody at the moment when another action began beside theirs. */
export interface Hand {
  code: number;
  link: number;
}

/** A function that answers an action is killed at its write, before or after it. */
export type Death = 'kill' | 'kill-after';

export type Action = { dies?: Death } & (
  | {
      kind: 'open' | 'ask' | 'guess' | 'enter' | 'read' | 'sign' | 'decline' | 'fetch' | 'resend' | 'correct';
      place: number;
      hand?: Hand;
    }
  | { kind: 'cancel' | 'download' | 'delete' }
  | { kind: 'restamp' | 'expire' | 'purge' | 'remind' | 'seal ok' | 'seal fails' }
  | { kind: 'wait'; milliseconds: number }
);

type Personal = Extract<Action, { place: number }>;

export interface Outcome {
  answer: string;
  request: Request;
}

/** Both reminders fall into it. */
export const LIFETIME_DAYS = 10;
const CODE_LIFE = 10 * MINUTE;
const LOCK = 15 * MINUTE;
const WINDOW = 15 * MINUTE;
const SESSION = 30 * MINUTE;
const PAUSE = 30 * SECOND;
const TRIES = 5;
const CODES_IN_WINDOW = 5;
const MOST_CODES = 20;
export const RETENTION = 7 * DAY;
const LINK_LIFE = 30 * DAY;
const SEAL_PATIENCE = 70 * MINUTE;

export const isOpen = ({ status }: Request) => ['pending', 'sent', 'opened'].includes(status);
const mayAct = ({ status }: Person) => status === 'sent' || status === 'opened';

export function created(people: number, now: number): Request {
  const person: Person = {
    status: 'sent',
    links: 1,
    codes: 1,
    codeAt: now,
    tries: 0,
    triedAt: 0,
    asked: [],
    wrong: [],
    sessionAt: null,
  };
  return {
    status: 'sent',
    people: Array.from({ length: people }, () => person),
    expiresAt: now + LIFETIME_DAYS * DAY,
    endedAt: null,
    isPurged: false,
    hasAuthority: true,
    queuedAt: 0,
    isSealable: false,
  };
}

const withPerson = (request: Request, place: number, changes: Partial<Person>): Request => ({
  ...request,
  people: request.people.map((person, each) => (each === place ? { ...person, ...changes } : person)),
});

const ended = (request: Request, status: string, now: number): Request => ({
  ...request,
  status,
  endedAt: now,
});

const invalidated = (request: Request): Request => ({
  ...request,
  people: request.people.map((person) =>
    mayAct(person) ? { ...person, status: 'invalidated', codeAt: null } : person,
  ),
});

/** States that the request may have reached by itself until now, its own included. */
export function byItself(request: Request, now: number): Request[] {
  const { status, expiresAt, endedAt, queuedAt, isSealable, isPurged } = request;
  const sealed = ended(request, 'signed', now);
  return [
    request,
    ...(isOpen(request) && now >= expiresAt ? [ended(request, 'expired', now)] : []),
    ...(status === 'awaiting_stamp' && isSealable ? [sealed] : []),
    ...(status === 'awaiting_stamp' && now >= queuedAt + SEAL_PATIENCE
      ? [{ ...request, status: 'stamp_failed' }]
      : []),
    ...(endedAt !== null && !isPurged && now >= endedAt + RETENTION ? [{ ...request, isPurged: true }] : []),
  ];
}

/** Reasons for which a link does not work. */
function refusedLink(request: Request, { status }: Person, now: number): string | undefined {
  if (request.endedAt !== null && now >= request.endedAt + LINK_LIFE) return 'link_expired';
  if (status === 'signed') return undefined;
  if (status === 'declined') return 'link_declined';
  if (request.status === 'cancelled') return 'link_cancelled';
  if (request.status === 'declined') return 'link_invalidated';
  const isOver = request.status === 'expired' || (isOpen(request) && now >= request.expiresAt);
  return isOver ? 'link_expired' : undefined;
}

/** For one who has signed a day counts, since nobody can mail them anew. */
const counted = ({ status }: Person, times: readonly number[], now: number) =>
  status === 'signed' ? times.filter((time) => now < time + DAY) : times;

const isLocked = (person: Person, now: number): boolean =>
  counted(person, person.wrong, now).length >= MOST_CODES ||
  (person.tries >= TRIES && now < person.triedAt + LOCK);

function refusedCode(person: Person, now: number): string | undefined {
  if (isLocked(person, now) || counted(person, person.asked, now).length >= MOST_CODES) return 'locked';
  const last = person.asked.at(-1);
  if (last !== undefined && now < last + PAUSE) return 'too_many_codes';
  const recent = person.asked.filter((time) => now < time + WINDOW);
  return recent.length >= CODES_IN_WINDOW ? 'too_many_codes' : undefined;
}

const newCode = ({ codes }: Person, at: number): Partial<Person> => ({
  codes: codes + 1,
  codeAt: at,
  tries: 0,
  triedAt: 0,
});

/** Decided by the time of decision, recorded with the time of the clock: both are only known roughly. */
interface Times {
  now: number;
  at: number;
}

function withWrongCode(request: Request, place: number, person: Person, { now, at }: Times): Outcome {
  const tried = { ...person, tries: person.tries + 1, triedAt: at, wrong: [...person.wrong, at] };
  return {
    answer: isLocked(tried, now) ? 'locked' : 'wrong_code',
    request: withPerson(request, place, tried),
  };
}

function enter(request: Request, person: Person, { kind, place, hand }: Personal, times: Times): Outcome[] {
  const { now, at } = times;
  const stay = (answer: string): Outcome => ({ answer, request });
  if (isLocked(person, now)) return [stay('locked')];
  const isValid = person.codeAt !== null && now < person.codeAt + CODE_LIFE && person.tries < TRIES;
  if (!isValid) return [stay('code_expired')];
  const isOvertaken = hand !== undefined && hand.code !== person.codes;
  if (kind === 'enter' && !isOvertaken) {
    const entered = { codeAt: null, tries: 0, triedAt: 0, sessionAt: at };
    return [{ answer: 'ok', request: withPerson(request, place, entered) }];
  }
  // A code that was replaced while it was compared has expired, not been wrong.
  return [withWrongCode(request, place, person, times), ...(isOvertaken ? [stay('code_expired')] : [])];
}

function signed(request: Request, place: number, at: number): Request {
  const next = withPerson(request, place, { status: 'signed' });
  const isLast = next.people.every(({ status }) => status === 'signed');
  return isLast
    ? { ...next, status: 'awaiting_stamp', queuedAt: at, isSealable: request.hasAuthority }
    : { ...next, status: 'opened' };
}

/** The sender mails a person anew, or somebody else in their place. */
function mailAnew(request: Request, person: Person, { kind, place }: Personal, { now, at }: Times): Outcome {
  if (!mayAct(person)) return { answer: 'signer_not_active', request };
  if (!isOpen(request) || now >= request.expiresAt) return { answer: 'request_not_active', request };
  const mailed: Partial<Person> = { ...newCode(person, at), asked: [], wrong: [] };
  const another: Partial<Person> = { status: 'sent', links: person.links + 1, sessionAt: null };
  const changes = kind === 'resend' ? mailed : { ...mailed, ...another };
  return { answer: 'ok', request: withPerson(request, place, changes) };
}

function ask(request: Request, person: Person, place: number, { now, at }: Times): Outcome {
  const why = refusedCode(person, now);
  if (why) return { answer: why, request };
  const asked = [...counted(person, person.asked, now), at];
  return { answer: 'ok', request: withPerson(request, place, { ...newCode(person, at), asked }) };
}

function byPerson(request: Request, action: Personal, times: Times): Outcome[] {
  const { kind, place, hand } = action;
  const person = present(request.people[place], 'person');
  if (kind === 'resend' || kind === 'correct') return [mailAnew(request, person, action, times)];
  const stay = (answer: string): Outcome[] => [{ answer, request }];
  if (hand && hand.link !== person.links) return stay('not_found');
  const refused = refusedLink(request, person, times.now);
  if (refused) return stay(refused);
  switch (kind) {
    case 'open':
      if (person.status !== 'sent') return stay('ok');
      return [
        { answer: 'ok', request: { ...withPerson(request, place, { status: 'opened' }), status: 'opened' } },
      ];
    case 'ask':
      return [ask(request, person, place, times)];
    case 'guess':
    case 'enter':
      return enter(request, person, action, times);
    case 'sign':
    case 'decline':
      return [decided(request, { person, place, kind }, times)];
    case 'read':
    case 'fetch':
      return stay(hasSession(person, times.now) ? fileFor(request, kind) : 'verification_required');
  }
}

const hasSession = ({ sessionAt }: Person, now: number) => sessionAt !== null && now < sessionAt + SESSION;

/** The answer to a signer who has entered the code and asks for the document, as it was sent or as it was sealed. */
function fileFor(request: Request, kind: 'read' | 'fetch'): string {
  if (kind === 'fetch') return download(request);
  if (request.status === 'cancelled') return 'link_cancelled';
  return request.isPurged ? 'document_purged' : 'ok';
}

function decided(
  request: Request,
  { person, place, kind }: { person: Person; place: number; kind: 'sign' | 'decline' },
  { now, at }: Times,
): Outcome {
  if (!hasSession(person, now)) return { answer: 'verification_required', request };
  if (person.status === 'signed') return { answer: kind === 'sign' ? 'ok' : 'already_signed', request };
  if (kind === 'sign') return { answer: 'ok', request: signed(request, place, at) };
  const declined = withPerson(request, place, { status: 'declined' });
  return { answer: 'ok', request: invalidated(ended(declined, 'declined', at)) };
}

function download({ status, isPurged }: Request): string {
  if (['cancelled', 'declined', 'expired'].includes(status)) return `request_${status}`;
  if (status !== 'signed') return 'not_yet_signed';
  return isPurged ? 'document_purged' : 'ok';
}

/** The answers that an action can get, with what each leaves behind. */
export function outcomesOf(request: Request, action: Action, times: Times): Outcome[] {
  const { now, at } = times;
  if ('place' in action) return byPerson(request, action, times);
  const to = (next: Request, answer = 'ok'): Outcome[] => [{ answer, request: next }];
  switch (action.kind) {
    case 'cancel':
      return isOpen(request)
        ? to(invalidated(ended(request, 'cancelled', at)))
        : to(request, 'request_not_cancellable');
    case 'download':
      return to(request, download(request));
    case 'delete':
      return request.endedAt === null ? to(request, 'request_not_ended') : to({ ...request, isPurged: true });
    case 'restamp':
      return request.status === 'stamp_failed'
        ? to({ ...request, status: 'awaiting_stamp', queuedAt: at, isSealable: request.hasAuthority })
        : to(request, 'refused');
    case 'expire':
      return to(isOpen(request) && now >= request.expiresAt ? ended(request, 'expired', at) : request);
    case 'purge':
      return to({
        ...request,
        isPurged: request.isPurged || (request.endedAt !== null && now >= request.endedAt + RETENTION),
      });
    case 'seal ok':
      return to({ ...request, hasAuthority: true, isSealable: true });
    case 'seal fails':
      return to({ ...request, hasAuthority: false });
    case 'remind':
    case 'wait':
      return to(request);
  }
}

/** A function that died has done all or nothing, and its answer has reached nobody: not the session of a right code. */
export function lostOutcomes(request: Request, action: Action, times: Times): Outcome[] {
  const done = outcomesOf(request, action, times).map((outcome) =>
    action.kind === 'enter'
      ? withPerson(outcome.request, action.place, {
          sessionAt: present(request.people[action.place], 'person').sessionAt,
        })
      : outcome.request,
  );
  return [request, ...done].map((each) => ({ answer: 'lost', request: each }));
}
