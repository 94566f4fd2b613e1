import { computed, signal } from '@preact/signals';
import { type FileInput, MAX_INLINE_BYTES } from '../../../client/src/document.ts';
import { SignatureRequestsError } from '../../../client/src/errors.ts';
import type { CreatedSignatureRequest } from '../../../client/src/types.ts';
import type { Locale } from '../../../shared/texts/languages.ts';
import { isRefusal } from '../parts/refusal.ts';
import type { Service } from '../service.ts';
import { type Draft, type FaultyField, faultsOf, fieldOf, firstDraft, requestOf, titleOf } from './draft.ts';
import { copyOf, type FileFault } from './file-check.ts';

/** The store of drafts, and the language of a new one. */
interface DraftStore {
  locale: Locale;
  loadDraft(): Draft | null;
  saveDraft(draft: Draft): void;
  loadFile(id: string): Promise<File | null>;
  saveFile(kept: { id: string; file: File }): Promise<unknown>;
  forget(): Promise<void>;
}

type Calls = Pick<Service, 'createRequest' | 'upload'>;
type Step = 'editing' | 'reviewing' | 'sending';

/** An upload expires after an hour. */
const isUploadGone = (thrown: unknown) =>
  thrown instanceof SignatureRequestsError && thrown.code === 'invalid_upload';

/** Another document or other people make it another request. */
const isOfAnother = (change: Partial<Draft>) => 'fileId' in change || 'people' in change;

/** Leaves out the state of sending, which another tab with the same draft may have changed. */
const enteredIn = (draft: Draft | null): string =>
  JSON.stringify({ ...draft, isTried: undefined, isSpoilt: undefined, upload: undefined });

/** The keys of the requests that are being sent, including those whose form was left. */
const inFlight = new Set<string>();

export class NewRequest {
  readonly draft;
  readonly file = signal<File | null>(null);
  readonly fileFault = signal<FileFault | null>(null);
  /** The name of the file that was chosen last, even if it is still being read or has a fault. */
  readonly chosen = signal<string | null>(null);
  readonly step = signal<Step>('editing');
  /** From 0 to 1 while the document is on its way. */
  readonly progress = signal(0);
  readonly thrown = signal<unknown>(null);
  /** Faults are shown after the first attempt to continue. */
  readonly hasTried = signal(false);
  readonly faults = computed(() => faultsOf(this.draft.value, this.file.value !== null));
  readonly refused = computed((): FaultyField | undefined => {
    const thrown = this.thrown.value;
    if (!(thrown instanceof SignatureRequestsError) || !thrown.field) return undefined;
    return fieldOf(thrown.field, this.#sent, this.draft.value);
  });
  readonly #service: Calls;
  readonly #store: DraftStore;
  #sent: Draft;
  /** The reading of the file that was chosen last. */
  #reading: ReturnType<typeof copyOf> | null = null;
  /** Resolves once the stored draft's file is loaded. */
  #starting: Promise<void> | null = null;

  constructor(service: Calls, store: DraftStore) {
    this.#service = service;
    this.#store = store;
    this.#sent = this.#stored() ?? firstDraft(store.locale);
    this.draft = signal(this.#sent);
  }

  start(dropped: File | null): Promise<void> {
    this.#starting = this.#start(dropped);
    return this.#starting;
  }

  async #start(dropped: File | null): Promise<void> {
    const { fileId } = this.draft.peek();
    const kept = fileId ? await this.#store.loadFile(fileId) : null;
    if (kept && this.draft.peek().fileId === fileId) this.file.value = kept;
    // Last, so that a title made from the stored file's name is replaced too.
    if (dropped) await this.choose(dropped);
  }

  edit(change: Partial<Draft>) {
    const draft = this.draft.peek();
    // A request in flight keeps its key: a second one under that key would be lost.
    const mayReplaceKey = !draft.isTried || inFlight.has(draft.key);
    const isNew = draft.isSpoilt || (isOfAnother(change) && mayReplaceKey);
    this.draft.value = {
      ...draft,
      ...change,
      ...(isNew && { key: crypto.randomUUID(), isTried: undefined, isSpoilt: undefined }),
    };
    this.#store.saveDraft(this.draft.peek());
  }

  /** False while the request is being sent: the new document would go out under the old title. */
  async choose(file: File): Promise<boolean> {
    const reading = copyOf(file);
    this.#reading = reading;
    this.chosen.value = file.name;
    const copy = await reading;
    // Another file may have been chosen while this one was read.
    if (reading !== this.#reading) return true;
    if (this.step.peek() === 'sending') return false;
    if (copy instanceof File) await this.#take(copy);
    else this.#refuse(copy);
    return true;
  }

  async #take(file: File): Promise<void> {
    this.fileFault.value = null;
    const { title } = this.draft.peek();
    const isOwnTitle = title !== '' && title !== titleOf(this.file.peek()?.name ?? '');
    this.file.value = file;
    const id = crypto.randomUUID();
    this.edit({ fileId: id, upload: undefined, ...(!isOwnTitle && { title: titleOf(file.name) }) });
    await this.#store.saveFile({ id, file });
  }

  /** Goes back to the form to show the fault: the summary would still send the previous document. */
  #refuse(fault: FileFault) {
    this.fileFault.value = fault;
    this.backToEditing();
  }

