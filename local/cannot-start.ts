/** A cause that the user can remove. The command shows only the message; of any other error, the stack trace too. */
export class CannotStart extends Error {
  override name = 'CannotStart';
}
