import { computed, signal } from '@preact/signals';
import { type FileInput, MAX_INLINE_BYTES } from '../../../client/src/document.ts';
import { SignatureRequestsError } from '../../../client/src/errors.ts';
import type { CreatedSignatureRequest } from '../../../client/src/types.ts';
import type { Locale } from '../../../shared/texts/languages.ts';
import type { Service } from '../service.ts';
import { type Draft, type FaultyField, faultsOf, fieldOf, firstDraft, requestOf, titleOf } from './draft.ts';
import { checkFile, type FileFault } from './file-check.ts';

/** The store of drafts, and the values they begin with. */
export interface Desk {
  locale: Locale;
  loadDraft(): Draft | null;
  saveDraft(draft: Draft): void;
  loadFile(): Promise<File | null>;
  saveFile(file: File): Promise<unknown>;
  forget(): Promise<void>;
}

type Calls = Pick<Service, 'createRequest' | 'upload'>;
type Step = 'editing' | 'reviewing' | 'sending';

/** An upload is kept for an hour. */
const isUploadGone = (thrown: unknown) =>
  thrown instanceof SignatureRequestsError && thrown.code === 'invalid_upload';

/** Errors after which the service may have made the request all the same. */
const mayBeMade = ({ status }: SignatureRequestsError) => status === undefined || status >= 500;

export class NewRequest {
  readonly draft;
  readonly file = signal<File | null>(null);
  readonly fileFault = signal<FileFault | null>(null);
  readonly step = signal<Step>('editing');
  /** From 0 to 1 while the document is on its way. */
  readonly progress = signal(0);
  readonly thrown = signal<unknown>(null);
  /** Faults show once someone has tried to go on. */
  readonly hasTried = signal(false);
  readonly faults = computed(() => faultsOf(this.draft.value, this.file.value !== null));
  /** The field that the service refused, with its code. */
  readonly refused = computed((): { field: FaultyField; code: string } | null => {
    const thrown = this.thrown.value;
    if (!(thrown instanceof SignatureRequestsError) || !thrown.field) return null;
    const field = fieldOf(thrown.field, this.draft.peek());
    return field ? { field, code: thrown.code } : null;
  });
  readonly #service: Calls;
  readonly #desk: Desk;

  constructor(service: Calls, desk: Desk) {
    this.#service = service;
    this.#desk = desk;
    this.draft = signal(desk.loadDraft() ?? firstDraft(desk.locale));
  }

  async start(dropped: File | null): Promise<void> {
    if (dropped) {
      await this.choose(dropped);
      return;
    }
    const kept = await this.#desk.loadFile();
    if (kept && !this.file.peek()) this.file.value = kept;
  }

  edit(change: Partial<Draft>) {
    const key = this.#isSpoilt() ? crypto.randomUUID() : this.draft.peek().key;
    this.draft.value = { ...this.draft.peek(), ...change, key };
    this.#desk.saveDraft(this.draft.peek());
  }

  /** False while the request is being sent: another document would go out under this one's title. */
  async choose(file: File): Promise<boolean> {
    const fault = await checkFile(file);
    if (this.step.peek() === 'sending') return false;
    this.fileFault.value = fault;
    if (fault) return true;
    const { title } = this.draft.peek();
    const isOwnTitle = title !== '' && title !== titleOf(this.file.peek()?.name ?? '');
    this.file.value = file;
    this.edit({ upload: undefined, ...(!isOwnTitle && { title: titleOf(file.name) }) });
    await this.#desk.saveFile(file);
    return true;
  }

  /** To the summary, if nothing is missing. */
  review(): boolean {
    this.hasTried.value = true;
    if (Object.keys(this.faults.peek()).length > 0) return false;
    this.thrown.value = null;
    this.step.value = 'reviewing';
    return true;
  }

  backToEditing() {
    if (this.step.peek() === 'reviewing') this.step.value = 'editing';
  }

  /** The request, or null if it could not be made: then everything stays, to be tried again. */
  async send(): Promise<CreatedSignatureRequest | null> {
    const file = this.file.peek();
    if (this.step.peek() === 'sending' || !file) return null;
    this.step.value = 'sending';
    this.progress.value = 0;
    this.thrown.value = null;
    try {
      const made = await this.#make(file);
      await this.#desk.forget();
      return made;
    } catch (thrown) {
      this.thrown.value = thrown;
      this.step.value = this.refused.peek() ? 'editing' : 'reviewing';
      return null;
    }
  }

  /** A large document goes ahead. The draft remembers that, so that a repetition is the same call. */
  async #make(file: File): Promise<CreatedSignatureRequest> {
    if (file.size <= MAX_INLINE_BYTES) return this.#create(file);
    const { upload } = this.draft.peek();
    if (upload) {
      try {
        return await this.#create(upload);
      } catch (thrown) {
        if (!isUploadGone(thrown)) throw thrown;
      }
    }
    const uploaded = await this.#service.upload(file, this.#tell);
    this.edit({ upload: uploaded });
    return this.#create(uploaded);
  }

  #create(file: FileInput): Promise<CreatedSignatureRequest> {
    const draft = this.draft.peek();
    return this.#service.createRequest({ ...requestOf(draft), file }, draft.key, this.#tell);
  }

  #tell = (part: number) => {
    this.progress.value = part;
  };

  async discard(): Promise<void> {
    await this.#desk.forget();
    this.draft.value = firstDraft(this.#desk.locale);
    this.file.value = null;
    this.fileFault.value = null;
    this.hasTried.value = false;
    this.thrown.value = null;
  }

  /** The service has refused the draft for good, so its key stands for nothing. */
  #isSpoilt(): boolean {
    const thrown = this.thrown.peek();
    return thrown instanceof SignatureRequestsError && !mayBeMade(thrown);
  }
}
