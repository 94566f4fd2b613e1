/** Whether a media type is one of the API's binary ones; patterns may have `*` for the type, the subtype or both. */
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
