export interface Person {
  email: string;
  name: string;
}

/** As strict as the browser's own check of addresses, which the service's goes beyond. */
export const isAddress = (text: string): boolean =>
  /^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;"]+$/.test(text.trim());

/** Quotes and brackets hold no separators. */
const ENTRIES = /(?:"[^"]*"|<[^>]*>|[^";\n<])+/g;
const PARTS = /(?:"[^"]*"|<[^>]*>|[^",<])+/g;

/**
 * The people in a pasted list, such as `Ann Smith <ann@example.com>, bob@example.com`, or in rows of a spreadsheet. An address with
 * a mistake is kept, for the form to tell; what names no address is left out.
 */
export function peopleIn(text: string): Person[] {
  const people = [...text.matchAll(ENTRIES)].flatMap(([entry]) =>
    entry.includes('\t') ? personInColumns(entry) : peopleBetweenCommas(entry),
  );
  return people.some(({ email }) => isAddress(email)) ? people : [];
}

/** The name stands in the columns before the address, first and last name apart, or in the one after it. */
function personInColumns(row: string): Person[] {
  const columns = row.split('\t').map((column) => column.replaceAll('"', '').trim());
  const at = columns.findIndex((column) => column.includes('@'));
  const email = columns[at];
  if (email === undefined) return [];
  const names = at > 0 ? columns.slice(0, at) : columns.slice(1, 2);
  return [{ email, name: names.filter(Boolean).join(' ') }];
}

/** A comma parts two people, or the parts of a name before its address: `Smith, Ann <ann@example.com>`. */
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
    people.push({ email, name });
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
