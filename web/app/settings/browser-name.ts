import Bowser from 'bowser';

/** A browser and its system, as people call them. Null if it names neither. */
export function browserName(userAgent: string): string | null {
  if (userAgent === '') return null;
  const { browser, os } = Bowser.parse(userAgent);
  return [browser.name, os.name].filter(Boolean).join(', ') || null;
}
