import type { Draft } from './draft.ts';

/** Drafts on this device: the text at once and in full, so that no key stroke is lost; the file in the browser's database. */

const PREFIX = 'draft:';
const DATABASE = 'drafts';
const FILES = 'files';

export function loadDraft(scope: string): Draft | null {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + scope) ?? 'null');
  } catch {
    return null;
  }
}

export const saveDraft = (scope: string, draft: Draft) =>
  localStorage.setItem(PREFIX + scope, JSON.stringify(draft));

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

export const loadFile = (scope: string): Promise<File | null> =>
  withFiles<unknown>((files) => files.get(scope)).then((value) => (value instanceof File ? value : null));
export const saveFile = (scope: string, file: File) => withFiles((files) => files.put(file, scope));

export async function forgetDraft(scope: string): Promise<void> {
  localStorage.removeItem(PREFIX + scope);
  await withFiles((files) => files.delete(scope));
}

export async function forgetDrafts(): Promise<void> {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  await withFiles((files) => files.clear());
}
