/** A value that an earlier step has set. Its absence is a defect of the service, not of the call. */
export function present<T>(value: T | null | undefined, name: string): T {
  if (value === null || value === undefined) throw new Error(`${name} is not set.`);
  return value;
}
