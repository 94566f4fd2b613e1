/** Compares a file's hash with one that a person has. */
export function compareHash(text: string, sha256: string): 'nothing' | 'same' | 'different' | 'invalid' {
  const hash = hashIn(text);
  if (hash === '') return 'nothing';
  if (hash === sha256) return 'same';
  return /^[\da-f]{64}$/.test(hash) ? 'different' : 'invalid';
}

/** Accepts hashes with spaces, colons, capital letters, the algorithm's name, or a path as tools print it. */
function hashIn(text: string): string {
  const lower = text.toLowerCase();
  const [whole] = /\b[\da-f]{64}\b/.exec(lower) ?? [];
  return whole ?? lower.replace(/^\s*sha-?256\b/, '').replaceAll(/[\s:]/g, '');
}
