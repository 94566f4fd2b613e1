export interface Person {
  email: string;
  name: string;
}

/** As strict as the browser's own check of addresses, which the service's goes beyond. */
export const isAddress = (text: string): boolean =>
  /^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;"]+$/.test(text.trim());

/** What is in quotes or brackets holds no separators. */
const ENTRIES = /(?:"[^"]*"|<[^>]*>|[^";\n<])+/g;
const PARTS = /(?:"[^"]*"|<[^>]*>|[^",<])+/g;

/** The people in a pasted list, such as `Ann Smith <ann@example.com>, bob@example.com`. What names no address is left out. */
export const peopleIn = (text: string): Person[] =>
  [...text.matchAll(ENTRIES)].flatMap(([entry]) => peopleBetweenCommas(entry));

/** A comma parts two people, or the parts of a name before its address: `Smith, Ann <ann@example.com>`. */
function peopleBetweenCommas(entry: string): Person[] {
  const people: Person[] = [];
  let names: string[] = [];
  for (const [part] of entry.matchAll(PARTS)) {
    const [, bracketed] = /<([^>]*)>/.exec(part) ?? [];
    const email = (bracketed ?? part).trim().replace(/^mailto:/i, '');
    const isPlain = bracketed === undefined;
    if (isPlain && !isAddress(email)) {
      names.push(part);
      continue;
    }
    const name = isPlain ? '' : nameOf([...names, part.replace(/<[^>]*>/, '')]);
    if (isAddress(email)) people.push({ email, name });
    names = [];
  }
  return people;
}

const nameOf = (parts: readonly string[]): string =>
  parts
    .map((part) => part.replaceAll('"', '').trim())
    .filter(Boolean)
    .join(', ');
