import type { PDFContext, PDFRef } from 'pdf-lib';

/**
 * Says that the RGB of a page is sRGB: colours stay what they are in a document whose output is meant for other
 * inks, as PDF/A asks (ISO 19005-2, 6.2.4.3).
 */
export function defineRgb(context: PDFContext): PDFRef {
  const srgb = {
    WhitePoint: [0.9505, 1, 1.089],
    Gamma: [2.2, 2.2, 2.2],
    Matrix: [0.4124, 0.2126, 0.0193, 0.3576, 0.7152, 0.1192, 0.1805, 0.0722, 0.9505],
  };
  return context.register(context.obj({ DefaultRGB: ['CalRGB', srgb] }));
}
