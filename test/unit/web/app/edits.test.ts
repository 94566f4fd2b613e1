import { UnsavedEdits } from '../../../../web/app/parts/edits.ts';

interface Values {
  imprint_url: string;
  time_zone: string | null;
}

const STORED = { imprint_url: '', time_zone: 'Europe/Berlin' };

it('what is typed back to the stored value is nothing to save', () => {
  const edits = new UnsavedEdits<Values>();
  edits.add('acme', { imprint_url: 'https://acme.example', time_zone: null }, STORED);
  edits.add('acme', { time_zone: 'Europe/Berlin' }, STORED);
  expect(edits.of('acme')).toEqual({ imprint_url: 'https://acme.example' });
  edits.add('acme', { imprint_url: '' }, STORED);
  expect(edits.of('acme')).toEqual({});
});

it('what was typed while a save was under way is still to be saved', () => {
  const edits = new UnsavedEdits<Values>();
  const sent = { imprint_url: 'https://acme.example' };
  edits.add('acme', sent, STORED);
  edits.add('acme', { time_zone: null }, STORED);
  edits.saved('acme', sent);
  expect(edits.of('acme')).toEqual({ time_zone: null });
  edits.add('acme', { imprint_url: 'https://acme.example/imprint' }, STORED);
  edits.saved('acme', sent);
  expect(edits.of('acme')).toEqual({ imprint_url: 'https://acme.example/imprint', time_zone: null });
});

it('the edits for one owner are not those for another', () => {
  const edits = new UnsavedEdits<Values>();
  edits.add('acme', { time_zone: 'Europe/Helsinki' }, STORED);
  expect(edits.of('user')).toEqual({});
  edits.saved('user', { time_zone: 'Europe/Helsinki' });
  expect(edits.of('acme')).toEqual({ time_zone: 'Europe/Helsinki' });
});
