import { readJson } from '../../parts/storage.ts';
import { browserKeys, browserMemory } from '../memory.ts';
import type { Draft } from './draft.ts';

/** Drafts on this device: the text in local storage at each keystroke, the file in IndexedDB. */

const PREFIX = 'draft:';
const DATABASE = 'drafts';
const FILES = 'files';

export const loadDraft = (scope: string) => readJson<Draft>(browserMemory, PREFIX + scope);

export const saveDraft = (scope: string, draft: Draft) =>
  browserMemory.setItem(PREFIX + scope, JSON.stringify(draft));

const answerOf = <Value>(request: IDBRequest<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

async function withFiles<Value>(work: (files: IDBObjectStore) => IDBRequest<Value>): Promise<Value | null> {
  try {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(FILES);
    const database = await answerOf(opening);
    const value = await answerOf(work(database.transaction(FILES, 'readwrite').objectStore(FILES)));
    database.close();
    return value;
  } catch {
    // Without storage, as in some private windows, a file lives as long as the page.
    return null;
  }
}

interface KeptFile {
  id: string;
  file: File;
}

/** Null if another file has been stored since. */
export async function loadFile(scope: string, id: string): Promise<File | null> {
  const kept = await withFiles<KeptFile | undefined>((files) => files.get(scope));
  return kept?.id === id ? kept.file : null;
}

export const saveFile = (scope: string, kept: KeptFile) => withFiles((files) => files.put(kept, scope));

export async function forgetDraft(scope: string): Promise<void> {
  browserMemory.removeItem(PREFIX + scope);
  await withFiles((files) => files.delete(scope));
}

export async function forgetDrafts(userId: string | undefined): Promise<void> {
  const scopes = `${userId}/`;
  for (const key of browserKeys()) if (key.startsWith(PREFIX + scopes)) browserMemory.removeItem(key);
  await withFiles((files) => files.delete(IDBKeyRange.bound(scopes, `${scopes}\uffff`)));
}
