import type { Locale } from '../../shared/contract/fields.ts';
import { ConnectionLost, Refusal, type SignerCalls } from '../api.ts';
import type { CodeSent, Declined, RequestView, SignBody, Signed, Standing } from '../contract.ts';
import { type LoadedDocument, loadDocument } from './document.ts';
import {
  type Draft,
  type Field,
  firstDraft,
  missingFields,
  signBody,
  tidied,
  typedSignature,
} from './draft.ts';
import {
  type CodeProblem,
  type Flow,
  type FlowEvent,
  isDead,
  next,
  STEPS,
  type Step,
  startFlow,
} from './flow.ts';
import type { Memory } from './memory.ts';

export type Task = 'code' | 'verify' | 'sign' | 'decline' | 'download' | 'retry';

/** What the conductor needs of the browser besides the API and the tab's memory. */
export interface Stage {
  now(): number;
  later(ms: number, work: () => void): void;
  isVisible(): boolean;
  drawingPng(draft: Draft): Promise<string>;
  savePdf(bytes: Uint8Array<ArrayBuffer>, filename: string): void;
}

const SEAL_POLL_MS = [1_500, 2_000, 3_000, 5_000, 8_000, 13_000, 20_000, 30_000];
const OTHERS_POLL_MS = [20_000, 40_000, 60_000];

/** Leads the signer through the steps: calls the API, lets `next` decide what follows, and tells the page to redraw. */
export class Conductor {
  flow: Flow;
  draft: Draft | null = null;
  problems: readonly Field[] = [];
  task: Task | null = null;
  document: LoadedDocument | null = null;
  documentShare = 0;
  locale: Locale;
  #languageChosen: boolean;
  #documentLoading: Promise<LoadedDocument> | null = null;
  #polling = 0;
  readonly #listeners = new Set<() => void>();
  readonly #api: SignerCalls;
  readonly #memory: Memory;
  readonly #stage: Stage;

  constructor(api: SignerCalls, memory: Memory, stage: Stage, browserLocale: Locale) {
    this.#api = api;
    this.#memory = memory;
    this.#stage = stage;
    this.flow = startFlow(memory.rememberedStep());
    const chosen = memory.loadLanguage();
    this.locale = chosen ?? browserLocale;
    this.#languageChosen = chosen !== null;
  }

  subscribe(listener: () => void) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  now = () => this.#stage.now();

  /** Records the opening, and finds out at once whether a session from before still holds. */
  async start() {
    try {
      const [standing, view] = await Promise.all([this.#open(), this.#viewIfAdmitted()]);
      this.#learnLocale(standing.locale);
      // Shown only once both are known: no code is asked of one who needs none.
      this.#dispatch({ type: 'opened', standing });
      if (view) this.#admit(view);
    } catch (error) {
      this.#refused(error);
      if (this.flow.screen === 'opening') this.#dispatch({ type: 'failed' });
    }
  }

  retryStart = () => this.#once('retry', () => this.start());

  /** Looks again when the signer comes back to the page: from the mail with a new code, or after hours. */
  async lookAgain() {
    if (!this.task) await this.#refresh();
  }

  sendCode = () =>
    this.#once('code', async () => {
      try {
        const answer = await this.#api.json<CodeSent>('POST', '/code', { repeatable: false });
        this.#dispatch({ type: 'code_sent', answer });
        this.#dispatch({ type: 'opened', standing: await this.#open() });
      } catch (error) {
        this.#codeRefused(error, 'send');
      }
    });

