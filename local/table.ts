/** Formats two aligned columns with a rule above and below. */
export function table(rows: [string, string][]): string {
  const left = Math.max(...rows.map(([label]) => label.length));
  const right = Math.max(...rows.map(([, value]) => value.length));
  const rule = '─'.repeat(left + right + 6);
  const lines = rows.map(([label, value]) => `  ${label.padEnd(left)}  ${value}`);
  return [rule, ...lines, rule].join('\n');
}
