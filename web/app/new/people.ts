import { LIMITS } from '../../../shared/contract/limits.ts';
import { withoutUnseen } from '../../../shared/runtime/visible.ts';

export interface Person {
  email: string;
  name: string;
}

/** Stricter than the browser's check. The service checks more. */
export function isAddress(text: string): boolean {
  const address = withoutUnseen(text);
  return (
    address.length <= LIMITS.emailLength &&
    /^[^\s@<>,;:"]+@(?:[^\s@<>,;:".]+\.)+[^\s@<>,;:".]{2,}$/.test(address)
  );
}

/** Patterns take too long over whole files, or fail. Twenty people fit many times. */
const MOST_LENGTH = 50_000;

/** Quotes and brackets hold no separators. */
const ENTRIES = /(?:"[^"]*"|<[^>]*>|[^";\n<])+/g;
const PARTS = /(?:"[^"]*"|<[^>]*>|[^",<])+/g;

/** Columns by separator. Spreadsheets copy tabs; CSV files have semicolons where numbers have decimal commas. */
const COLUMNS = {
  '\t': /\t([^\t]*)/g,
  ';': /;((?:"[^"]*"|[^";])*)/g,
  ',': /,((?:"[^"]*"|[^",])*)/g,
};

/**
 * The people in a pasted list, such as `Ann Smith <ann@example.com>, bob@example.com`, or in rows of a spreadsheet. A wrong address
 * is kept, so that the form shows it; entries without one are left out. Empty for any other text.
 */
export function peopleIn(text: string): Person[] {
  if (text.length > MOST_LENGTH) return [];
  const rows = rowsOf(text);
  const people = rows
    ? rows.flatMap((row) => personInColumns(row, separatorOf(text)))
    : [...text.matchAll(ENTRIES)].flatMap(([entry]) =>
        entry.includes('\t') ? personInColumns(entry, '\t') : peopleBetweenCommas(entry),
      );
  return people.some(({ email }) => isAddress(email)) ? people : [];
}

/** The lines of a table: several, each with at most one plain address. */
function rowsOf(text: string): string[] | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const isTable = lines.length > 1 && lines.every((line) => line.split('@').length <= 2);
  return isTable && !/[\t<]/.test(text) ? lines : null;
}

const separatorOf = (text: string) => (text.replaceAll(/"[^"]*"/g, '').includes(';') ? ';' : ',');

/** The name is in the columns before the address, or in the one after it. A row's number or a telephone number is no name. */
function personInColumns(row: string, separator: keyof typeof COLUMNS): Person[] {
  const columns = [...(separator + row).matchAll(COLUMNS[separator])].map(([, column = '']) =>
    column.replaceAll('"', '').trim(),
  );
  const at = columns.findIndex((column) => column.includes('@'));
  const email = columns[at];
  if (email === undefined) return [];
  const names = at > 0 ? columns.slice(0, at) : columns.slice(1, 2);
  return [{ email, name: names.filter((name) => /\p{L}/u.test(name)).join(' ') }];
}

/** A comma separates two people, or the parts of a name: `Smith, Ann <ann@example.com>`. */
function peopleBetweenCommas(entry: string): Person[] {
  const people: Person[] = [];
  let names: string[] = [];
  for (const [part] of entry.matchAll(PARTS)) {
    const [, bracketed] = /<([^>]*)>/.exec(part) ?? [];
    const email = (bracketed ?? part).trim().replace(/^mailto:/i, '');
    const isPlain = bracketed === undefined;
    if (isPlain && !email.includes('@')) {
      names.push(part);
      continue;
    }
    const name = isPlain ? '' : nameOf([...names, part.replace(/<[^>]*>/, '')]);
    // Outlook repeats the address of somebody whose name it does not know.
    people.push({ email, name: name.toLowerCase() === email.toLowerCase() ? '' : name });
    names = [];
  }
  return people;
}

const nameOf = (parts: readonly string[]): string =>
  parts
    .map((part) => part.replaceAll('"', '').trim())
    // Outlook quotes some names like this.
    .map((part) => part.replace(/^'(.*)'$/, '$1'))
    .filter(Boolean)
    .join(', ');
