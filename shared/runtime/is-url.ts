/** The same as `URL.canParse`, which not every browser of the pages has. */
export function isUrl(text: string): boolean {
  try {
    return Boolean(new URL(text));
  } catch {
    return false;
  }
}

/** Chats and tables put blanks and characters that nobody sees around an address, which are copied with it. */
export const trimmedUrl = (copied: string): string => copied.replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '');
