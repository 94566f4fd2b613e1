/** Red, green and blue from 0 to 255. */
type Colour = readonly [red: number, green: number, blue: number];

/** Reads `#rrggbb`. */
export function parseColour(text: string): Colour | undefined {
  if (!/^#[0-9a-f]{6}$/i.test(text)) return undefined;
  const rgb = Number.parseInt(text.slice(1), 16);
  return [rgb >> 16, (rgb >> 8) & 0xff, rgb & 0xff];
}

const linear = (channel: number) => {
  const part = channel / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
};

const luminance = ([red, green, blue]: Colour) =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);

/** The contrast of two colours by WCAG: 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}
