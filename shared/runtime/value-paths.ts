/** Values inside JSON, by paths such as `details.signers.0.email`. */

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

export const isMissing = (value: unknown) => value === null || value === undefined;

export const valueAt = (from: unknown, path: string): unknown =>
  path.split('.').reduce((value, name) => (isRecord(value) ? value[name] : undefined), from);

/** The same value without the members at these paths. */
export function without<T>(value: T, paths: ReadonlySet<string>, path = ''): T {
  if (Array.isArray(value)) return value.map((member, n) => without(member, paths, `${path}${n}.`)) as T;
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !paths.has(path + name));
  return Object.fromEntries(
    kept.map(([name, member]) => [name, without(member, paths, `${path}${name}.`)]),
  ) as T;
}
