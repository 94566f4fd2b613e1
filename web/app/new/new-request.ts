import { computed, signal } from '@preact/signals';
import { type FileInput, MAX_INLINE_BYTES } from '../../../client/src/document.ts';
import { SignatureRequestsError } from '../../../client/src/errors.ts';
import type { CreatedSignatureRequest } from '../../../client/src/types.ts';
import type { Locale } from '../../../shared/texts/languages.ts';
import { isRefusal } from '../parts/refusal.ts';
import type { Service } from '../service.ts';
import { type Draft, type FaultyField, faultsOf, fieldOf, firstDraft, requestOf, titleOf } from './draft.ts';
import { copyOf, type FileFault } from './file-check.ts';

/** The store of drafts, and the values they begin with. */
interface Desk {
  locale: Locale;
  loadDraft(): Draft | null;
  saveDraft(draft: Draft): void;
  loadFile(id: string): Promise<File | null>;
  saveFile(kept: { id: string; file: File }): Promise<unknown>;
  forget(): Promise<void>;
}

type Calls = Pick<Service, 'createRequest' | 'upload'>;
type Step = 'editing' | 'reviewing' | 'sending';

/** An upload is kept for an hour. */
const isUploadGone = (thrown: unknown) =>
  thrown instanceof SignatureRequestsError && thrown.code === 'invalid_upload';

/** With another document, or for other people, it is another request. */
const isOfAnother = (change: Partial<Draft>) => 'fileId' in change || 'people' in change;

/** Without the marks of its sending, which another page with the same draft may have changed. */
const enteredIn = (draft: Draft | null): string =>
  JSON.stringify({ ...draft, isTried: undefined, isSpoilt: undefined, upload: undefined });

/** The keys of the requests that this page is sending. They go on where their form is left. */
const inFlight = new Set<string>();

export class NewRequest {
  readonly draft;
  readonly file = signal<File | null>(null);
  readonly fileFault = signal<FileFault | null>(null);
  /** The name of the file that was chosen last. It may still be read, or have a fault. */
  readonly chosen = signal<string | null>(null);
  readonly step = signal<Step>('editing');
  /** From 0 to 1 while the document is on its way. */
  readonly progress = signal(0);
  readonly thrown = signal<unknown>(null);
  /** Faults show once someone has tried to go on. */
  readonly hasTried = signal(false);
  readonly faults = computed(() => faultsOf(this.draft.value, this.file.value !== null));
  /** The field that the service refused. */
  readonly refused = computed((): FaultyField | undefined => {
    const thrown = this.thrown.value;
    if (!(thrown instanceof SignatureRequestsError) || !thrown.field) return undefined;
    return fieldOf(thrown.field, this.#sentPeople, this.draft.value.people);
  });
  readonly #service: Calls;
  readonly #desk: Desk;
  #sentPeople: Draft['people'] = [];
  /** Of the file that was chosen last. */
  #reading: ReturnType<typeof copyOf> | null = null;
  /** Until the file of a kept draft is there. */
  #starting: Promise<void> | null = null;

  constructor(service: Calls, desk: Desk) {
    this.#service = service;
    this.#desk = desk;
    this.draft = signal(desk.loadDraft() ?? firstDraft(desk.locale));
  }

  start(dropped: File | null): Promise<void> {
    this.#starting = this.#start(dropped);
    return this.#starting;
  }

  async #start(dropped: File | null): Promise<void> {
    const { fileId } = this.draft.peek();
    const kept = fileId ? await this.#desk.loadFile(fileId) : null;
    if (kept && this.draft.peek().fileId === fileId) this.file.value = kept;
    // Afterwards, since a title that was made from the name of the kept file goes with it.
    if (dropped) await this.choose(dropped);
  }

  edit(change: Partial<Draft>) {
    const draft = this.draft.peek();
    // A request on its way keeps its key for itself: another one under it would take its place.
    const mayReplaceKey = !draft.isTried || inFlight.has(draft.key);
    const isNew = draft.isSpoilt || (isOfAnother(change) && mayReplaceKey);
    this.draft.value = {
      ...draft,
      ...change,
      ...(isNew && { key: crypto.randomUUID(), isTried: undefined, isSpoilt: undefined }),
    };
    this.#desk.saveDraft(this.draft.peek());
  }

  /** False while the request is being sent: another document would go out under this one's title. */
  async choose(file: File): Promise<boolean> {
    const reading = copyOf(file);
    this.#reading = reading;
    this.chosen.value = file.name;
    const copy = await reading;
    // Reading takes a while, and another file may have been chosen meanwhile.
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
    await this.#desk.saveFile({ id, file });
  }

  /** The form says what is wrong. The summary still shows the document of before, and would send it. */
  #refuse(fault: FileFault) {
    this.fileFault.value = fault;
    this.backToEditing();
  }

  /** To the summary, if nothing is missing, with the file that was chosen last. */
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

  /** The request, or null if it could not be made: then everything stays, to be tried again. */
  async send(): Promise<CreatedSignatureRequest | null> {
    const file = this.file.peek();
    if (this.step.peek() === 'sending' || !file) return null;
    this.step.value = 'sending';
    this.progress.value = 0;
    this.thrown.value = null;
    this.#note({ isTried: true });
    const { key } = this.draft.peek();
    inFlight.add(key);
    try {
      const made = await this.#make(file);
      if (this.isOnDesk()) await this.#desk.forget();
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
    this.#note({ upload: uploaded });
    return this.#create(uploaded);
  }

  #create(file: FileInput): Promise<CreatedSignatureRequest> {
    const draft = this.draft.peek();
    this.#sentPeople = draft.people;
    return this.#service.createRequest({ ...requestOf(draft), file }, draft.key, this.#tell);
  }

  /** Adds to the draft, unless another lies on the desk by now: the page can be left while the request is on its way. */
  #note(progress: Pick<Draft, 'isTried' | 'isSpoilt' | 'upload'>) {
    const isOnDesk = this.isOnDesk();
    this.draft.value = { ...this.draft.peek(), ...progress };
    if (isOnDesk) this.#desk.saveDraft(this.draft.peek());
  }

  /** False where another draft has taken its place. */
  isOnDesk = (): boolean => enteredIn(this.#desk.loadDraft()) === enteredIn(this.draft.peek());

  #tell = (part: number) => {
    this.progress.value = part;
  };

  /** Another tab’s draft stays on the desk. */
  async discard(): Promise<void> {
    const isOnDesk = this.isOnDesk();
    // A file that is still being read belongs to what is discarded.
    this.#reading = null;
    this.draft.value = firstDraft(this.#desk.locale);
    this.file.value = null;
    this.fileFault.value = null;
    this.chosen.value = null;
    this.hasTried.value = false;
    this.thrown.value = null;
    if (isOnDesk) await this.#desk.forget();
  }
}
