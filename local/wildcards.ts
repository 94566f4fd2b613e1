const compiled = new Map<string, RegExp>();

/** `*` matches any text, `?` one character. */
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
