import { useEffect, useState } from 'preact/hooks';
import { usePage } from '../page.ts';

const SHOWN_MS = 6_000;
/** For slow readers of long messages. */
const CHARACTER_MS = 100;

/** A message that disappears by itself, but not while the pointer is on it. */
export function Toast({ sentence }: { sentence: string }) {
  const { say } = usePage();
  const [isHeld, hold] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(say, Math.max(SHOWN_MS, sentence.length * CHARACTER_MS), '');
    return () => clearTimeout(timer);
  }, [isHeld, sentence]);
  return (
    <p class="toast" onPointerEnter={() => hold(true)} onPointerLeave={() => hold(false)}>
      {sentence}
    </p>
  );
}
