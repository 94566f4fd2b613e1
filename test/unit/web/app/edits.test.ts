import { editsBeyond, UnsavedEdits } from '../../../../web/app/settings/edits.ts';

interface Values {
  imprint_url: string;
  time_zone: string | null;
}

it('a value typed back to the stored one is no unsaved edit, until a save stores another value', () => {
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

it('edits made during a save stay unsaved', () => {
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

it('each owner has separate edits', () => {
  const edits = new UnsavedEdits<Values>();
  edits.add('acme', { time_zone: 'Europe/Helsinki' });
  expect(edits.of('user')).toEqual({});
  edits.saved('user', { time_zone: 'Europe/Helsinki' });
  expect(edits.of('acme')).toEqual({ time_zone: 'Europe/Helsinki' });
});
