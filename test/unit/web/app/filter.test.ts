import { filterOf } from '../../../../web/app/list/filter.ts';

const found = (by: 'reference' | 'signer_email' | 'title_prefix', text: string) =>
  filterOf({ by, text, status: undefined });

it.each([
  ['an invisible character of a web page', '\u200b2026/\u200b117', '2026/117'],
  ['the byte order mark of a file', '\ufeff2026/117', '2026/117'],
  ['the tab of a spreadsheet', '2026/117\t', '2026/117'],
  ['a control character', '\u00022026/117', '2026/117'],
  ['two blanks, which belong to it', 'INV  117', 'INV  117'],
  ['a joiner between letters, which belongs to it', 'می\u200cخواهم', 'می\u200cخواهم'],
])('a reference is searched for as it looks: copied with %s', (_, copied, reference) => {
  expect(found('reference', copied)).toEqual({ reference });
});

it('an address is searched for as it looks', () => {
  expect(found('signer_email', 'ann@example.com\u200b')).toEqual({ signer_email: 'ann@example.com' });
});

it('nothing is searched for if nothing of it can be seen', () => {
  expect(found('title_prefix', ' \u200b')).toEqual({});
});
