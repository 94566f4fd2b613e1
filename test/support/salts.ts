/** Salts for tests: each call of the result gives another one. */
export function countedSalts(first = 0): () => string {
  let n = first;
  return () => {
    n += 1;
    return `salt-${n}`;
  };
}
