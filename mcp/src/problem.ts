/** Thrown with a message that says what to do; it reaches the assistant as it is. */
export class Problem extends Error {
  override name = 'Problem';
}
