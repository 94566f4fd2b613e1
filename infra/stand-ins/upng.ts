const notBundled = () => {
  throw new Error('The PNG reader of pdf-lib is not part of the bundle; draw pixels by shared/typesetting.');
};

/** Replaces `@pdf-lib/upng` in the bundles. `shared/typesetting/png.ts` reads drawn signatures instead. */
export default { decode: notBundled, toRGBA8: notBundled };
