import { cleaned } from '../../../shared/runtime/visible.ts';
import type { Locale } from '../../../shared/texts/languages.ts';
import type { Delay } from '../../parts/delay.ts';
import { codeIn } from '../../parts/digits.ts';
import { evidenceName, sealedName } from '../../parts/format.ts';
import { knownLocale } from '../../parts/language.ts';
import { ApiError, codeOf, isServerFault, reachService, type SignerCalls } from '../api.ts';
import type { CodeSent, Declined, LinkStatus, RequestView, SignBody, Signed } from '../contract.ts';
import { codeProblem } from './code-problem.ts';
import { DocumentLoader } from './document.ts';
import { type Draft, type Field, firstDraft, missingFields, signBody, typedSignature } from './draft.ts';
import {
  type CodeProblem,
  type Flow,
  type FlowEvent,
  isEndReason,
  isReturnStep,
  type Notice,
  nextFlow,
  STEPS,
  type Step,
  startFlow,
} from './flow.ts';
import type { Memory } from './memory.ts';
import { StatusPolling } from './polling.ts';
import { shownView } from './shown.ts';

type Task = 'code' | 'verify' | 'sign' | 'decline' | 'download' | 'download_evidence';

/** The parts of the browser that the controller uses besides the API and the tab's memory. */
export interface Browser {
  now(): number;
  setTimer(ms: number, work: () => void): void;
  isVisible(): boolean;
  drawingPng(draft: Draft): string;
  savePdf(bytes: Uint8Array<ArrayBuffer>, filename: string): void;
}

/** Holds the state of the page: calls the API, applies the answers with `nextFlow`, and notifies the page to redraw. */
export class SigningController {
  flow: Flow;
  draft: Draft | null = null;
  problems: readonly Field[] = [];
  task: Task | null = null;
  /** The progress of a download, from 0 to 1. */
  progress = 0;
  /** The files that were downloaded since the page was opened. */
  readonly saved = new Set<Task>();
  locale: Locale;
  /** Counts the tasks, and the calls about the link. */
  #latest = 0;
  #languageChosen: boolean;
  readonly document: DocumentLoader;
  readonly #polling: StatusPolling;
  readonly #listeners = new Set<() => void>();
  readonly #api: SignerCalls;
  readonly #memory: Memory;
  readonly #browser: Browser;

