import { useState } from 'preact/hooks';

/** Copies a text. `isCopied` is null before the first attempt and false if the browser refused. */
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
