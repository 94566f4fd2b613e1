/** The digits of a code that was typed, on a Japanese, Arabic or Persian keyboard too: １２, ١٢, ۱۲ */
export const digitsOf = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) % 16))
    .replace(/\D/g, '');
