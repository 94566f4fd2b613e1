/** What the engine and a function's worker say to each other. */

export interface WorkerSettings {
  file: string;
  exportName: string;
  functionArn: string;
  environment: Record<string, string>;
  clockOffset: SharedArrayBuffer;
}

export interface Invocation {
  requestId: string;
  payload: Uint8Array;
  /** In the machine's time. */
  deadline: number;
}

export interface FunctionError {
  errorType: string;
  errorMessage: string;
  trace?: string[];
}

export type FromWorker =
  | { type: 'ready' }
  | { type: 'failedToLoad'; error: FunctionError }
  | { type: 'answered'; payload: Uint8Array }
  | { type: 'chunk'; data: Uint8Array }
  | { type: 'ended' }
  | { type: 'failed'; error: FunctionError }
  | { type: 'crash'; error: FunctionError };
