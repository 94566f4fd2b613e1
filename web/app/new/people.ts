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

/** Such as `mailto:`, and `Cc:` in the header of a mail. */
const LABEL = /^[\p{L}-]+\s?:\s*/u;

const ADDRESS = /[^\s@<>()[\]|,;:"]{1,64}@[^\s@<>()[\]|,;:"]*\p{L}/gu;

/** Two words or more with capital letters. */
const NAME = /^\p{Lu}\S*(?:\s+\p{Lu}\S*)+$/u;

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
  const names = at > 0 ? columns.slice(0, at) : columns.slice(1, 2);
  const named = names.filter((name) => /\p{L}/u.test(name)).join(' ');
  return columns
    .slice(at, at + 1)
    .flatMap(peopleInWords)
    .map(({ email, name }) => ({ email, name: named || name }));
}

/** Such as `Ann Smith (ann@example.com)`, or a line of a mail's signature. */
function peopleInWords(text: string): Person[] {
  const plain = text.trim().replace(LABEL, '');
  const addresses = /\s/.test(plain) && plain.match(ADDRESS);
  if (!addresses) return [{ email: plain, name: '' }];
  const words = plain.split(ADDRESS);
  return addresses.map((email, index) => ({ email, name: nameAtEnd(words[index] ?? '') }));
}

/** Without the number or bullet of a list before it, and the bracket or dash after it. */
function nameAtEnd(words: string): string {
  const name = words.slice(-LIMITS.nameLength).replaceAll(/^[^\p{L}]+|[^\p{L}.]+$/gu, '');
  return NAME.test(name) ? name : '';
}

/** A comma separates two people, or the parts of a name: `Smith, Ann <ann@example.com>`. */
function peopleBetweenCommas(entry: string): Person[] {
  const people: Person[] = [];
  let names: string[] = [];
  for (const [part] of entry.matchAll(PARTS)) {
    const [, bracketed] = /<([^>]*)>/.exec(part) ?? [];
    if (bracketed !== undefined) {
      const email = bracketed.trim().replace(LABEL, '');
      const name = nameOf([...names, part.replace(/<[^>]*>/, '')]).replace(LABEL, '');
      // In a mail's signature, `//` begins what `http:` left of a website.
      if (!email.startsWith('//'))
        // Outlook repeats the address of somebody whose name it does not know.
        people.push({ email, name: name.toLowerCase() === email.toLowerCase() ? '' : name });
    } else if (part.includes('@')) people.push(...peopleInWords(part));
    else {
      names.push(part);
      continue;
    }
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
