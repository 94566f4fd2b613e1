/** The command was given something it cannot use: one sentence, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command was right and yet could not be carried out: one sentence, exit code 1. */
export class Failure extends Error {
  override readonly name = 'Failure';
}
