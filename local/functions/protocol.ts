/** The messages between the local cloud and a function's worker. */

export interface WorkerSettings {
  file: string;
  exportName: string;
  functionArn: string;
  environment: Record<string, string>;
  clockOffset: SharedArrayBuffer;
  /** Folder for Node's compiled code of bundles; it makes a cold start a fifth shorter. */
  compileCache: string | undefined;
}

export interface Invocation {
  requestId: string;
  payload: Uint8Array;
  /** Machine time. */
  deadline: number;
}

export interface FunctionError {
  errorType: string;
  errorMessage: string;
  trace?: string[];
}

export type FromWorker =
  | { type: 'output'; text: string }
  | { type: 'ready' }
  | { type: 'failedToLoad'; error: FunctionError }
  | { type: 'answered'; payload: Uint8Array }
  | { type: 'chunk'; data: Uint8Array }
  | { type: 'failed'; error: FunctionError }
  | { type: 'crash'; error: FunctionError };
