export interface Person {
  email: string;
  name: string;
}

/** As strict as the browser's own check of addresses, which the service's goes beyond. */
export const isAddress = (text: string): boolean =>
  /^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;"]+$/.test(text.trim());

/** Commas inside quotes belong to the name. */
const PARTS = /(?:"[^"]*"|<[^>]*>|[^",;\n<]+)+/g;

/** The people in a pasted list, such as `Ann Smith <ann@example.com>, bob@example.com`. What names no address is left out. */
export function peopleIn(text: string): Person[] {
  return [...text.matchAll(PARTS)].flatMap(([part]) => {
    const [, bracketed] = /<([^>]*)>/.exec(part) ?? [];
    const email = (bracketed ?? part).trim().replace(/^mailto:/i, '');
    const name =
      bracketed === undefined
        ? ''
        : part
            .replace(/<[^>]*>/, '')
            .replaceAll('"', '')
            .trim();
    return isAddress(email) ? [{ email, name }] : [];
  });
}
