import { useEffect, useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { Changing } from '../../parts/changing.tsx';
import { useFocusFallback } from '../../parts/focus-fallback.ts';
import { Heading } from '../../parts/heading.tsx';
import { PlusIcon } from '../../parts/icons.tsx';
import { usePage } from '../page.ts';
import { Loading } from '../parts/loading.tsx';
import { LoadProblem } from '../parts/problem.tsx';
import { repeat } from '../parts/repetition.ts';
import { shownStatus } from '../statuses.ts';
import { filterOf, type Search, searchOf } from './filter.ts';
import { RequestList } from './request-list.ts';
import { SearchForm } from './search-form.tsx';
import { RequestTable } from './table.tsx';

export function RequestsPage() {
  const { texts } = usePage();
  const { query, url } = useLocation();
  const [found, announce] = useState('');
  return (
    <div class="wide stack-wide">
      <div class="page-head">
        <Heading>{texts.nav.requests}</Heading>
        <a class="button button-main" href="/app/new">
          <PlusIcon />
          <span>{texts.nav.create}</span>
        </a>
      </div>
      <SearchForm />
      <p class="visually-hidden" role="status">
        {found && <Changing>{found}</Changing>}
      </p>
      <Found key={url} query={query} announce={announce} />
    </div>
  );
}

/** The list that was left last, and for which page. The back button returns to the row of that request. */
let left: { place: string; list: RequestList; path: string } | undefined;

/** Identifies the history entry, together with the owner and mode of its list. */
function placeIn(scope: string): string {
  const entry: string = history.state?.entry ?? crypto.randomUUID();
  history.replaceState({ entry }, '');
  return `${entry} ${scope}`;
}

const rowOf = (path: string) => document.querySelector<HTMLElement>(`tbody a[href="${path}"]`);

interface FoundProps {
  query: Record<string, string>;
  announce(sentence: string): void;
}

function Found({ query, announce }: FoundProps) {
  const { session, service, texts } = usePage();
  const search = searchOf(query);
  const isSearch = Boolean(search.text || search.status);
  const { place, back } = useMemo(() => {
    const place = placeIn(session.scope.peek());
    return { place, back: left?.place === place ? left : null };
  }, []);
  const list = useMemo(() => back?.list ?? new RequestList(service.requests, filterOf(search)), []);
  useEffect(() => {
    // New requests are on the first page.
    list.setNear(0, true);
    void list.refresh();
    // A new page first moves the focus to its heading.
    if (back) requestAnimationFrame(() => rowOf(back.path)?.focus());
    const repetition = repeat(async () => {
      if (await list.refresh()) repetition.restart();
    });
    return () => {
      repetition.stop();
      left = { place, list, path: location.pathname };
    };
  }, []);

  const isEmpty = list.isEmpty.value;
  useEffect(() => {
    // Only the first page with any: pages that load later say nothing new about the search.
    const first = list.pages.peek().find(({ count }) => count > 0);
    const { found, nothingFound } = texts.list;
    const outcome = first ? found(first.count, list.next.peek() !== null) : nothingFound;
    announce(isSearch && isEmpty !== null ? outcome : '');
  }, [isEmpty]);

  if (list.thrown.value && isEmpty !== false)
    return <LoadProblem thrown={list.thrown.value} again={() => list.loadMore()} />;
  if (list.next.value === undefined) return <Loading />;
  if (isEmpty && !isSearch) return <FirstSteps />;
  return (
    <>
      {hasLateExpiry(search, list) && <p class="hint">{texts.list.expiredLate}</p>}
      {isEmpty ? <NothingFound /> : <RequestTable list={list} />}
    </>
  );
}

/** The service filters by the stored status, but a row shows `expired` as soon as the deadline has passed. */
const hasLateExpiry = ({ status }: Search, { pages }: RequestList) =>
  status === 'expired' ||
  (status !== undefined &&
    pages.value.some(({ items }) => items?.some((item) => shownStatus(item) !== status)));

function NothingFound() {
  const { texts } = usePage();
  const notice = useFocusFallback<HTMLDivElement>();
  return (
    <div ref={notice} class="empty">
      {/* The live region above announces it to screen readers. */}
      <p aria-hidden="true">{texts.list.nothingFound}</p>
      <p>
        <a href="/app">{texts.list.showAll}</a>
      </p>
    </div>
  );
}

function FirstSteps() {
  const { session, texts } = usePage();
  const isTest = session.mode.value === 'test';
  return (
    <section class="empty">
      <h2>{isTest ? texts.list.emptyTest : texts.list.empty}</h2>
      <ol class="steps">
        {texts.list.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p>
        <a class="button button-main" href="/app/new">
          {texts.list.first}
        </a>
      </p>
      {!isTest && <p class="hint">{texts.list.tryTest}</p>}
    </section>
  );
}
