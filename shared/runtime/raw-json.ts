/** Extracts parts of a JSON text verbatim: parsing would round numbers and reorder keys. */

const stringEnd = (json: string, from: number): number => {
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
  if (first === '"') return stringEnd(json, from);
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
    if (found[0] === '"') mark.lastIndex = stringEnd(json, found.index);
    else depth += found[0] === '{' || found[0] === '[' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
}

/** Returns the text of a member of the outermost object in valid JSON; the last one if the name is repeated. */
export function rawMember(json: string, name: string): string | undefined {
  let at = skipSpace(json, json.indexOf('{') + 1);
  let found: string | undefined;
  while (json[at] === '"') {
    const keyEnd = stringEnd(json, at);
    const key: unknown = JSON.parse(json.slice(at, keyEnd));
    const start = skipSpace(json, json.indexOf(':', keyEnd) + 1);
    const stop = valueEnd(json, start);
    if (key === name) found = json.slice(start, stop);
    // Behind the comma or the end of the object.
    at = skipSpace(json, skipSpace(json, stop) + 1);
  }
  return found;
}

/** JSON text of a value of this type. */
export type JsonText<T> = string & { readonly of?: T };

/** Serializes an object that has members with one more, whose value is already JSON text. */
export function withRawMember<T extends object, N extends string>(
  object: T,
  name: N,
  raw: string,
): JsonText<T & Record<N, Record<string, unknown>>> {
  return `${JSON.stringify(object).slice(0, -1)},${JSON.stringify(name)}:${raw}}`;
}
