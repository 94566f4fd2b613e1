import { isUrl } from '../../../shared/runtime/is-url.ts';

it('an address with something before it is none', () => {
  expect(isUrl('\u200bhttps://a.com')).toBe(false);
  expect(isUrl('https://a.com')).toBe(true);
});
