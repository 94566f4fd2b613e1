import index from '../../../shared/typesetting/fonts/scripts/index.json' with { type: 'json' };
import { readFamilies } from '../../../shared/typesetting/scripts.ts';

/** The fonts of other scripts and their URLs. Loaded with the first signature that needs one. */
export const FAMILIES = readFamilies(index);

const FOLDER = '../../../shared/typesetting/fonts/scripts/';
const URLS = import.meta.glob<string>('../../../shared/typesetting/fonts/scripts/*.woff', {
  eager: true,
  query: '?url',
  import: 'default',
});

const added = new Set<string>();

/** The font family of a file. The browser fetches the file once text is shown in it. */
export function fontFamily(file: string): string {
  const family = `Signature ${file}`;
  const url = URLS[FOLDER + file];
  if (url !== undefined && !added.has(file)) document.fonts.add(new FontFace(family, `url("${url}")`));
  added.add(file);
  return family;
}
