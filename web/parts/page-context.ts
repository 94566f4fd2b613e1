import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** Context that every component of a page can read. */
export function pageContext<Page>() {
  const PageContext = createContext<Page | null>(null);
  const usePage = (): Page => {
    const page = useContext(PageContext);
    if (!page) throw new Error('usePage needs a PageContext.');
    return page;
  };
  return { PageContext, usePage };
}
