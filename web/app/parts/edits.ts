/** The edits that are still to be sent: all but those that were sent as they are now. */
export const withoutSent = <Edits extends object>(edited: Edits, sent: Edits): Partial<Edits> => {
  const known = new Map<string, unknown>(Object.entries(sent));
  const rest = Object.entries(edited).filter(
    ([name, value]) => !known.has(name) || known.get(name) !== value,
  );
  return Object.fromEntries(rest) as Partial<Edits>;
};
