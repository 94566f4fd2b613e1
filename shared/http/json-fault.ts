/** Longer texts are not searched: that parses them some twenty times. */
const MOST_SEARCHED = 1_000_000;

function messageOf(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

/** The parser's message for a token that begins no value. It is the only one without a position. */
const isWrongToken = (message: string) => message.endsWith('is not valid JSON');

/** Binary search: a prefix of the text fails with a wrong token only if it is long enough to contain it. */
function wrongTokenIn(text: string): number {
  let [from, to] = [0, text.length - 1];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isWrongToken(messageOf(text.slice(0, middle + 1)))) to = middle;
    else from = middle + 1;
  }
  return from;
}

function positionOf(text: string): number | undefined {
  const message = messageOf(text);
  const [, position] = /at position (\d+) \(line \d+ column \d+\)$/.exec(message) ?? [];
  if (position !== undefined) return Number(position);
  if (!isWrongToken(message)) return text.length;
  return text.length > MOST_SEARCHED ? undefined : wrongTokenIn(text);
}

/** Line and column, both from 1, at which a text stops being JSON; undefined if it is too long to be searched. */
export function jsonFault(text: string): { line: number; column: number } | undefined {
  const position = positionOf(text);
  if (position === undefined) return undefined;
  const lines = text.slice(0, position).split(/\r\n|\n|\r/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
