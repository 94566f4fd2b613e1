const left = () => {
  throw new Error('The PNG reader of pdf-lib is not part of the bundle; draw pixels by shared/typesetting.');
};

/** Stands in for `@pdf-lib/upng` in the bundles. Drawn signatures are read by `shared/typesetting/png.ts`. */
export default { decode: left, toRGBA8: left };
