import Bowser from 'bowser';

/** The common names of a browser and its system. Null if the header has neither. */
export function browserName(userAgent: string): string | null {
  if (userAgent === '') return null;
  const { browser, os } = Bowser.parse(userAgent);
  return [browser.name, os.name].filter(Boolean).join(', ') || null;
}
