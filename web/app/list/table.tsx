import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { SignatureRequestSummary } from '../../../client/src/types.ts';
import { visible } from '../../../shared/runtime/visible.ts';
import { Button } from '../../parts/button.tsx';
import { formatDay } from '../../parts/format.ts';
import { usePage } from '../page.ts';
import { LoadProblem } from '../parts/problem.tsx';
import { Status } from '../parts/status.tsx';
import { isOpen } from '../statuses.ts';
import type { ListPage } from './pages.ts';
import type { RequestList } from './request-list.ts';

export function RequestTable({ list }: { list: RequestList }) {
  const { texts } = usePage();
  const { columns } = texts.list;
  return (
    <>
      <table class="requests">
        <caption class="visually-hidden">{texts.list.heading}</caption>
        <thead>
          <tr>
            <th scope="col">{columns.title}</th>
            <th scope="col">{columns.status}</th>
            <th scope="col">{columns.signers}</th>
            <th scope="col">{columns.created}</th>
          </tr>
        </thead>
        {list.pages.value.map((page, place) => (
          <Rows key={page.cursor ?? 'first'} page={page} onNear={nearSetter(list, place)} />
        ))}
      </table>
      <More list={list} />
    </>
  );
}

const nearSetter = (list: RequestList, place: number) => (isNear: boolean) => {
  if (isNear) list.near.add(place);
  else list.near.delete(place);
};

interface RowsProps {
  page: ListPage;
  onNear(isNear: boolean): void;
}

/** One page's rows. Far from the screen an empty row of the same height takes their place: ten thousand rows stay light. */
function Rows({ page, onNear }: RowsProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [hiddenHeight, setHiddenHeight] = useState<number | null>(null);
  const isNear = hiddenHeight === null;
  // The same elements are not compared again when another page comes. Those of a page far away are let go.
  const rows = useMemo(
    () => isNear && page.items.map((item) => <Row key={item.id} item={item} />),
    [page.items, isNear],
  );
  useEffect(() => {
    if (!body.current) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return;
        onNear(entry.isIntersecting);
        setHiddenHeight(entry.isIntersecting ? null : entry.boundingClientRect.height);
      },
      { rootMargin: '150% 0px' },
    );
    observer.observe(body.current);
    return () => observer.disconnect();
  }, []);
  return (
    <tbody ref={body}>
      {hiddenHeight === null ? (
        rows
      ) : (
        <tr class="requests-away">
          <td colSpan={4} style={{ height: `${hiddenHeight}px` }} />
        </tr>
      )}
    </tbody>
  );
}

function Row({ item }: { item: SignatureRequestSummary }) {
  const { texts, locale } = usePage();
  return (
    <tr>
      <th scope="row">
        <a href={`/app/requests/${item.id}`} dir="auto">
          {visible(item.title ?? '') || texts.list.untitled}
        </a>
        {item.reference && (
          <span class="small-label">
            <bdi>{visible(item.reference)}</bdi>
          </span>
        )}
      </th>
      <td>
        <Status status={item.status} />
      </td>
      <td class="requests-signers">{texts.list.signers(item.signer_count)}</td>
      <td class="requests-time">
        <time dateTime={item.created_at}>{formatDay(item.created_at, locale)}</time>
        {isOpen(item.status) && (
          <span class="small-label">{texts.list.until(formatDay(item.expires_at, locale))}</span>
        )}
      </td>
    </tr>
  );
}

/** Loads the next page when the end comes near. The button is for those who do not scroll. */
function More({ list }: { list: RequestList }) {
  const { texts } = usePage();
  const end = useRef<HTMLDivElement>(null);
  const { thrown, next, isLoading } = list;
  useEffect(() => {
    if (!end.current) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting && !list.thrown.peek()) void list.loadMore();
      },
      { rootMargin: '100% 0px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
    // A new page may leave the end in view, which is no news to the observer.
  }, [next.value]);
  if (next.value === null) return <p class="list-end">{texts.list.end}</p>;
  return (
    <div ref={end} class="list-end">
      {thrown.value ? (
        <LoadProblem thrown={thrown.value} again={() => void list.loadMore()} />
      ) : (
        <Button busy={isLoading.value} onClick={() => void list.loadMore()}>
          {texts.list.more}
        </Button>
      )}
    </div>
  );
}
