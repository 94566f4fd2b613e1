import fc from 'fast-check';
import { ApiError } from '../../../shared/contract/api-error.ts';
import { notSealed } from '../../../shared/http/sealed-document.ts';
import {
  assertNotLocked,
  attemptCode,
  codeMailed,
  codeToTry,
  isOpen,
  requestCode,
} from '../../../shared/requests/codes.ts';
import { correct } from '../../../shared/requests/correcting.ts';
import {
  cancel,
  decline,
  expire,
  purged,
  restamp,
  sealed,
  sealFailed,
} from '../../../shared/requests/ending.ts';
import { resent, rotateCode } from '../../../shared/requests/inviting.ts';
import { assertLink, deadLink, isActive } from '../../../shared/requests/lifecycle.ts';
import type { Change, SignatureRequest, SignerState } from '../../../shared/requests/model.ts';
import { leaseReminder, reminderMailed } from '../../../shared/requests/reminding.ts';
import { open } from '../../../shared/requests/signing.ts';
import { present } from '../../../shared/runtime/present.ts';
import { after, HOUR, MINUTE } from '../../../shared/runtime/time.ts';
import { type Player, played } from '../../proof/actions.ts';
import { type Action, created, LIFETIME_DAYS } from '../../proof/model.ts';
import { type Done, Possible } from '../../proof/possible.ts';
import { applied, NOON, purgedEarly, sentRequest, signedBy, VISITOR } from '../../support/requests.ts';
import { IS_THOROUGH } from '../../support/thorough.ts';

/** The model of the proof against the rules alone, where thousands of sequences take seconds. */

const SENT = { sent: true, error: null };
const OF_WRONG_CODE = 'wrong';
const SEAL = {
  record: { sealedAt: '', objectKey: '', size: 1, pagesAdded: 1, technical: {} },
  documentHash: 'hash',
  archiveProtected: false,
  baseUrl: 'https://example.com',
};

/** Code and link of somebody whose action begins. */
interface Held {
  code: string;
  token: string;
}

/** Plays by the rules, in virtual time and without any storage. */
class RulesPlayer implements Player {
  #request: SignatureRequest;
  #now = NOON;
  #codes = 0;
  #hasAuthority = true;
  readonly #newest: string[];
  readonly #cookies: (string | undefined)[] = [];
  readonly #possible: Possible;

  constructor(people: number) {
    const sent = sentRequest(people, { expiresInDays: LIFETIME_DAYS });
    this.#request = { ...sent, state: { ...sent.state, invitationsReportedAt: NOON.toISOString() } };
    this.#newest = this.#request.signers.map(({ code }) => present(code, 'code').hash);
    this.#possible = new Possible(created(people, NOON.getTime()));
  }

  get people(): number {
    return this.#request.signers.length;
  }

