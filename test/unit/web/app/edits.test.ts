import { editsBeyond, UnsavedEdits } from '../../../../web/app/settings/edits.ts';

interface Values {
  imprint_url: string;
  time_zone: string | null;
}

it('what is typed back to the stored value is nothing to save, until a save stores another one', () => {
  const edits = new UnsavedEdits<Values>();
  const stored = { imprint_url: '', time_zone: 'Europe/Berlin' };
  const unsaved = () => editsBeyond(stored, edits.of('acme'));
  const sent = { time_zone: 'Europe/Helsinki' };
  edits.add('acme', { ...sent, imprint_url: 'https://acme.example' });
  edits.add('acme', { imprint_url: '' });
  expect(unsaved()).toEqual(sent);
  edits.add('acme', { time_zone: 'Europe/Berlin' });
  expect(unsaved()).toEqual({});
  stored.time_zone = 'Europe/Helsinki';
  edits.saved('acme', sent);
  expect(unsaved()).toEqual({ time_zone: 'Europe/Berlin' });
});

it('what was typed while a save was under way is still to be saved', () => {
  const edits = new UnsavedEdits<Values>();
  const sent = { imprint_url: 'https://acme.example' };
  edits.add('acme', sent);
  edits.add('acme', { time_zone: null });
  edits.saved('acme', sent);
  expect(edits.of('acme')).toEqual({ time_zone: null });
  edits.add('acme', { imprint_url: 'https://acme.example/imprint' });
  edits.saved('acme', sent);
  expect(edits.of('acme')).toEqual({ imprint_url: 'https://acme.example/imprint', time_zone: null });
});

it('the edits for one owner are not those for another', () => {
  const edits = new UnsavedEdits<Values>();
  edits.add('acme', { time_zone: 'Europe/Helsinki' });
  expect(edits.of('user')).toEqual({});
  edits.saved('user', { time_zone: 'Europe/Helsinki' });
  expect(edits.of('acme')).toEqual({ time_zone: 'Europe/Helsinki' });
});
