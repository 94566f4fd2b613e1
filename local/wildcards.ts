const compiled = new Map<string, RegExp>();

/** Whether a text fits a pattern in which `*` stands for any text and `?` for one character. */
export function matchesWildcards(pattern: string, text: string): boolean {
  const known = compiled.get(pattern);
  if (known) return known.test(text);
  const escaped = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const expression = new RegExp(`^${escaped}$`, 's');
  compiled.set(pattern, expression);
  return expression.test(text);
}
