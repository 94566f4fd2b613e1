/** The Content-Security-Policy of each kind of response. */

/** Every page takes scripts, styles and images from its own origin; `more` says what else. */
const pagePolicy = (scripts: string, ...more: string[]): string =>
  [
    "default-src 'none'",
    `script-src ${scripts}`,
    "style-src 'self'",
    "img-src 'self'",
    ...more,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The signing page uses only its own files and its own API. */
export const PAGE_POLICY = pagePolicy(
  // WebAssembly decodes JPEG 2000 and JBIG2 images in PDFs. It can do no more than the page's own scripts.
  "'self' 'wasm-unsafe-eval'",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
);

/** The verify page sends nothing anywhere: the browser itself refuses every connection. */
export const VERIFY_POLICY = pagePolicy("'self'", "connect-src 'none'", "worker-src 'self'");

/**
 * The dashboard is like the signing page; its preview of a brand shows a logo that is not stored yet, and it sends large
 * documents straight to the address of a bucket.
 */
export const appPolicy = (uploadAddress: string): string =>
  PAGE_POLICY.replace("img-src 'self'", "img-src 'self' blob:").replace(
    "connect-src 'self'",
    `connect-src 'self' ${uploadAddress}`,
  );

/** The documentation is read without scripts; its search fetches an index from the same origin. */
export const DOCS_POLICY = pagePolicy("'self'", "connect-src 'self'");

/** API responses are data: a browser that opens one must run nothing. */
export const API_POLICY = "default-src 'none'; frame-ancestors 'none'";
