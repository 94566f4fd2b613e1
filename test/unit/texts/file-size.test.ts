import { formatSize } from '../../../shared/texts/file-size.ts';

it('a size has the unit and the decimal sign of the language', () => {
  expect(formatSize(7, 'en')).toBe('7 bytes');
  expect(formatSize(2_345, 'en')).toBe('2.3 kB');
  expect(formatSize(345_678, 'de')).toBe('346 kB');
  expect(formatSize(1_234_567, 'fr')).toMatch(/^1,2\sMo$/);
  expect(formatSize(10_485_760, 'fi')).toMatch(/^10\sMt$/);
});