  constructor(api: SignerCalls, memory: Memory, browser: Browser, browserLocale: Locale) {
    this.#api = api;
    this.#memory = memory;
    this.#browser = browser;
    this.flow = startFlow(memory.rememberedStep());
    const chosen = memory.loadLanguage();
    this.locale = chosen ?? browserLocale;
    this.#languageChosen = chosen !== null;
    this.document = new DocumentLoader(api, () => this.#notify());
    this.#polling = new StatusPolling({
      setTimer: browser.setTimer,
      isVisible: browser.isVisible,
      status: () => this.#awaitedStatus(),
      refresh: () => this.#refreshStatus(),
    });
  }

  subscribe(listener: () => void) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  now = () => this.#browser.now();

  reach = () => reachService(this.#api);

  /** Records that the link was opened, and resumes a session that is still valid. */
  async start() {
    const step = this.#memory.rememberedStep();
    try {
      const [linkStatus, view] = await Promise.all([this.#open(), this.#viewIfSession()]);
      this.#useSignerLocale(linkStatus.locale);
      // The first step is shown only after both answers: a signer with a session needs no code.
      this.#dispatch({ type: 'link_opened', linkStatus });
      if (view) this.#startSession(view);
      if (view && step === 'later') this.#dispatch({ type: 'navigated', step });
    } catch (error) {
      this.#handleError(error);
      if (this.flow.screen === 'opening') this.#dispatch({ type: 'opening_failed' });
    }
  }

  /** Called when the tab becomes visible: the signer may come back with a new code, or hours later. */
  async refresh() {
    if (this.task) return;
    if (this.document.hasFailed) this.loadDocument();
    await this.#refresh();
  }

  sendCode = () =>
    this.#runTask('code', async () => {
      this.#dispatch({ type: 'code_asked_for' });
      try {
        const answer = await this.#api.json<CodeSent>('POST', '/code', { idempotent: false });
        // An error here is not an error of sending.
        await this.#refresh();
        // Last, because until then the button to continue does nothing.
        this.#dispatch({ type: 'code_sent', answer });
      } catch (error) {
        await this.#codeFailed(error, 'send');
      }
    });

  verify = (entered: string) =>
    this.#runTask('verify', async () => {
      const code = codeIn(entered);
      if (code.length !== 6)
        return this.#dispatch({ type: 'code_failed', problem: { at: 'verify', kind: 'format' } });
      try {
        const answer = await this.#api.json<RequestView>('POST', '/verify', {
          idempotent: false,
          body: { code },
        });
        this.#startSession(shownView(answer));
      } catch (error) {
        // The code may have been used already: in another tab, or by a call whose response was cut off.
        const view = codeOf(error) === 'code_expired' ? await this.#viewIfSession() : null;
        if (view) this.#startSession(view);
        else await this.#codeFailed(error, 'verify');
      }
    });

  /** Called when the form for a code has gone: the code has ended, or was used in another tab, which shares its session. */
  async codeExpired() {
    const call = this.#latest;
    const view = await this.#viewIfSession();
    if (call !== this.#latest) return;
    if (view) this.#startSession(view);
    else this.#dispatch({ type: 'code_expired' });
  }

  goTo(step: Step) {
    this.problems = [];
    this.#dispatch({ type: 'navigated', step }, 'push');
  }

  goBack() {
    if (!this.#memory.goBack()) this.#dispatch({ type: 'navigated', step: 'document' });
  }

  /** Handles the browser's back and forward buttons. */
  browserNavigated(step: Step | null) {
    if (this.#isDeciding) return this.#saveStep('push');
    this.#dispatch({ type: 'navigated', step: step ?? 'document' });
  }

  /** Does nothing while the draft is being sent, possibly again and again: the page must show what is signed. */
  edit(change: Partial<Draft>) {
    if (this.#isDeciding) this.#notify();
    else this.#change(change);
  }

  get #isDeciding() {
    return this.task === 'sign' || this.task === 'decline';
  }

  #change(change: Partial<Draft>) {
    if (!this.draft || !this.flow.view) return;
    this.draft = { ...this.draft, ...change };
    if (this.problems.length > 0) {
      const missing = missingFields(this.draft, this.flow.view);
      this.problems = this.problems.filter((field) => missing.includes(field));
    }
    this.#memory.saveDraft(this.flow.view.signer.id, this.draft);
    this.#notify();
  }

  chooseLanguage(locale: Locale) {
    this.locale = locale;
    this.#languageChosen = true;
    this.#memory.saveLanguage(locale);
    this.#notify();
  }

  sign = () =>
    this.#decide('sign', missingFields, async (draft, view) => {
      const { sha256 } = await this.document.load();
      const body = signBody(draft, view, sha256, this.#signature(draft));
      const answer = await this.#api.json<Signed>('POST', '/sign', { idempotent: true, body });
      return { type: 'signed', answer };
    });

  decline = () =>
    this.#decide(
      'decline',
      () => [],
      async (draft) => {
        const reason = cleaned(draft.reason);
        const body = reason ? { reason } : {};
        const answer = await this.#api.json<Declined>('POST', '/decline', { idempotent: true, body });
        return { type: 'declined', answer };
      },
    );

  #decide(
    task: Task,
    missing: (draft: Draft, view: RequestView) => Field[],
    send: (draft: Draft, view: RequestView) => Promise<FlowEvent>,
  ) {
    return this.#runTask(task, async () => {
      const { draft } = this;
      const { view } = this.flow;
      if (!draft || !view) return;
      this.problems = missing(draft, view);
      if (this.problems.length > 0) return;
      this.#dispatch({ type: 'notice_changed', notice: null });
      try {
        const event = await send(draft, view);
        this.#memory.forgetDraft(view.signer.id);
        this.#dispatch(event);
      } catch (error) {
        await this.#decisionFailed(error);
      }
    });
  }

  /** The viewer shows a failure in the document's place. */
  loadDocument = () => {
    this.document.load().catch((error) => this.#handleError(error, null));
    this.#notify();
  };

  saveOriginal() {
    const filename = this.flow.view?.document.filename;
    const { loaded } = this.document;
    if (loaded && filename) this.#browser.savePdf(loaded.bytes, filename);
  }

  saveSealed = () => this.#save('download', '/sealed-document', sealedName);

  saveEvidence = () => this.#save('download_evidence', '/evidence', evidenceName);

  /** False if there is no file. */
  async #save(task: Task, path: string, nameOf: (document: string) => string): Promise<boolean> {
    let isSaved = false;
    await this.#runTask(task, async () => {
      const filename = this.flow.view?.document.filename ?? 'document.pdf';
      this.#dispatch({ type: 'notice_changed', notice: null });
      try {
        const bytes = await this.#api.bytes(path, (progress) => {
          this.progress = progress;
          this.#notify();
        });
        this.#browser.savePdf(bytes, nameOf(filename));
        this.saved.add(task);
        isSaved = true;
      } catch (error) {
        this.#handleError(error);
      }
    });
    return isSaved;
  }

  delayed(delay: Delay | null) {
    this.#dispatch({ type: 'delayed', delay });
  }

  /** Runs one task at a time: a second click during a task does nothing. */
  async #runTask(task: Task, work: () => Promise<void> | void) {
    if (this.task) return;
    this.task = task;
    this.progress = 0;
    this.#latest += 1;
    this.#notify();
    try {
      await work();
    } finally {
      this.task = null;
      this.#notify();
    }
  }

  #dispatch(event: FlowEvent, how: 'push' | 'replace' = 'replace') {
    const wasDone = this.flow.screen === 'done';
    this.flow = nextFlow(this.flow, event);
    this.#saveStep(how);
    if (this.flow.screen === 'done' && !wasDone) this.#polling.start();
    if (this.flow.screen === 'ended' || this.flow.screen === 'code') this.document.forget();
    this.#notify();
  }

  #saveStep(how: 'push' | 'replace') {
    const { screen } = this.flow;
    const step = STEPS.find((known) => known === screen);
    // A phone may unload the page while the signer reads the mail with the code.
    if (step === 'code' && isReturnStep(this.#memory.rememberedStep())) return;
    if (step) this.#memory.enterStep(step, how);
  }

  #notify() {
    for (const listener of this.#listeners) listener();
  }

  #open = () => this.#api.json<LinkStatus>('POST', '/open', { idempotent: true });
  #getView = async () =>
    shownView(await this.#api.json<RequestView>('GET', '/request', { idempotent: true }));

  async #viewIfSession(): Promise<RequestView | null> {
    try {
      return await this.#getView();
    } catch {
      // `/open` reports the same problem more exactly.
      return null;
    }
  }

  #useSignerLocale(locale: string | null) {
    if (!this.#languageChosen) this.locale = knownLocale(locale) ?? this.locale;
  }

  #startSession(view: RequestView) {
    // A draft from an earlier version of the page may lack members.
    this.draft = { ...firstDraft(view), ...(this.draft ?? this.#memory.loadDraft(view.signer.id)) };
    this.document.forget();
    this.#dispatch({ type: 'session_started', view });
    if (this.flow.view && this.flow.screen !== 'done') this.loadDocument();
  }

  #signature(draft: Draft): SignBody['signature'] {
    if (draft.way === 'image') return { type: 'drawn', png_base64: draft.image ?? '' };
    if (draft.way === 'drawn') return { type: 'drawn', png_base64: this.#browser.drawingPng(draft) };
    const text = cleaned(typedSignature(draft));
    return { type: 'typed', text, ...(draft.style !== 'italic' && { style: draft.style }) };
  }

  #awaitedStatus() {
    const { view, screen, purged } = this.flow;
    return view && screen === 'done' && !purged ? view.request.status : null;
  }

  async #refreshStatus() {
    try {
      this.#dispatch({ type: 'view_refreshed', view: await this.#getView() });
    } catch (error) {
      const code = codeOf(error);
      // If the session has ended, stop silently. The signer is asked for a code at the next click.
      if (code === 'verification_required') this.#polling.stop();
      else if (isEndReason(code)) this.#dispatch({ type: 'link_ended', reason: code });
    }
  }

  async #codeFailed(error: unknown, at: CodeProblem['at']) {
    if (error instanceof ApiError && error.code === 'locked') {
      const until = error.lockedUntil;
      // A lock without a time lasts until the sender resends.
      if (at === 'verify')
        return this.#dispatch(until === null ? { type: 'code_entry_ended' } : { type: 'link_locked', until });
      // Only the service knows whether the code that was mailed last still works.
      await this.#refresh();
      const { linkStatus } = this.flow;
      if (linkStatus?.code_entry_ended || linkStatus?.locked_until) return;
    }
    if (isEndReason(codeOf(error))) return this.#handleError(error);
    this.#dispatch({ type: 'code_failed', problem: codeProblem(error, at, this.now()) });
  }

  /** After a server fault, the view shows whether the signer has signed or declined nevertheless. */
  async #decisionFailed(error: unknown) {
    const { screen } = this.flow;
    if (isServerFault(error)) await this.#refresh();
    if (this.flow.screen === screen) this.#handleError(error);
  }

  #handleError(error: unknown, faultNotice: Notice | null = 'fault') {
    const code = codeOf(error);
    if (error instanceof ApiError) this.#useSignerLocale(error.locale);
    if (isEndReason(code)) return this.#dispatch({ type: 'link_ended', reason: code });
    switch (code) {
      case 'verification_required':
        this.#dispatch({ type: 'session_ended' });
        void this.#refresh();
        return;
      case 'document_mismatch':
        this.document.forget();
        this.loadDocument();
        // From the top, where the notice is.
        this.#change({ page: 1 });
        this.#dispatch({ type: 'navigated', step: 'document' });
        this.#dispatch({ type: 'notice_changed', notice: 'document_changed' });
        // To the entry of the document, which the replaced step would show again.
        return void this.#memory.goBack();
      case 'consent_outdated':
        void this.#refresh().then(() =>
          this.#dispatch({ type: 'notice_changed', notice: 'consent_changed' }),
        );
        return;
      case 'already_signed':
        void this.#refresh();
        return;
      case 'invalid_signature':
        return this.#dispatch({ type: 'notice_changed', notice: 'signature_invalid' });
      case 'invalid_name':
        return this.#dispatch({ type: 'notice_changed', notice: 'name_invalid' });
      case 'document_purged':
        return this.#dispatch({
          type: 'document_purged',
          at: error instanceof ApiError ? error.purgedAt : null,
        });
      case 'not_yet_signed':
      case 'request_cancelled':
      case 'request_declined':
      case 'request_expired':
        return this.#polling.start();
      default:
        if (faultNotice !== null) this.#dispatch({ type: 'notice_changed', notice: faultNotice });
    }
  }

  /** An answer that a task or a later call has outrun is out of date. */
  async #openAgain() {
    this.#latest += 1;
    const call = this.#latest;
    const linkStatus = await this.#open();
    if (call === this.#latest) this.#dispatch({ type: 'link_opened', linkStatus });
  }

  async #refresh() {
    try {
      if (this.flow.screen === 'code') await this.#openAgain();
      else if (this.flow.screen === 'done') this.#polling.start();
      else if (this.flow.view) this.#dispatch({ type: 'view_refreshed', view: await this.#getView() });
    } catch (error) {
      // Any other error shows again at the signer's next action.
      const code = codeOf(error);
      if (isEndReason(code) || code === 'verification_required') this.#handleError(error);
    }
  }
}
