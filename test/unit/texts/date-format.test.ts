import { dateFormat } from '../../../shared/texts/date-format.ts';

const TIME = new Date('2026-11-29T08:05:00Z');
const inZone = (timeZone: string) => dateFormat('en', { dateStyle: 'short', timeStyle: 'short', timeZone });

it('a format is made once for each language and each way to write', () => {
  expect(inZone('UTC')).toBe(inZone('UTC'));
  expect(inZone('UTC').format(TIME)).toBe('29/11/2026, 08:05');
  expect(inZone('Asia/Tokyo').format(TIME)).toBe('29/11/2026, 17:05');
  expect(dateFormat('fi', { dateStyle: 'long', timeZone: 'UTC' }).format(TIME)).toBe('29. marraskuuta 2026');
});

it('the formats of many zones are not all kept', () => {
  const first = inZone('UTC');
  for (const zone of Intl.supportedValuesOf('timeZone').slice(0, 60)) inZone(zone);
  expect(inZone('UTC')).not.toBe(first);
  expect(inZone('UTC').format(TIME)).toBe('29/11/2026, 08:05');
});
