import { useEffect, useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { Heading } from '../../parts/heading.tsx';
import { PlusIcon } from '../../parts/icons.tsx';
import { usePage } from '../page.ts';
import { Loading } from '../parts/loading.tsx';
import { LoadProblem } from '../parts/problem.tsx';
import { Repetition } from '../parts/repetition.ts';
import { filterOf, searchOf } from './filter.ts';
import { RequestList } from './request-list.ts';
import { SearchForm } from './search-form.tsx';
import { RequestTable } from './table.tsx';

export function RequestsPage() {
  const { texts } = usePage();
  const { query, url } = useLocation();
  return (
    <div class="wide">
      <div class="page-head">
        <Heading>{texts.list.heading}</Heading>
        <a class="button button-main" href="/app/new">
          <PlusIcon />
          <span>{texts.list.create}</span>
        </a>
      </div>
      <SearchForm />
      <Found key={url} query={query} />
    </div>
  );
}

function Found({ query }: { query: Record<string, string> }) {
  const { service } = usePage();
  const search = searchOf(query);
  const list = useMemo(() => new RequestList(service.requests, filterOf(search)), []);
  useEffect(() => {
    void list.loadMore();
    const repetition = new Repetition(async () => {
      if (await list.refresh()) repetition.restart();
    });
    return () => repetition.stop();
  }, []);

  const isEmpty = list.pages.value.every(({ count }) => count === 0);
  if (list.thrown.value && isEmpty)
    return <LoadProblem thrown={list.thrown.value} again={() => void list.loadMore()} />;
  if (list.next.value === undefined) return <Loading />;
  if (isEmpty) return search.text || search.status ? <NothingFound /> : <FirstSteps />;
  return <RequestTable list={list} />;
}

function NothingFound() {
  const { texts } = usePage();
  return (
    <div class="empty" role="status">
      <p>{texts.list.nothingFound}</p>
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
