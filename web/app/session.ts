import { computed, effect, signal } from '@preact/signals';
import { SignatureRequestsError } from '../../client/src/errors.ts';
import type { Mode } from '../../shared/contract/fields.ts';
import { type Delay, TOLD_PAUSE_MS } from '../parts/delay.ts';
import type { Me } from './contract.ts';
import { Service } from './service.ts';

interface Browser {
  baseUrl: string;
  fetch: typeof globalThis.fetch;
  /** Keeps the choices of this tab, with which new tabs start. */
  memory: Pick<Storage, 'getItem' | 'setItem'>;
  /** Reloads the page and forgets its user. Calls back if the page may stay, for a request that is being sent. */
  restart(userId: string | undefined, onStay?: () => void): void;
}

/** By the status: without the cookie, which ends with the session, the edge rejects a create as one without an API key. */
const isSignInRequired = (thrown: unknown) =>
  thrown instanceof SignatureRequestsError && thrown.status === 401;

/** Otherwise the response was lost or cut off. */
const isWholeAnswer = (thrown: unknown) =>
  thrown instanceof SignatureRequestsError && thrown.status !== undefined && thrown.status >= 400;

/** The signed-in user, and the owner they act for. Calls that find the session ended wait for the next sign-in. */
export class Session {
  /** Undefined until the service has responded; null if nobody is signed in. */
  readonly me = signal<Me | null | undefined>(undefined);
  readonly startProblem = signal<SignatureRequestsError | null>(null);
  /** The session ended while the page was in use. */
  readonly hasEnded = signal(false);
  readonly isOffline = signal(false);
  /** The ends of the pauses that a busy service has asked for. */
  readonly #pauses = signal<readonly (() => void)[]>([]);
  readonly delay = computed((): Delay | null =>
    this.isOffline.value ? 'lost' : this.#pauses.value.length > 0 ? 'busy' : null,
  );
  readonly mode = signal<Mode>('live');
  /** Empty until the user chooses, or has an owner who can send. */
  readonly #ownerId = signal('');
  readonly owner = computed(() => {
    const owners = this.me.value?.owners ?? [];
    const chosen = owners.find(({ owner }) => owner === this.#ownerId.value);
    // A member of an organization rarely has a subscription of their own, and without one could not send.
    return chosen ?? owners.find(({ subscription }) => subscription === 'active') ?? owners[0];
  });
  /** Identifies user, owner and mode, on which lists and drafts depend. */
  readonly scope = computed(
    () => `${this.me.value?.user.user_id}/${this.owner.value?.owner}/${this.mode.value}`,
  );
  readonly service: Service;
  readonly #browser: Browser;
  #waiting: (() => void)[] = [];
  #isSigningOut = false;
  /** The user, after signing out too. */
  #userId: string | undefined;
  #serverAheadMs = 0;
  #signInCutOff = false;

  constructor(browser: Browser) {
    this.#browser = browser;
    this.service = new Service({
      baseUrl: browser.baseUrl,
      fetch: this.#watched(browser.fetch),
      watched: this.#watched,
      headers: () => ({
        'x-requested-with': 'app',
        'x-mode': this.mode.peek(),
        ...(this.me.peek() && { 'x-user': this.me.peek()?.user.user_id ?? '' }),
        ...(this.owner.peek() && { 'x-owner': this.owner.peek()?.owner ?? '' }),
      }),
      recover: (error) => this.#recover(error),
      pause: this.#pause,
    });
    this.mode.value = browser.memory.getItem('mode') === 'test' ? 'test' : 'live';
    this.#ownerId.value = browser.memory.getItem('owner') ?? '';
    effect(() => {
      // Keeps this owner when the user joins another organization.
      if (this.owner.value?.subscription === 'active') this.#ownerId.value = this.owner.value.owner;
    });
    effect(() => {
      this.#userId = this.me.value?.user.user_id ?? this.#userId;
    });
    effect(() => browser.memory.setItem('mode', this.mode.value));
    effect(() => browser.memory.setItem('owner', this.#ownerId.value));
  }

  /** The service's time, from its newest response: a device's clock may be wrong by days. */
  now = () => Date.now() + this.#serverAheadMs;

  async start(): Promise<void> {
    try {
      this.me.value = await this.service.me();
      this.startProblem.value = null;
    } catch (thrown) {
      if (!(thrown instanceof SignatureRequestsError)) throw thrown;
      const isNobody = isSignInRequired(thrown);
      if (isNobody) this.me.value = null;
      this.startProblem.value = isNobody ? null : thrown;
    }
  }

  /** Loads the user and their rights again. False without a response; then nothing changes. */
  async refresh(): Promise<boolean> {
    const me = await this.service.me().catch(() => null);
    if (me) this.me.value = me;
    return me !== null;
  }

  /** Ends the pauses, and tests whether the connection is back. */
  async tryNow(): Promise<void> {
    for (const end of this.#pauses.peek()) end();
    if (this.startProblem.peek()) return this.start();
    // Any response shows that it is.
    await this.service.me().catch(() => undefined);
  }

  async signIn(code: string): Promise<void> {
    const me = await this.service.signIn(code).catch((thrown) => this.#meIfSignedInUnseen(thrown));
    // The page has calls and entries of the previous user.
    const before = this.#userId;
    if (before && before !== me.user.user_id) return this.#browser.restart(before);
    this.me.value = me;
    this.#goOn();
  }

  /** If a response was cut off, the user may be signed in and the code used up, so that it is now rejected. */
  async #meIfSignedInUnseen(thrown: unknown): Promise<Me> {
    const mayBeSignedIn = this.#signInCutOff;
    this.#signInCutOff ||= !isWholeAnswer(thrown);
    const me = mayBeSignedIn ? await this.service.me().catch(() => null) : null;
    if (!me) throw thrown;
    return me;
  }

  /** Continues if the same user has signed in from another tab: all tabs share one session. */
  async resume(): Promise<void> {
    if (await this.refresh()) this.#goOn();
  }

  async signOut(): Promise<void> {
    this.#isSigningOut = true;
    try {
      await this.service.signOut();
    } catch (thrown) {
      if (!isSignInRequired(thrown)) throw thrown;
    } finally {
      this.#isSigningOut = false;
    }
    // No form to sign in by, which the new page would empty.
    this.me.value = undefined;
    this.#browser.restart(this.#userId, () => {
      this.me.value = null;
    });
  }

  #goOn() {
    this.hasEnded.value = false;
    for (const goOn of this.#waiting.splice(0)) goOn();
  }

  actFor(owner: string) {
    this.#ownerId.value = owner;
  }

  #recover(error: SignatureRequestsError): Promise<boolean> {
    if (!isSignInRequired(error) || this.#isSigningOut || !this.me.peek()) return Promise.resolve(false);
    this.hasEnded.value = true;
    return new Promise((resolve) => this.#waiting.push(() => resolve(true)));
  }

  #pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#pauses.value = this.#pauses.peek().filter((other) => other !== end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      if (ms > TOLD_PAUSE_MS) this.#pauses.value = [...this.#pauses.peek(), end];
    });

  /** Learns from each call whether the connection is lost, and the service's time. */
  #watched =
    (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
    async (input, init) => {
      try {
        const response = await fetch(input, init);
        this.isOffline.value = false;
        const date = Date.parse(response.headers.get('date') ?? '');
        if (!Number.isNaN(date)) this.#serverAheadMs = date - Date.now();
        return response;
      } catch (thrown) {
        if (!init?.signal?.aborted) this.isOffline.value = true;
        throw thrown;
      }
    };
}
