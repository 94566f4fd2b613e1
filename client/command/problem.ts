import { printable } from '../../shared/runtime/columns.ts';
import { SignatureRequestsError } from '../src/node.ts';
import { isOutcomeUnknown } from '../src/retries.ts';

/** An error that the user can fix, shown as one line on stderr. Exit code 2 means wrong usage. */
export class Problem extends Error {
  override name = 'Problem';
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

export const wrongUsage = (message: string) => new Problem(message, 2);

export function countOf(option: string, given: string): number {
  if (!/^[1-9]\d*$/.test(given)) throw wrongUsage(`${option} must be a whole number from 1.`);
  return Number(given);
}

/** Advice on an error of the service, after its message. */
const ADVICE: Readonly<Record<string, string>> = {
  unauthorized: 'Run "signature-requests login" with a valid key.',
  connection_failed: 'Is the address right, and the service running?',
  invalid_url: '"listen" needs a local run: a deployed service calls public addresses only.',
  not_found: '"signature-requests list" shows the requests of this key.',
  not_yet_signed: '"signature-requests status ID --wait" waits for it.',
};

/** Any error as one line, with API keys removed. */
export function lineOf(error: unknown): { line: string; exitCode: 1 | 2 } {
  const line = printable(sentenceOf(error))
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(esk_[a-z]+_)[\w-]+/g, '$1…');
  return { line, exitCode: error instanceof Problem ? error.exitCode : 1 };
}

/** Awaits a change. If its answer was lost, says how to look before repeating it, which might mail people twice. */
export async function withAdvice<T>(
  call: Promise<T>,
  advice: string,
  describe: (error: unknown) => string,
): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof SignatureRequestsError && isOutcomeUnknown(error))) throw error;
    throw new Problem(`${describe(error)} It may have been done all the same: ${advice}`);
  }
}

const LOOK_FIRST = 'see "signature-requests list" before you repeat it.';

export const change = <T>(call: Promise<T>): Promise<T> => withAdvice(call, LOOK_FIRST, sentenceOf);

/** Aborts when the user stops the command, which then fails with this message. */
export function untilStopped(
  message = `The command was interrupted. It may have been done all the same: ${LOOK_FIRST}`,
): AbortSignal {
  const stopped = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stopped.abort(new Problem(message)));
  return stopped.signal;
}

/** All that is wrong with a call, so that one correction is enough. */
export const faultsOf = ({ message, errors }: SignatureRequestsError): string =>
  errors.length > 0 ? errors.map((fault) => fault.message).join(' ') : message;

function sentenceOf(error: unknown): string {
  if (error instanceof SignatureRequestsError) {
    const { code, status = 0, requestId, retryAfterMs = 0 } = error;
    const parts = [
      // The client asks about its own option.
      faultsOf(error).replace('`baseUrl`', 'the URL'),
      ADVICE[code],
      // The message names a header, which nobody sees here.
      retryAfterMs > 0 && `Try again in ${Math.ceil(retryAfterMs / 1_000)} seconds.`,
      status >= 500 && requestId && `(request id ${requestId})`,
    ];
    return parts.filter(Boolean).join(' ');
  }
  if (!(error instanceof Error)) return String(error);
  if (!('code' in error)) return error.message;
  // Node opens a folder like a file, and names no path when it cannot read it.
  if (error.code === 'EISDIR' && !('path' in error)) return 'A folder is named where a file is needed.';
  if (!('path' in error)) return error.message;
  const path = 'dest' in error ? error.dest : error.path;
  return fileProblem(String(path), String(error.code)).message;
}

const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be opened by you',
  EISDIR: 'is a folder',
  EEXIST: 'exists already; name another with --output',
  ENOSPC: 'does not fit on the disk',
};

export const fileProblem = (path: string, code: string) =>
  new Problem(`${path} ${FILE_FAULTS[code] ?? `cannot be used (${code})`}.`);

/** Names the file in a file system error, which names none (disk full) or the temporary file. */
export const ofFile = (path: string, error: unknown): unknown =>
  error instanceof Error && 'syscall' in error && 'code' in error
    ? fileProblem(path, String(error.code))
    : error;
