/** What a browser may do with an answer of the service (Content-Security-Policy). */

/** What the signing page may do: its own files, its own API, and nothing from anywhere else. */
export const PAGE_POLICY = [
  "default-src 'none'",
  // WebAssembly decodes JPEG 2000 and JBIG2 pictures in PDFs; it runs no more than the page's own scripts can.
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** An answer of the API is data: whoever opens one in a browser gets nothing to run. */
export const API_POLICY = "default-src 'none'; frame-ancestors 'none'";