  #change(change: Change | undefined): void {
    this.#request = applied(this.#request, change);
  }

  #advance(milliseconds: number): void {
    this.#now = new Date(after(this.#now, milliseconds));
  }

  #signer(place: number): SignerState {
    return present(this.#request.signers[place], 'signer');
  }

  /** As every call with a link begins. */
  #holder(place: number, token: string, needsSession = false): SignerState {
    const signer = this.#signer(place);
    assertLink(this.#request, signer.id, token);
    const dead = deadLink(this.#request, signer, this.#now);
    if (dead) throw new ApiError(dead);
    const hasSession = signer.sessions.some(
      (session) => session.hash === this.#cookies[place] && isOpen(session, this.#now),
    );
    if (needsSession && !hasSession) throw new ApiError('verification_required');
    return signer;
  }

  #newCode(place: number): string {
    this.#codes += 1;
    const codeHash = `code ${this.#codes}`;
    this.#newest[place] = codeHash;
    return codeHash;
  }

  #enter(place: number, token: string, given: string): void {
    const signer = this.#holder(place, token);
    const { hash } = codeToTry(this.#request, signer.id, this.#now);
    const isRight = given === hash;
    const opens = isRight ? { hash: given, expiresAt: after(this.#now, 30 * MINUTE) } : null;
    const by = { signerId: signer.id, visitor: VISITOR, codeHash: hash, opens };
    this.#change(attemptCode(this.#request, by, this.#now));
    if (isRight) this.#cookies[place] = given;
    if (isRight) return;
    assertNotLocked(this.#signer(place), this.#now);
    throw new ApiError('wrong_code');
  }

  #ask(place: number, token: string): void {
    const { id: signerId } = this.#holder(place, token);
    const by = { signerId, visitor: VISITOR };
    const before = this.#newest[place];
    try {
      this.#change(requestCode(this.#request, { ...by, codeHash: this.#newCode(place) }, this.#now));
    } catch (error) {
      this.#newest[place] = before ?? '';
      throw error;
    }
    this.#change(codeMailed(this.#request, { ...by, ...SENT }, this.#now));
  }

  #mailAnew(place: number, kind: 'resend' | 'correct'): void {
    const { id: signerId } = this.#signer(place);
    const before = this.#newest[place] ?? '';
    const codeHash = this.#newCode(place);
    const by = { signerId, codeHash };
    const another = { email: `${codeHash}@example.com`, accessToken: codeHash };
    try {
      this.#change(
        kind === 'resend'
          ? rotateCode(this.#request, { ...by, locale: undefined }, this.#now)
          : correct(this.#request, { ...by, ...another }, this.#now),
      );
    } catch (error) {
      this.#newest[place] = before;
      throw error;
    }
    this.#change(resent(this.#request, { signerId, ...SENT }, this.#now));
  }

  #byPerson({ kind, place }: Extract<Action, { place: number }>, { code, token }: Held): void {
    const { id: signerId } = this.#signer(place);
    const by = { signerId, visitor: VISITOR };
    switch (kind) {
      case 'open':
        this.#holder(place, token);
        this.#change(open(this.#request, by, this.#now));
        break;
      case 'ask':
        this.#ask(place, token);
        break;
      case 'guess':
        this.#enter(place, token, OF_WRONG_CODE);
        break;
      case 'enter':
        this.#enter(place, token, code);
        break;
      case 'sign':
        this.#holder(place, token, true);
        this.#change(signedBy(this.#request, place, this.#now));
        this.#seal();
        break;
      case 'decline':
        this.#holder(place, token, true);
        this.#change(decline(this.#request, { ...by, reason: null }, this.#now));
        break;
      case 'read':
        this.#holder(place, token, true);
        this.#read();
        break;
      case 'fetch':
        this.#holder(place, token, true);
        this.#download();
        break;
      case 'resend':
      case 'correct':
        this.#mailAnew(place, kind);
        break;
    }
  }

  /** The seal comes at once where it can, and is given up after its time where it cannot. */
  #seal(isDriven = false): void {
    if (this.#request.state.status !== 'awaiting_stamp') return;
    if (this.#hasAuthority) {
      this.#change(sealed(this.#request, SEAL, this.#now));
    } else if (isDriven) {
      this.#advance(71 * MINUTE);
      this.#change(sealFailed(this.#request, { code: 'timestamp_unavailable' }, this.#now));
    }
  }

  #runJob(kind: 'expire' | 'purge'): void {
    const { state } = this.#request;
    const due = kind === 'expire' ? isActive(state) && state.expiresAt : !state.purgedAt && state.purgeAt;
    if (!due) return;
    this.#advance(Math.max(0, Date.parse(due) - this.#now.getTime()) + HOUR);
    this.#change(kind === 'expire' ? expire(this.#request, this.#now) : purged(this.#request, this.#now));
  }

  #remind(): void {
    for (const { position, remindersSent: nth } of this.#request.signers) {
      const leased = leaseReminder(this.#request, position, { ownerReminds: true }, this.#now);
      this.#change(leased);
      if (leased?.signers[position]?.mailLeaseUntil)
        this.#change(reminderMailed(this.#request, { position, nth, ...SENT }, this.#now));
    }
  }

  #read(): void {
    const { state } = this.#request;
    if (state.status === 'cancelled') throw new ApiError('link_cancelled');
    if (state.purgedAt) throw new ApiError('document_purged');
  }

  #download(): void {
    const { state } = this.#request;
    if (!state.seal) throw notSealed(state);
    if (state.purgedAt) throw new ApiError('document_purged');
  }

  #perform(action: Action, held: Held): void {
    switch (action.kind) {
      case 'cancel':
        this.#change(cancel(this.#request, { actor: 'client', reason: null }, this.#now));
        break;
      case 'download':
        this.#download();
        break;
      case 'delete':
        this.#change(purgedEarly(this.#request, this.#now));
        break;
      case 'remind':
        this.#remind();
        break;
      case 'restamp':
        this.#change(restamp(this.#request, this.#now));
        this.#seal();
        break;
      case 'expire':
      case 'purge':
        this.#runJob(action.kind);
        break;
      case 'seal ok':
      case 'seal fails':
        this.#hasAuthority = action.kind === 'seal ok';
        break;
      case 'wait':
        this.#advance(action.milliseconds);
        break;
      default:
        this.#byPerson(action, held);
    }
  }

  #answered(action: Action, held: Held): Done {
    const before = this.#request;
    const cookies = [...this.#cookies];
    const answer = this.#answer(action, held);
    if (!action.dies || this.#request === before) return { action, answer };
    if (action.dies === 'kill') this.#request = before;
    this.#cookies.splice(0, Number.POSITIVE_INFINITY, ...cookies);
    return { action, answer: 'lost' };
  }

  #answer(action: Action, held: Held): string {
    try {
      this.#perform(action, held);
      return 'ok';
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return action.kind === 'restamp' ? 'refused' : error.code;
    }
  }

  #heldFor(action: Action): Held {
    const place = 'place' in action ? action.place : 0;
    return { code: this.#newest[place] ?? '', token: this.#signer(place).accessToken };
  }

  #look(): void {
    const { state, signers } = this.#request;
    this.#possible.seen(
      state.status,
      signers.map(({ status }) => status),
      this.#now.getTime(),
    );
  }

  async done(action: Action): Promise<void> {
    this.#possible.after(this.#answered(action, this.#heldFor(action)), this.#now.getTime());
    if (action.kind === 'seal ok' || action.kind === 'seal fails') this.#seal(true);
    this.#look();
  }

  async bothDone(one: Action, other: Action): Promise<void> {
    const [held, otherHeld] = [this.#heldFor(one), this.#heldFor(other)];
    const first = this.#answered(one, held);
    const second = this.#answered(other, otherHeld);
    // The model must not know which came first.
    this.#possible.afterBoth(second, first, this.#now.getTime());
    this.#look();
  }
}

it('every sequence of actions is answered by the rules as the model of the proof allows', async () => {
  await fc.assert(
    played(async (people) => new RulesPlayer(people)),
    { numRuns: IS_THOROUGH ? 20_000 : 300, ...(!IS_THOROUGH && { seed: 1 }) },
  );
}, 300_000);
