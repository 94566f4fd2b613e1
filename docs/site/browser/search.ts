import type { Entry } from '../search-index.ts';
import { found } from './found.ts';

/** The search of the site. The index is fetched when somebody begins to search. */

const element = <E extends HTMLElement>(id: string, kind: new () => E): E => {
  const there = document.getElementById(id);
  if (!(there instanceof kind)) throw new Error(`The page has no ${id}.`);
  return there;
};

const input = element('search-words', HTMLInputElement);
const list = element('search-results', HTMLUListElement);
const count = element('search-count', HTMLElement);

let index: Promise<readonly Entry[]> | undefined;
const loaded = (): Promise<readonly Entry[]> => {
  index ??= fetch('/docs/search.json').then((answer) => answer.json());
  // A failed fetch is tried again with the next letter.
  index.catch(() => {
    index = undefined;
  });
  return index;
};

function linkTo({ to, page, section, text }: Entry): HTMLLIElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = `/docs${to && !to.startsWith('#') ? '/' : ''}${to}`;
  const parts = [
    ['strong', section || page],
    ['span', section ? page : ''],
    ['span', text.slice(0, 90)],
  ] as const;
  for (const [tag, words] of parts) {
    const part = document.createElement(tag);
    part.textContent = words;
    link.append(part);
  }
  item.append(link);
  return item;
}

/** Screen readers read it out always; the eye needs it where there is no list. */
function tell(text: string, isSeen = false): void {
  count.textContent = text;
  count.classList.toggle('visually-hidden', !isSeen);
}

function close(): void {
  list.hidden = true;
  list.replaceChildren();
  tell('');
}

async function search(): Promise<void> {
  const words = input.value;
  if (!words.trim()) return close();
  const results = found(await loaded(), words);
  // Letters typed meanwhile have a search of their own.
  if (input.value !== words) return;
  list.replaceChildren(...results.map(linkTo));
  list.hidden = results.length === 0;
  if (results.length === 0) return tell('No results', true);
  tell(results.length === 1 ? '1 result' : `${results.length} results`);
}

/** The input and the results, in the order that arrow keys walk. */
const stops = (): HTMLElement[] => [input, ...list.querySelectorAll('a')];

function onKey(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === 'Escape') {
    close();
    input.focus();
  } else if (event.key === 'Enter' && event.target === input) {
    list.querySelector('a')?.click();
  } else if (step) {
    const place = stops().findIndex((stop) => stop.matches(':focus'));
    stops()[place + step]?.focus();
    event.preventDefault();
  }
}

function onSlash(event: KeyboardEvent): void {
  const isTyping = event.target instanceof HTMLInputElement;
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  input.focus();
}

const box = element('search', HTMLElement);
box.hidden = false;
box.addEventListener('keydown', onKey);
box.addEventListener('focusout', ({ relatedTarget }) => {
  if (relatedTarget instanceof Node && box.contains(relatedTarget)) return;
  list.hidden = true;
  count.classList.add('visually-hidden');
});
input.addEventListener('focus', () => {
  list.hidden = list.childElementCount === 0;
});
input.addEventListener('input', () => {
  search().catch(() => {
    list.hidden = true;
    tell('The search could not be loaded.', true);
  });
});
list.addEventListener('click', close);
document.addEventListener('keydown', onSlash);
