import { useCallback, useState } from 'preact/hooks';

/** The number makes a repeated sentence a new message, so that it is announced again. */
export interface Message {
  sentence: string;
  number: number;
}

/** A short message, and a function that sets the next. An empty sentence removes it. */
export function useMessage(): [Message | null, (sentence: string) => void] {
  const [message, setMessage] = useState<Message | null>(null);
  const say = useCallback(
    (sentence: string) =>
      setMessage((before) => (sentence ? { sentence, number: (before?.number ?? 0) + 1 } : null)),
    [],
  );
  return [message, say];
}
