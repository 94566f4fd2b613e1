/** Digits of a Japanese, Arabic or Persian keyboard, １２, ١٢ or ۱۲, as 12. */
export const withPlainDigits = (typed: string): string =>
  typed.normalize('NFKC').replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) % 16));

/** The digits of a code or page number that was typed. */
export const digitsOf = (typed: string): string => withPlainDigits(typed).replace(/\D/g, '');
