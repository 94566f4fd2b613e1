import type { SignatureRequests } from '../../client/src/node.ts';
import type { Folders } from './folders.ts';

export interface World {
  client: SignatureRequests;
  folders: Folders;
  /** True if real people are mailed. */
  isLive: boolean;
  /** Aborted once the program has ended, so that nobody can be asked any more. */
  inputEnded: AbortSignal;
}
