import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PageTexts } from '../../../shared/texts/en/service.ts';
import { Changing } from '../../parts/changing.tsx';
import { Form } from '../../parts/form.tsx';
import { CloseIcon, DownIcon, UpIcon } from '../../parts/icons.tsx';
import type { OpenPdf } from '../../parts/pdf.ts';
import { usePage } from '../page.tsx';
import { type Match, searchPages, searchPattern } from './search.ts';

interface FinderProps {
  pdf: OpenPdf;
  onMatches(matches: readonly Match[]): void;
  onMatch(match: Match | null): void;
  onClose(): void;
}

type Matches = readonly Match[] | 'searching' | 'failed' | null;

/** The search through the whole document. Enter goes to the next match, Escape closes. */
export function Finder({ pdf, onMatches, onMatch, onClose }: FinderProps) {
  const { texts } = usePage();
  const [query, setQuery] = useState('');
  const [matches, setMatches] = useState<Matches>(null);
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);

  useEffect(() => {
    const show = (outcome: Matches) => {
      const found = Array.isArray(outcome) ? outcome : [];
      setMatches(outcome);
      onMatches(found);
      setAt(0);
      onMatch(found[0] ?? null);
    };
    const pattern = searchPattern(query);
    if (!pattern) return show(null);
    let isCurrent = true;
    setMatches('searching');
    searchPages(pdf.pageCount, pdf.text, pattern, () => isCurrent).then(
      (found) => found && show(found),
      () => isCurrent && show('failed'),
    );
    return () => {
      isCurrent = false;
    };
  }, [query, pdf]);

  const isDone = Array.isArray(matches);
  const count = isDone ? matches.length : 0;
  const go = (step: number) => {
    if (!isDone || count === 0) return;
    const next = (at + step + count) % count;
    setAt(next);
    onMatch(matches[next] ?? null);
  };
  return (
    <search class="finder">
      <Form
        onSubmit={() => go(1)}
        // During composition with an input method, Escape only cancels the composition.
        onKeyDown={(event) => event.key === 'Escape' && !event.isComposing && onClose()}
      >
        <input
          ref={input}
          type="search"
          class="finder-words"
          aria-label={texts.document.search}
          placeholder={texts.document.search}
          autocomplete="off"
          maxLength={200}
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
        <output class={matches === 'failed' ? 'finder-failed' : 'visually-hidden'}>
          <Changing>{outcome(matches, at, texts)}</Changing>
        </output>
        <span class="finder-found" aria-hidden="true">
          <Changing>{isDone && `${count && at + 1} / ${count}`}</Changing>
        </span>
        <button
          type="button"
          class="tool"
          aria-label={texts.document.previousMatch}
          disabled={count === 0}
          onClick={() => go(-1)}
        >
          <UpIcon />
        </button>
        <button
          type="button"
          class="tool"
          aria-label={texts.document.nextMatch}
          disabled={count === 0}
          onClick={() => go(1)}
        >
          <DownIcon />
        </button>
        <button type="button" class="tool" aria-label={texts.document.closeSearch} onClick={onClose}>
          <CloseIcon />
        </button>
      </Form>
    </search>
  );
}

function outcome(matches: Matches, at: number, texts: PageTexts): string {
  if (matches === null) return '';
  if (matches === 'failed') return texts.document.searchFailed;
  if (matches === 'searching') return texts.document.searching;
  const match = matches[at];
  return match ? texts.document.found(at + 1, matches.length, match.page) : texts.document.notFound;
}
