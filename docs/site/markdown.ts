import { posix } from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';
import { escaped } from './escaped.ts';
import { repositoryLink, sitePathOf } from './sources.ts';

/** Markdown of the repository as HTML of the site. */

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .replace(/<[^>]*>/g, '')
    .toLowerCase()
    .replace(/&\w+;|[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'Shell',
  ts: 'TypeScript',
  js: 'JavaScript',
  python: 'Python',
  go: 'Go',
  php: 'PHP',
  json: 'JSON',
  http: 'HTTP',
};

/** A block of code, which a keyboard can scroll. */
export function codeBlock(code: string, language = ''): string {
  const name = LANGUAGES[language];
  const caption = name ? `<figcaption>${name}</figcaption>` : '';
  return `<figure class="code">${caption}<pre tabindex="0"><code>${escaped(code.trimEnd())}</code></pre></figure>\n`;
}

/** The target of a source’s link on the site: a file that is no page is named instead. */
function link(href: string, words: string, source: string): string {
  if (/^(https?:|#|\/)/.test(href)) return `<a href="${escaped(href)}">${words}</a>`;
  const [file = '', anchor] = posix.join(posix.dirname(source), href).split('#');
  const page = sitePathOf(file);
  if (page !== undefined) return `<a href="${page}${anchor ? `#${anchor}` : ''}">${words}</a>`;
  return repositoryLink(file, words);
}

/** The text has no heading of level 1. `source` is the file's path in the repository, which its links are relative to. */
export function markdownHtml(text: string, source: string): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const words = this.parser.parseInline(tokens);
        const id = anchorOf(words);
        return `<h${depth} id="${id}"><a href="#${id}">${words}</a></h${depth}>\n`;
      },
      code: ({ text: code, lang }: Tokens.Code) => codeBlock(code, lang?.split(' ')[0]),
      link({ href, tokens }: Tokens.Link) {
        return link(href, this.parser.parseInline(tokens), source);
      },
      table(token: Tokens.Table) {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          `<tr>${row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        const head = cells(token.header, 'th');
        const rows = token.rows.map((row) => cells(row, 'td')).join('\n');
        return `<div class="table" tabindex="0"><table><thead>${head}</thead><tbody>${rows}</tbody></table></div>\n`;
      },
    },
  });
  return marked.parse(text, { async: false });
}

/** A sentence or two of the contract's words: code and lists, no more. */
export const wordsHtml = (text: string): string => markdownHtml(text, '');
export const inlineHtml = (text: string): string => wordsHtml(text).replace(/^<p>|<\/p>\n?$/g, '');

export interface Block {
  readonly language: string;
  /** The words after the language. */
  readonly info: string;
  readonly code: string;
  /** The heading above it. */
  readonly heading: string;
}

/** The blocks of code of a file, in order. */
export function blocksOf(text: string): Block[] {
  let heading = '';
  const blocks: Block[] = [];
  const walk = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      if (token.type === 'heading') heading = token.text;
      else if (token.type === 'code') blocks.push({ ...languageOf(token.lang), code: token.text, heading });
      else if (token.type === 'list') for (const item of token.items) walk(item.tokens);
    }
  };
  walk(new Marked().lexer(text));
  return blocks;
}

function languageOf(written = ''): Pick<Block, 'language' | 'info'> {
  const [language = '', ...info] = written.split(' ');
  return { language, info: info.join(' ') };
}
