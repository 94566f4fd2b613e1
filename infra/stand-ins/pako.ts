import { deflateSync } from 'node:zlib';

/** Stands in for `pako` in the bundles, which compresses where there is no Node to do it. pdf-lib asks for this alone. */
export default { deflate: (bytes: Uint8Array): Uint8Array => new Uint8Array(deflateSync(bytes)) };
