/** Invalid input: one sentence on stderr, exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

export const noOwner = (id: string) => new UsageError(`There is no organization or user ${id}.`);
export const noRequest = (id: string) => new UsageError(`There is no request ${id}.`);

/** A valid command that could not be carried out: one sentence on stderr, exit code 1. */
export class Failure extends Error {
  override name = 'Failure';
}

/** Reports an error to the shell: an exit code, and one sentence on stderr. */
export function exitOf(error: unknown): { code: 1 | 2; sentence: string } {
  return { code: error instanceof UsageError ? 2 : 1, sentence: withoutKeys(sentenceOf(error)) };
}

/** An argument that a message quotes may be a pasted API key. */
const withoutKeys = (sentence: string) => sentence.replace(/(esk_[a-z]+_)[\w-]+/g, '$1…');

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof UsageError || error instanceof Failure) return error.message;
  if (error.name === 'CredentialsProviderError') return sentenceOfCredentials(error);
  // So DynamoDB says that there is no table.
  if (error.name === 'ResourceNotFoundException' && /^Requested resource not found/.test(error.message))
    return 'The stack’s table does not exist: docs/runbook.md#restore-the-table.';
  // Node gives no message if a host has several addresses and none can be reached.
  const message = error.message || ('code' in error && error.code);
  // Below its first line the SDK advises its own callers.
  return `${error.name}: ${message}`.replace(/\n.*/s, '');
}

function sentenceOfCredentials({ message }: Error): string {
  // Of a session that has ended the SDK says how to renew it. All that it did not find at all, it tells in this sentence.
  if (!/any providers$/.test(message)) return message;
  const profile = process.env.AWS_PROFILE;
  return profile
    ? `The profile "${profile}" gives no AWS credentials; check its name (AWS_PROFILE) and its settings.`
    : 'There are no AWS credentials in the environment; sign in first, for example with AWS_PROFILE.';
}
