/**
 * Stands in for `@pdf-lib/standard-fonts` in the bundles: metrics of fonts that a PDF leaves to its reader. Ours
 * are embedded, so pdf-lib never asks for one.
 */
export const FontNames = {};
export const Encodings = {};
export const Font = {
  load: () => {
    throw new Error('The standard fonts are not part of the bundle; embed one.');
  },
};