  /** Shows the summary if the form is complete. Waits for the file that was chosen last. */
  async review(): Promise<boolean> {
    const toldFault = this.fileFault.peek();
    if (!this.file.peek()) await this.#starting;
    await this.#reading;
    if (this.step.peek() !== 'editing' || this.fileFault.peek() !== toldFault) return false;
    this.hasTried.value = true;
    if (Object.keys(this.faults.peek()).length > 0) return false;
    this.thrown.value = null;
    this.fileFault.value = null;
    this.step.value = 'reviewing';
    return true;
  }

  backToEditing() {
    if (this.step.peek() === 'reviewing') this.step.value = 'editing';
  }

  /** Returns null if the request could not be created; the draft then stays, to be sent again. */
  async send(): Promise<CreatedSignatureRequest | null> {
    const file = this.file.peek();
    if (this.step.peek() === 'sending' || !file) return null;
    this.step.value = 'sending';
    this.progress.value = 0;
    this.thrown.value = null;
    this.#note({ isTried: true });
    this.#sent = this.draft.peek();
    const { key } = this.#sent;
    inFlight.add(key);
    try {
      const made = await this.#make(file);
      if (this.isStored()) await this.#store.forget();
      return made;
    } catch (thrown) {
      this.#note({ isSpoilt: isRefusal(thrown) || undefined });
      this.thrown.value = thrown;
      this.step.value = this.refused.peek() ? 'editing' : 'reviewing';
      return null;
    } finally {
      inFlight.delete(key);
    }
  }

  /** Uploads a large document first. The draft keeps the upload, so that a retry is the same call. */
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
    this.#note({ upload: uploaded });
    return this.#create(uploaded);
  }

  #create(file: FileInput): Promise<CreatedSignatureRequest> {
    return this.#service.createRequest({ ...requestOf(this.#sent), file }, this.#sent.key, this.#tell);
  }

  /** Updates the draft. The store is left alone if it holds another draft by now: the form can be left during sending. */
  #note(progress: Pick<Draft, 'isTried' | 'isSpoilt' | 'upload'>) {
    const isStored = this.isStored();
    this.draft.value = { ...this.draft.peek(), ...progress };
    if (isStored) this.#store.saveDraft(this.draft.peek());
  }

  /** False if the store holds another draft by now. */
  isStored = (): boolean => enteredIn(this.#stored()) === enteredIn(this.draft.peek());

  /** A draft from an earlier version of the page may lack members. */
  #stored(): Draft | null {
    const stored = this.#store.loadDraft();
    return stored && { ...firstDraft(this.#store.locale), ...stored };
  }

  #tell = (part: number) => {
    this.progress.value = part;
  };

  /** Another tab’s draft stays in the store. */
  async discard(): Promise<void> {
    const isStored = this.isStored();
    // Ignore a file that is still being read.
    this.#reading = null;
    this.draft.value = firstDraft(this.#store.locale);
    this.file.value = null;
    this.fileFault.value = null;
    this.chosen.value = null;
    this.hasTried.value = false;
    this.thrown.value = null;
    if (isStored) await this.#store.forget();
  }
}