  verify = (entered: string) =>
    this.#once('verify', async () => {
      const code = entered.replace(/\D/g, '');
      if (code.length !== 6)
        return this.#dispatch({ type: 'code_refused', problem: { at: 'verify', kind: 'format' } });
      try {
        this.#admit(
          await this.#api.json<RequestView>('POST', '/verify', { repeatable: false, body: { code } }),
        );
      } catch (error) {
        this.#codeRefused(error, 'verify');
      }
    });

  goTo(step: Step) {
    this.problems = [];
    this.#dispatch({ type: 'went', step }, 'push');
  }

  goBack() {
    if (!this.#memory.goBack()) this.#dispatch({ type: 'went', step: 'document' });
  }

  /** The browser's own back and forward. */
  wentTo(step: Step | null) {
    if (this.task === 'sign' || this.task === 'decline') return this.#remember('push');
    this.#dispatch({ type: 'went', step: step ?? 'document' });
  }

  edit(change: Partial<Draft>) {
    if (!this.draft || !this.flow.view) return;
    this.draft = { ...this.draft, ...change };
    if (this.problems.length > 0) {
      const missing = missingFields(this.draft, this.flow.view);
      this.problems = this.problems.filter((field) => missing.includes(field));
    }
    this.#memory.saveDraft(this.flow.view.signer.id, this.draft);
    this.#tell();
  }

  choose(locale: Locale) {
    this.locale = locale;
    this.#languageChosen = true;
    this.#memory.saveLanguage(locale);
    this.#tell();
  }

  sign = () =>
    this.#once('sign', async () => {
      const { draft } = this;
      const { view } = this.flow;
      if (!draft || !view) return;
      this.problems = missingFields(draft, view);
      if (this.problems.length > 0) return;
      this.#dispatch({ type: 'noticed', notice: null });
      try {
        const { sha256 } = await this.#loadDocument();
        const body = signBody(draft, view, sha256, await this.#signature(draft));
        const answer = await this.#api.json<Signed>('POST', '/sign', { repeatable: true, body });
        this.#memory.forgetDraft(view.signer.id);
        this.#dispatch({ type: 'signed', answer });
        this.#poll();
      } catch (error) {
        this.#refused(error);
      }
    });

  decline = () =>
    this.#once('decline', async () => {
      const { draft } = this;
      const { view } = this.flow;
      if (!draft || !view) return;
      const reason = tidied(draft.reason);
      try {
        await this.#api.json<Declined>('POST', '/decline', {
          repeatable: true,
          body: reason ? { reason } : {},
        });
        this.#memory.forgetDraft(view.signer.id);
        this.#dispatch({ type: 'died', reason: 'link_declined' });
      } catch (error) {
        this.#refused(error);
      }
    });

  saveOriginal() {
    const filename = this.flow.view?.document.filename;
    if (this.document && filename) this.#stage.savePdf(this.document.bytes, filename);
  }

  saveSealed = () =>
    this.#once('download', async () => {
      const filename = this.flow.view?.document.filename ?? 'document.pdf';
      try {
        this.#stage.savePdf(await this.#api.bytes('/sealed-document'), filename);
      } catch (error) {
        this.#refused(error);
      }
    });

  connectionChanged(lost: boolean) {
    this.#dispatch({ type: 'connection', lost });
  }

  /** One thing at a time: a second click while the first one works does nothing. */
  async #once(task: Task, work: () => Promise<void> | void) {
    if (this.task) return;
    this.task = task;
    this.#tell();
    try {
      await work();
    } finally {
      this.task = null;
      this.#tell();
    }
  }

  #dispatch(event: FlowEvent, how: 'push' | 'replace' = 'replace') {
    this.flow = next(this.flow, event);
    this.#remember(how);
    if (this.flow.screen === 'ended' || this.flow.screen === 'code') this.document = null;
    this.#tell();
  }

  #remember(how: 'push' | 'replace') {
    const { screen } = this.flow;
    const step = STEPS.find((known) => known === screen);
    if (step) this.#memory.enterStep(step, how);
  }

  #tell() {
    for (const listener of this.#listeners) listener();
  }

  #open = () => this.#api.json<Standing>('POST', '/open', { repeatable: true });
  #getView = () => this.#api.json<RequestView>('GET', '/request', { repeatable: true });

  async #viewIfAdmitted(): Promise<RequestView | null> {
    try {
      return await this.#getView();
    } catch {
      // Whatever keeps the door shut, `/open` says it better.
      return null;
    }
  }

  #learnLocale(locale: Locale) {
    if (!this.#languageChosen) this.locale = locale;
  }

  #admit(view: RequestView) {
    this.draft = this.#memory.loadDraft(view.signer.id) ?? firstDraft(view);
    this.#documentLoading = null;
    this.#dispatch({ type: 'admitted', view });
    if (this.flow.screen === 'done') this.#poll();
    else if (this.flow.view) this.#loadDocument().catch((error) => this.#refused(error));
  }

  #loadDocument(): Promise<LoadedDocument> {
    this.#documentLoading ??= this.#fetchDocument();
    return this.#documentLoading;
  }

  async #fetchDocument(): Promise<LoadedDocument> {
    this.document = null;
    this.documentShare = 0;
    try {
      this.document = await loadDocument(this.#api, (share) => {
        // Redrawn in steps that can be seen, not for each packet.
        if (share < 1 && share - this.documentShare < 0.02) return;
        this.documentShare = share;
        this.#tell();
      });
      return this.document;
    } catch (error) {
      this.#documentLoading = null;
      throw error;
    } finally {
      this.#tell();
    }
  }

  reloadDocument = () => this.#loadDocument().catch((error) => this.#refused(error));

  async #signature(draft: Draft): Promise<SignBody['signature']> {
    if (draft.way === 'typed') return { type: 'typed', text: tidied(typedSignature(draft)) };
    return { type: 'drawn', png_base64: await this.#stage.drawingPng(draft) };
  }

  /** Asks gently how it goes: more rarely with time, not at all while the page is out of sight. */
  #poll() {
    const round = ++this.#polling;
    const again = (turn: number) => {
      const { view, screen, purged } = this.flow;
      if (!view || screen !== 'done' || purged || this.#polling !== round) return;
      const { status } = view.request;
      if (status !== 'awaiting_stamp' && status !== 'sent' && status !== 'opened' && status !== 'pending')
        return;
      const pauses = status === 'awaiting_stamp' ? SEAL_POLL_MS : OTHERS_POLL_MS;
      const pause = pauses[Math.min(turn, pauses.length - 1)] ?? 60_000;
      this.#stage.later(pause, async () => {
        if (this.#polling !== round || !this.#stage.isVisible()) return;
        if (await this.#refreshDone(status)) again(turn + 1);
        else this.#poll();
      });
    };
    again(0);
  }

  /** True when nothing has changed, so that the next look may wait longer. */
  async #refreshDone(before: RequestView['request']['status']): Promise<boolean> {
    try {
      const view = await this.#getView();
      this.#dispatch({ type: 'refreshed', view });
      return view.request.status === before;
    } catch (error) {
      // A session that ends while nothing is asked for is no news; it is when the signer wants something.
      if (error instanceof Refusal && error.code === 'verification_required') this.#polling++;
      else if (error instanceof Refusal && isDead(error.code))
        this.#dispatch({ type: 'died', reason: error.code });
      return true;
    }
  }

  #codeRefused(error: unknown, at: CodeProblem['at']) {
    if (error instanceof Refusal && error.code === 'locked') {
      const until = error.lockedUntil ?? this.#afterSeconds(error.retryAfterSeconds ?? 900);
      return this.#dispatch({ type: 'locked', until });
    }
    if (error instanceof Refusal && isDead(error.code)) return this.#refused(error);
    this.#dispatch({ type: 'code_refused', problem: this.#codeProblem(error, at) });
  }

  #codeProblem(error: unknown, at: CodeProblem['at']): CodeProblem {
    if (error instanceof ConnectionLost) return { at, kind: 'lost' };
    if (!(error instanceof Refusal)) return { at, kind: 'fault' };
    switch (error.code) {
      case 'invalid_code_format':
        return { at: 'verify', kind: 'format' };
      case 'wrong_code':
        return { at: 'verify', kind: 'wrong', attemptsLeft: error.attemptsLeft ?? 0 };
      case 'code_expired':
        return { at: 'verify', kind: 'expired' };
      case 'email_failed':
        return { at: 'send', kind: 'email_failed' };
      case 'too_many_codes':
      case 'too_many_requests':
        return { at: 'send', kind: 'too_many', until: this.#afterSeconds(error.retryAfterSeconds ?? 60) };
      default:
        return { at, kind: 'fault' };
    }
  }

  #afterSeconds = (seconds: number) => new Date(this.#stage.now() + seconds * 1000).toISOString();

  #refused(error: unknown) {
    const code = error instanceof Refusal ? error.code : 'fault';
    if (isDead(code)) return this.#dispatch({ type: 'died', reason: code });
    switch (code) {
      case 'verification_required':
        this.#dispatch({ type: 'session_ended' });
        void this.#refresh();
        return;
      case 'document_mismatch':
        this.#documentLoading = null;
        void this.reloadDocument();
        this.#dispatch({ type: 'went', step: 'document' });
        return this.#dispatch({ type: 'noticed', notice: 'document_changed' });
      case 'consent_outdated':
        void this.#refresh().then(() => this.#dispatch({ type: 'noticed', notice: 'consent_changed' }));
        return;
      case 'already_signed':
        void this.#refresh();
        return;
      case 'invalid_signature':
        return this.#dispatch({ type: 'noticed', notice: 'signature_invalid' });
      case 'invalid_name':
        return this.#dispatch({ type: 'noticed', notice: 'name_invalid' });
      case 'document_purged':
        return this.#dispatch({ type: 'purged', at: error instanceof Refusal ? error.purgedAt : null });
      case 'not_yet_signed':
        return this.#poll();
      default:
        this.#dispatch({ type: 'noticed', notice: 'fault' });
    }
  }

  async #refresh() {
    try {
      if (this.flow.screen === 'code') this.#dispatch({ type: 'opened', standing: await this.#open() });
      else if (this.flow.screen === 'done') this.#poll();
      else if (this.flow.view) this.#dispatch({ type: 'refreshed', view: await this.#getView() });
    } catch (error) {
      // What cannot be learnt now is learnt with the next thing the signer does.
      if (error instanceof Refusal && (isDead(error.code) || error.code === 'verification_required')) {
        this.#refused(error);
      }
    }
  }
}
