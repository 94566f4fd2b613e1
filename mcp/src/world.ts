import type { SignatureRequests } from '../../client/src/node.ts';
import type { Folders } from './folders.ts';

export interface World {
  client: SignatureRequests;
  folders: Folders;
  /** True if real people are mailed. */
  isLive: boolean;
  /** Nobody can be asked any more, nor is there a new call. */
  inputEnded: AbortSignal;
}
