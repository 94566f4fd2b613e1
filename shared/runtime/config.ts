/** Reads a required environment variable. Called at start-up, so that a missing one fails the start, not a later call. */
export function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`The environment variable ${name} is missing.`);
  return value;
}

export const optionalSetting = (name: string): string | undefined => process.env[name] || undefined;
