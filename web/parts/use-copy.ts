import { useState } from 'preact/hooks';

/** Copies a text. `isCopied` is null until it was tried; a browser may refuse it. */
export function useCopy(text: string) {
  const [isCopied, setCopied] = useState<boolean | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      setCopied(false);
    }
  };
  return { isCopied, copy };
}
