import { withoutSent } from '../../../../web/app/parts/edits.ts';

interface Edits {
  imprint_url?: string;
  time_zone?: string | null;
}

it('what was typed while a save was under way is still to be saved', () => {
  const sent: Edits = { imprint_url: 'https://acme.example' };
  expect(withoutSent(sent, sent)).toEqual({});
  const imprint_url = 'https://acme.example/imprint';
  expect(withoutSent({ imprint_url }, sent)).toEqual({ imprint_url });
  expect(withoutSent({ ...sent, time_zone: null }, sent)).toEqual({ time_zone: null });
});
