import { sha256 } from '../../../client/src/download.ts';
import type { SignerCalls } from '../api.ts';

/** The bytes that the page shows and hashes; the signer signs this hash. */
export interface LoadedDocument {
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
    this.loaded = null;
    this.hasFailed = false;
    this.#loading = null;
  }

  async #fetch(): Promise<LoadedDocument> {
    this.loaded = null;
    this.progress = 0;
    this.hasFailed = false;
    try {
      const bytes = await this.#api.bytes('/document', (progress) => {
        this.progress = progress;
        this.#onChange();
      });
      this.loaded = { bytes, sha256: await sha256([bytes]) };
      return this.loaded;
    } catch (error) {
      this.hasFailed = true;
      this.#loading = null;
      throw error;
    } finally {
      this.#onChange();
    }
  }
}
