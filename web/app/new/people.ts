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

/** Such as `mailto:`, and `Cc:` in the header of a mail. */
const LABELS = /(^|[\n\t<;,] *)[\p{L}-]+\s?:\s*/gu;

const ADDRESS = /[^\s@()[\]|:/]{1,64}@[^\s@()[\]|:/]*\p{L}/gu;

/**
 * The people in a pasted list, such as `Ann Smith <ann@example.com>, bob@example.com`, or in rows of a spreadsheet. A wrong address
 * is kept, so that the form shows it; entries without one are left out. Empty for any other text.
 */
export function peopleIn(pasted: string): Person[] {
  if (pasted.length > MOST_LENGTH) return [];
  const text = pasted.replaceAll(LABELS, '$1');
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

/**
 * Spreadsheets copy tabs; CSV files have semicolons where numbers have decimal commas. The name is in the columns before the
 * address, or in the one after it. A row's number or a telephone number is no name.
 */
function personInColumns(row: string, separator: '\t' | ';' | ','): Person[] {
  const pattern = new RegExp(`${separator}((?:"[^"]*"|[^"${separator}])*)`, 'g');
  const columns = [...(separator + row).matchAll(pattern)].map(([, column = '']) =>
    column.replaceAll('"', '').trim(),
  );
  const at = columns.findIndex((column) => column.includes('@'));
  const found = columns[at];
  const names = at > 0 ? columns.slice(0, at) : columns.slice(1, 2);
  const name = names.filter((name) => /\p{L}/u.test(name)).join(' ');
  return found ? peopleAmongWords(found, name) : [];
}

/** Such as in a line of a mail's signature. The words beside an address may be anything. */
function peopleAmongWords(text: string, name = ''): Person[] {
  const whole = text.trim();
  const addresses = /\s/.test(whole) && whole.match(ADDRESS);
  return (addresses || [whole]).map((email) => ({ email, name }));
}

/** A comma separates two people, or the parts of a name: `Smith, Ann <ann@example.com>`. */
function peopleBetweenCommas(entry: string): Person[] {
  const people: Person[] = [];
  let names: string[] = [];
  for (const [part] of entry.matchAll(PARTS)) {
    const [, bracketed] = /<([^>]*)>/.exec(part) ?? [];
    if (bracketed !== undefined) {
      const email = bracketed.trim();
      const name = nameOf([...names, part.replace(/<[^>]*>/, '')]);
      // In a mail's signature, `//` begins what `http:` left of a website.
      if (!email.startsWith('//'))
        // Outlook repeats the address of somebody whose name it does not know.
        people.push({ email, name: name.toLowerCase() === email.toLowerCase() ? '' : name });
    } else if (part.includes('@')) people.push(...peopleAmongWords(part));
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
    // Outlook has single quotes around some names.
    .map((part) =>
      part
        .replaceAll('"', '')
        .trim()
        .replace(/^'(.*)'$/, '$1'),
    )
    .filter(Boolean)
    .join(', ');
