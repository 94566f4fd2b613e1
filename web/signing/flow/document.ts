import { sha256 } from '../../../client/src/download.ts';
import type { SignerCalls } from '../api.ts';

/** The bytes that the page shows and hashes; the signer signs this hash. */
interface LoadedDocument {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sha256: string;
}

/** Loads the document once for all callers, until it is forgotten. */
export class DocumentLoader {
  loaded: LoadedDocument | null = null;
  progress = 0;
  /** The last attempt failed and no new one has started. */
  hasFailed = false;
  #loading: Promise<LoadedDocument> | null = null;
  #loads = 0;
  readonly #api: SignerCalls;
  readonly #onChange: () => void;

  constructor(api: SignerCalls, onChange: () => void) {
    this.#api = api;
    this.#onChange = onChange;
  }

  load(): Promise<LoadedDocument> {
    this.#loading ??= this.#fetch();
    return this.#loading;
  }

  forget() {
    this.#loads += 1;
    this.loaded = null;
    this.hasFailed = false;
    this.#loading = null;
  }

  async #fetch(): Promise<LoadedDocument> {
    this.progress = 0;
    this.hasFailed = false;
    const load = ++this.#loads;
    // A forgotten load may still end, during the next one.
    const isCurrent = () => load === this.#loads;
    try {
      const bytes = await this.#api.bytes('/document', (progress) => {
        if (!isCurrent()) return;
        this.progress = progress;
        this.#onChange();
      });
      const loaded = { bytes, sha256: await sha256([bytes]) };
      if (isCurrent()) this.loaded = loaded;
      return loaded;
    } catch (error) {
      if (isCurrent()) {
        this.hasFailed = true;
        this.#loading = null;
      }
      throw error;
    } finally {
      this.#onChange();
    }
  }
}
