/** Eight digits at a time, as one compares them by eye. */
export function groupedHex(hex: string): string {
  return hex.match(/.{1,8}/g)?.join(' ') ?? '';
}
