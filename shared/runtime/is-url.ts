/** The same as `URL.canParse`, which not every browser of the pages has. */
export function isUrl(text: string): boolean {
  try {
    return Boolean(new URL(text));
  } catch {
    return false;
  }
}
