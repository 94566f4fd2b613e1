import { visible } from '../../../shared/runtime/visible.ts';
import type { Locale } from '../../../shared/texts/languages.ts';
import type { Delay } from '../../parts/delay.ts';
import { evidenceName, sealedName } from '../../parts/format.ts';
import { knownLocale } from '../../parts/language.ts';
import { ApiError, reachService, type SignerCalls } from '../api.ts';
import type { Copy } from '../contract.ts';

type CopyTask = 'document' | 'evidence';

const PATHS: Record<CopyTask, string> = { document: '/sealed-document', evidence: '/evidence' };
const NAMES: Record<CopyTask, (filename: string) => string> = {
  document: sealedName,
  evidence: evidenceName,
};

type Shown =
  | { screen: 'opening' | 'trouble' }
  | { screen: 'copy'; copy: Copy }
  | { screen: 'not_found' | 'link_expired' }
  | { screen: 'document_purged'; at: string | null };

/** The parts of the browser that the page of a copy uses besides the API. */
interface CopyBrowser {
  savePdf(bytes: Uint8Array<ArrayBuffer>, filename: string): void;
  /** Whether this tab has opened the link before, such as before a reload. Notes that it has now. */
  openedBefore(): boolean;
}

/** The state of the page that the mail with the sealed document links to. */
export class CopyController {
  shown: Shown = { screen: 'opening' };
  task: CopyTask | null = null;
  /** The progress of the task, from 0 to 1. */
  progress = 0;
  downloaded = false;
  failed = false;
  delay: Delay | null = null;
  /** The signer's language, once a response has named one that this page has. */
  locale: Locale | null = null;
  readonly #api: SignerCalls;
  readonly #browser: CopyBrowser;
  readonly #redraw: () => void;

  constructor(api: SignerCalls, browser: CopyBrowser, redraw: () => void) {
    this.#api = api;
    this.#browser = browser;
    this.#redraw = redraw;
  }

  /** Starts the download at once, because that is what the mail's link is for; not again after a reload. */
  async start() {
    try {
      const copy = await this.#api.json<Copy>('GET', '/copy', { idempotent: true });
      this.locale = knownLocale(copy.locale);
      const { title, sender_name, filename } = copy;
      this.shown = {
        screen: 'copy',
        copy: {
          ...copy,
          title: visible(title),
          sender_name: visible(sender_name),
          filename: visible(filename),
        },
      };
    } catch (error) {
      this.shown = this.#endOf(error) ?? { screen: 'trouble' };
    }
    this.#redraw();
    if (this.shown.screen === 'copy' && !this.#browser.openedBefore()) await this.save('document');
  }

  reach = () => reachService(this.#api);

  delayed(delay: Delay | null) {
    this.delay = delay;
    this.#redraw();
  }

  /** One download at a time: a second click during one does nothing. */
  async save(task: CopyTask) {
    if (this.task || this.shown.screen !== 'copy') return;
    const name = NAMES[task](this.shown.copy.filename);
    this.task = task;
    this.progress = 0;
    this.failed = false;
    // Reset, so that screen readers announce the next download too.
    this.downloaded = false;
    this.#redraw();
    try {
      const bytes = await this.#api.bytes(PATHS[task], (progress) => {
        this.progress = progress;
        this.#redraw();
      });
      this.#browser.savePdf(bytes, name);
      this.downloaded = true;
    } catch (error) {
      const end = this.#endOf(error);
      if (end) this.shown = end;
      else this.failed = true;
    } finally {
      this.task = null;
      this.#redraw();
    }
  }

  /** Undefined for an error after which the same call may succeed. */
  #endOf(error: unknown): Shown | undefined {
    if (!(error instanceof ApiError)) return undefined;
    this.locale = error.locale ?? this.locale;
    switch (error.code) {
      case 'document_purged':
        return { screen: error.code, at: error.purgedAt };
      case 'not_found':
      case 'link_expired':
        return { screen: error.code };
      default:
        return undefined;
    }
  }
}
