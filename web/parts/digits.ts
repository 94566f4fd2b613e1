const isDigit = (code: number): boolean => /\p{Nd}/u.test(String.fromCodePoint(code));

/** Digits of any keyboard, such as １２, ١٢, ۱۲ or ๑๒, as 12. In Unicode, those of a script are side by side, from 0 to 9. */
export const withPlainDigits = (typed: string): string =>
  typed.normalize('NFKC').replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let before = 0;
    while (isDigit(code - before - 1)) before += 1;
    return String(before % 10);
  });

export const digitsOf = (typed: string): string => withPlainDigits(typed).replace(/\D/g, '');

/** The code in what was entered: from a whole mail, the only group of six digits. */
export const codeIn = (entered: string): string => {
  const [code, ...others] = withPlainDigits(entered).match(/(?<!\d)\d{6}(?!\d)/g) ?? [];
  return code && others.length === 0 ? code : digitsOf(entered);
};
