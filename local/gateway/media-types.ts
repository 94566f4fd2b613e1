/** Matches a media type with the API's binary ones. A pattern may have `*` as type, subtype or both. */
export function isBinary(mediaType: string | null | undefined, patterns: string[]): boolean {
  if (!mediaType) return false;
  const [type, subtype] = (mediaType.split(/[;,]/)[0] ?? '').trim().toLowerCase().split('/');
  return patterns.some((pattern) => {
    const [wantedType, wantedSubtype] = pattern.toLowerCase().split('/');
    return (
      (wantedType === '*' || wantedType === type) && (wantedSubtype === '*' || wantedSubtype === subtype)
    );
  });
}
