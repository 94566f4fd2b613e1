/** Groups of eight digits, easier to compare by eye. */
export function groupedHex(hex: string): string {
  return hex.match(/.{1,8}/g)?.join(' ') ?? '';
}
