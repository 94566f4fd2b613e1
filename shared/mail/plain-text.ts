import { wholeStart } from '../runtime/graphemes.ts';
import { withoutIsolates } from '../runtime/isolates.ts';
import type { Layout, Part } from './parts.ts';

const QUOTE_WIDTH = 72;

/** Wraps a line between words, and inside a word that is too long. */
function wrap(line: string, width: number): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > 0 ? space : wholeStart(rest, width).length;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

/** Marks every line, so that the sender's text cannot pass for the service's. */
const quoted = (text: string) =>
  text
    .split('\n')
    .flatMap((line) => wrap(line, QUOTE_WIDTH))
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');

function write(part: Part, colon: string): string {
  switch (part.kind) {
    case 'quotation':
      return `${part.label}${colon}\n${quoted(part.text)}`;
    case 'code':
      return `${part.label}${colon} ${part.code}\n${part.notes.join('\n')}`;
    case 'link':
      return `${part.label}${colon}\n${part.url}`;
    default:
      return part.text;
  }
}

export const plainText = ({ parts, colon, links }: Layout): string => {
  const sections = parts.map((part) => write(part, colon));
  const foot = links.map(({ label, url }) => `${label}${colon} ${url}`).join('\n');
  // Characters that nobody sees could also hide something in a plain text.
  return withoutIsolates(`${[...sections, ...(foot ? [foot] : [])].join('\n\n')}\n`);
};
