import { useCallback, useState } from 'preact/hooks';

/** The number makes a sentence that is said twice a new one, for the eye and for screen readers. */
export interface Message {
  sentence: string;
  number: number;
}

/** A short message, and the function that says the next. An empty sentence takes it away. */
export function useMessage(): [Message | null, (sentence: string) => void] {
  const [message, setMessage] = useState<Message | null>(null);
  const say = useCallback(
    (sentence: string) =>
      setMessage((before) => (sentence ? { sentence, number: (before?.number ?? 0) + 1 } : null)),
    [],
  );
  return [message, say];
}
