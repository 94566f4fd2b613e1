import { Component, type RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SignatureRequestSummary } from '../../../client/src/types.ts';
import { visible } from '../../../shared/runtime/visible.ts';
import { formatDay } from '../../parts/format.ts';
import { Spinner } from '../../parts/spinner.tsx';
import { watchView } from '../../parts/watch-view.ts';
import { usePage } from '../page.ts';
import { MoreButton } from '../parts/more-button.tsx';
import { LoadProblem } from '../parts/problem.tsx';
import { Status } from '../parts/status.tsx';
import { isOpen, shownStatus } from '../statuses.ts';
import type { ListPage, RequestList } from './request-list.ts';

const HEAD_ROWS = 1;
const COLUMNS = ['title', 'status', 'signers', 'created'] as const;
export function RequestTable({ list }: { list: RequestList }) {
  const { texts } = usePage();
  const columns = {
    title: texts.create.title,
    status: texts.list.status,
    signers: texts.create.signers,
    created: texts.created,
  };
  const pages = list.pages.value;
  let rows = HEAD_ROWS;
  const firstRows = pages.map(({ count }) => {
    const first = rows + 1;
    rows += count;
    return first;
  });
  return (
    <>
      <table class="requests" aria-rowcount={list.next.value === null ? rows : -1}>
        <caption class="visually-hidden">{texts.nav.requests}</caption>
        <thead>
          <tr aria-rowindex={HEAD_ROWS}>
            {COLUMNS.map((column) => (
              <th key={column} scope="col" class={`requests-${column}`}>
                {columns[column]}
              </th>
            ))}
          </tr>
        </thead>
        {pages.map((page, place) => (
          <PageBody
            key={place}
            page={page}
            firstRow={firstRows[place] ?? 0}
            onNear={(isNear) => list.setNear(place, isNear)}
          />
        ))}
      </table>
      <More list={list} />
    </>
  );
}

interface PageBodyProps {
  page: ListPage;
  firstRow: number;
  onNear(isNear: boolean): void;
}

/** The rows of one page. Far from the screen, one empty row of the same height replaces them, to keep long lists light. */
function PageBody({ page, firstRow, onNear }: PageBodyProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const { isNear, height } = useNearness(body, onNear);
  return (
    <tbody ref={body}>
      {isNear && page.items ? (
        <Rows items={page.items} firstRow={firstRow} />
      ) : (
        <tr class="requests-away" aria-rowindex={firstRow}>
          <td colSpan={COLUMNS.length} style={{ height: `${height}px` }}>
            {isNear && <Spinner />}
          </td>
        </tr>
      )}
    </tbody>
  );
}

/** Whether an element is near the screen, and its last height. Not inlined: the observer would keep every row in memory. */
function useNearness(element: RefObject<HTMLElement | null>, onChange: (isNear: boolean) => void) {
  const [nearness, setNearness] = useState({ isNear: true, height: 0 });
  useEffect(() => {
    if (!element.current) return;
    return watchView(element.current, '150% 0px', (isNear, { height }) => {
      onChange(isNear);
      setNearness({ isNear, height });
    });
  }, []);
  return nearness;
}

interface RowsProps {
  items: readonly SignatureRequestSummary[];
  firstRow: number;
}

/** Skips rendering for rows that have not changed. Not a memo, which would hold the rows of pages that are away from the screen. */
class Rows extends Component<RowsProps> {
  override shouldComponentUpdate({ items, firstRow }: RowsProps) {
    return items !== this.props.items || firstRow !== this.props.firstRow;
  }

  override render({ items, firstRow }: RowsProps) {
    return items.map((item, place) => <Row key={item.id} item={item} index={firstRow + place} />);
  }
}

function Row({ item, index }: { item: SignatureRequestSummary; index: number }) {
  const { texts, locale } = usePage();
  return (
    <tr aria-rowindex={index}>
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
        <Status status={shownStatus(item)} />
      </td>
      <td class="requests-signers">{texts.list.signers(item.signer_count)}</td>
      <td class="requests-created">
        <time dateTime={item.created_at}>{formatDay(item.created_at, locale)}</time>
        {isOpen(shownStatus(item)) && (
          <span class="small-label">{texts.list.until(formatDay(item.expires_at, locale))}</span>
        )}
      </td>
    </tr>
  );
}

/** Loads the next page when the end comes near. The button serves users who do not scroll. */
function More({ list }: { list: RequestList }) {
  const { texts } = usePage();
  const end = useRef<HTMLDivElement>(null);
  const { thrown, next, isLoading } = list;
  useEffect(() => {
    if (!end.current) return;
    return watchView(end.current, '100% 0px', (isNear) => {
      if (isNear && !list.thrown.peek()) void list.loadMore();
    });
    // If a new page leaves the end in view, the observer does not fire by itself.
  }, [next.value]);
  const loadMore = () => list.loadMore();
  return (
    <div ref={end} class="list-end" tabIndex={-1}>
      {next.value === null && <p>{texts.list.end}</p>}
      {next.value !== null && thrown.value !== null && <LoadProblem thrown={thrown.value} again={loadMore} />}
      {next.value !== null && thrown.value === null && (
        <MoreButton isBusy={isLoading.value} onClick={() => void loadMore()} />
      )}
    </div>
  );
}
