import { useState } from 'preact/hooks';
import { digitsOf } from '../../parts/digits.ts';
import { Form } from '../../parts/form.tsx';
import { usePage } from '../page.tsx';

interface PageNumberProps {
  current: number;
  count: number;
  onChoose(page: number): void;
}

/** The number of the current page. Entering another number jumps to that page. */
export function PageNumber({ current, count, onChoose }: PageNumberProps) {
  const { texts } = usePage();
  const [typed, setTyped] = useState<string | null>(null);
  const go = () => {
    const page = Number(digitsOf(typed ?? ''));
    setTyped(null);
    if (page >= 1) onChoose(Math.min(page, count));
  };
  return (
    <Form class="page-number" onSubmit={go}>
      <input
        type="text"
        inputMode="numeric"
        autocomplete="off"
        maxLength={5}
        aria-label={texts.document.goToPage}
        aria-describedby="page-of"
        value={typed ?? String(current)}
        onFocus={(event) => event.currentTarget.select()}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onBlur={go}
      />
      <span aria-hidden="true">/ {count}</span>
      <span id="page-of" class="visually-hidden">
        {texts.document.page(current, count)}
      </span>
    </Form>
  );
}
