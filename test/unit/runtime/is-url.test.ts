import { isUrl, trimmedUrl } from '../../../shared/runtime/is-url.ts';

it.each([
  ['\u200bhttps://a.com/hook\u200b', 'https://a.com/hook'],
  [' \u2060\ufeffhttps://a.com/ \u200e\n', 'https://a.com/'],
  ['https://a.com/می\u200cخواهم', 'https://a.com/می\u200cخواهم'],
  ['\u200b', ''],
])('%j is copied with characters that cannot be seen, and meant as %j', (copied, meant) => {
  expect(trimmedUrl(copied)).toBe(meant);
});

it('an address with something before it is none', () => {
  expect(isUrl('\u200bhttps://a.com')).toBe(false);
  expect(isUrl('https://a.com')).toBe(true);
});
