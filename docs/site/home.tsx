import { LIMITS } from '../../shared/contract/limits.ts';
import type { MenuGroup } from './page.ts';

/** The first page: where to begin, and the list of all pages. */
export const HomePage = ({ groups }: { groups: readonly MenuGroup[] }) => (
  <>
    <p class="lead">
      Send a PDF to 1 to {LIMITS.signers} people, follow who signs it, and fetch the sealed document. Signers
      get a mail with a link and a one-time code; your system gets an API, webhooks and proof.
    </p>
    <p class="doors">
      <a class="button button-main" href="/docs/quick-start">
        Quick start
      </a>
      <a class="button" href="/docs/reference">
        All calls
      </a>
    </p>
    {groups.map(({ title, pages }) => {
      const listed = pages.filter(({ path }) => path !== '');
      const id = title.toLowerCase();
      return (
        <section>
          <h2 id={id}>
            <a href={`#${id}`}>{title}</a>
          </h2>
          <ul class="cards">
            {listed.map(({ path, title: name, summary }) => (
              <li>
                <a href={`/docs/${path}`}>{name}</a>
                <p>{summary}</p>
              </li>
            ))}
          </ul>
        </section>
      );
    })}
  </>
);
