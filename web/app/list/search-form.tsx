import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { LIMITS } from '../../../shared/contract/limits.ts';
import { AS_TYPED } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { isAddress } from '../new/people.ts';
import { usePage } from '../page.ts';
import { REQUEST_STATUSES } from '../statuses.ts';
import { addressOf, SEARCHES, type Search, type SearchBy, searchOf } from './filter.ts';

/** Long enough to type a word. */
const TYPING_MS = 350;

export function SearchForm() {
  const { texts } = usePage();
  const { query, route } = useLocation();
  const [search, setSearch] = useState<Search>(() => searchOf(query));
  // Search only for a complete address. Otherwise the previous result would look like its result.
  const isReady = search.by !== 'signer_email' || search.text === '' || isAddress(search.text);
  const address = addressOf(isReady ? search : { ...search, text: '' });
  const shown = addressOf(searchOf(query));
  const routed = useRef(shown);
  const find = () => {
    // Enter has found it already. Another entry in its place would lose the list's, to which the back button leads.
    if (address === routed.current) return;
    routed.current = address;
    route(address, true);
  };
  useEffect(() => {
    if (address === shown) return;
    const timer = setTimeout(find, TYPING_MS);
    return () => clearTimeout(timer);
  }, [address]);
  useEffect(() => {
    // The form itself has set this URL.
    if (shown === routed.current) return;
    // A link to the whole list or the back button has set it.
    routed.current = shown;
    setSearch(searchOf(query));
  }, [shown]);
  return (
    <search>
      <Form class="search" onSubmit={find}>
        <label class="search-by field">
          <span class="visually-hidden">{texts.list.searchBy}</span>
          <select
            value={search.by}
            onChange={(event) => setSearch({ ...search, by: event.currentTarget.value as SearchBy })}
          >
            {SEARCHES.map((by) => (
              <option key={by} value={by}>
                {texts.list.searches[by]}
              </option>
            ))}
          </select>
        </label>
        <label class="search-text field">
          <span class="visually-hidden">{texts.list.search}</span>
          <input
            id="search"
            {...AS_TYPED}
            type="search"
            autocapitalize="none"
            placeholder={texts.list.search}
            maxLength={search.by === 'signer_email' ? LIMITS.emailLength : LIMITS.titleLength}
            value={search.text}
            dir="auto"
            onInput={(event) => setSearch({ ...search, text: event.currentTarget.value })}
          />
        </label>
        <label class="search-status field">
          <span class="visually-hidden">{texts.list.status}</span>
          <select
            value={search.status ?? ''}
            onChange={(event) =>
              setSearch({
                ...search,
                status: REQUEST_STATUSES.find((status) => status === event.currentTarget.value),
              })
            }
          >
            <option value="">{texts.list.allStatuses}</option>
            {REQUEST_STATUSES.map((status) => (
              <option key={status} value={status}>
                {texts.statuses[status]}
              </option>
            ))}
          </select>
        </label>
      </Form>
      <p class="hint" role="status">
        {!isReady && <span>{texts.list.wholeAddress}</span>}
      </p>
    </search>
  );
}
