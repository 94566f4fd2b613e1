/**
 * Replaces `@pdf-lib/standard-fonts` in the bundles: metrics of fonts that a PDF does not embed. All fonts here are
 * embedded, so pdf-lib never uses them.
 */
export const FontNames = {};
export const Encodings = {};
export const Font = {
  load: () => {
    throw new Error('The standard fonts are not part of the bundle; embed one.');
  },
};
