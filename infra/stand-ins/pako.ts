import { deflateSync } from 'node:zlib';

/** Replaces `pako` in the bundles by Node's own zlib. pdf-lib uses only `deflate`. */
export default { deflate: (bytes: Uint8Array): Uint8Array => new Uint8Array(deflateSync(bytes)) };
