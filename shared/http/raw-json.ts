/** Finds and gives back parts of a JSON text to the letter: parsing would round numbers and reorder keys. */

const end = (json: string, from: number): number => {
  let quote = json.indexOf('"', from + 1);
  for (;;) {
    let slashes = 0;
    while (json[quote - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
    quote = json.indexOf('"', quote + 1);
  }
};

const skipSpace = (json: string, from: number): number => {
  let at = from;
  while (' \t\n\r'.includes(json[at] ?? '.')) at += 1;
  return at;
};

function valueEnd(json: string, from: number): number {
  const first = json[from];
  if (first === '"') return end(json, from);
  if (first !== '{' && first !== '[') {
    const stop = /[,}\]\s]/g;
    stop.lastIndex = from;
    return stop.exec(json)?.index ?? json.length;
  }
  const mark = /["{}[\]]/g;
  mark.lastIndex = from;
  for (let depth = 0; ; ) {
    const found = mark.exec(json);
    if (!found) return json.length;
    if (found[0] === '"') mark.lastIndex = end(json, found.index);
    else depth += found[0] === '{' || found[0] === '[' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
}

/** The text of a member of the outermost object, in JSON that is known to be valid; the last one where it stands twice. */
export function rawMember(json: string, name: string): string | undefined {
  let at = skipSpace(json, json.indexOf('{') + 1);
  let found: string | undefined;
  while (json[at] === '"') {
    const keyEnd = end(json, at);
    const key: unknown = JSON.parse(json.slice(at, keyEnd));
    const start = skipSpace(json, json.indexOf(':', keyEnd) + 1);
    const stop = valueEnd(json, start);
    if (key === name) found = json.slice(start, stop);
    at = skipSpace(json, stop);
    if (json[at] === ',') at = skipSpace(json, at + 1);
  }
  return found;
}

/** JSON of an object with one more member whose value is JSON text already. */
export function withRawMember(object: object, name: string, raw: string): string {
  const json = JSON.stringify(object);
  return `${json.slice(0, -1)}${json === '{}' ? '' : ','}${JSON.stringify(name)}:${raw}}`;
}
