/** Reads a setting the stack gives. A missing one ends the start with its name, not a call an hour later. */
export function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`The environment variable ${name} is missing.`);
  return value;
}

export const optionalSetting = (name: string): string | undefined => process.env[name] || undefined;
