import { LIMITS } from '../../../../shared/contract/limits.ts';
import {
  endAfter,
  faultsOf,
  fieldOf,
  firstDraft,
  requestOf,
  titleOf,
  withPasted,
} from '../../../../web/app/new/draft.ts';
import type { Person } from '../../../../web/app/new/people.ts';

const ANN = { email: 'ann@example.com', name: 'Ann' };
const BOB = { email: 'bob@example.com', name: '' };
const NOBODY = { email: '', name: '' };
const draft = { ...firstDraft('fi', 'key-1'), title: ' Lease ', people: [ANN, NOBODY, BOB] };

it('a title is made from the name of the file', () => {
  expect(titleOf('Lease_2026.PDF')).toBe('Lease 2026');
  const long = 'a'.repeat(LIMITS.titleLength - 1);
  expect(titleOf(`${long}📄📄.pdf`)).toBe(long);
  expect(titleOf(`${long.slice(1)}📄📄.pdf`)).toBe(`${long.slice(1)}📄`);
});

it('a complete draft has no faults, even with an unused row', () => {
  expect(faultsOf(draft, true)).toEqual({});
});

it('every fault is reported at its field', () => {
  const people = [{ email: 'ann@', name: '' }, BOB, { email: 'BOB@example.com', name: 'Bob' }];
  expect(faultsOf({ ...draft, title: ' ', people, days: '31', returnUrl: 'example.com' }, false)).toEqual({
    fileId: 'document',
    title: 'title',
    'email-0': 'invalid_signer_email',
    'email-2': 'twice',
    days: 'days',
    returnUrl: 'invalid_return_url',
  });
  expect(faultsOf({ ...draft, people: [NOBODY] }, true)).toEqual({ 'email-0': 'nobody' });
});

it.each(['14', '١٤', '۱۴', '１４'])('the days may be typed in the digits of any keyboard: %s', (days) => {
  expect(faultsOf({ ...draft, days }, true)).toEqual({});
  expect(requestOf({ ...draft, days })).toMatchObject({ expires_in_days: 14 });
  expect(endAfter(0, days)).toBe('1970-01-15T00:00:00.000Z');
});

it.each(['', '١٫٥', '٣١', 'x'])('days that are no whole number, or too many, are a fault: %s', (days) => {
  expect(faultsOf({ ...draft, days }, true)).toEqual({ days: 'days' });
});

it('invisible characters in a pasted return address are ignored', () => {
  const copied = { ...draft, returnUrl: '\u200bhttps://example.com/back\u200b' };
  expect(faultsOf(copied, true)).toEqual({});
  expect(requestOf(copied)).toMatchObject({ return_url: 'https://example.com/back' });
});

it('an address and a reference are sent as they look', () => {
  const people = [
    { email: 'ann@example.com\u200b', name: '' },
    { email: 'ann@exam\u2060ple.com', name: '' },
  ];
  const copied = { ...draft, people, reference: '\ufeff2026/\u200b117\t' };
  expect(faultsOf(copied, true)).toEqual({ 'email-1': 'twice' });
  expect(requestOf(copied)).toMatchObject({
    reference: '2026/117',
    signers: [{ email: 'ann@example.com' }, { email: 'ann@example.com' }],
  });
});

it('characters of a reference that nobody sees do not make it too long', () => {
  const copied = { ...draft, reference: `${'x'.repeat(200)}\u200b` };
  expect(faultsOf(copied, true)).toEqual({});
});

it('a title, a reference and a name that are too long are faults, and are not cut', () => {
  const line = (length: number) => ` ${'x'.repeat(length)} `;
  const long = (length: number) => ({
    ...draft,
    title: line(length),
    reference: line(length),
    people: [{ email: 'ann@example.com', name: line(length) }],
  });
  expect(faultsOf(long(200), true)).toEqual({});
  expect(faultsOf(long(201), true)).toEqual({ title: 'tooLong', reference: 'tooLong', 'name-0': 'tooLong' });
});

it('a message that is too long is a fault, and is not cut', () => {
  expect(faultsOf({ ...draft, message: ` ${'m'.repeat(5_000)} ` }, true)).toEqual({});
  expect(faultsOf({ ...draft, message: 'm'.repeat(5_001) }, true)).toEqual({ message: 'invalid_message' });
  expect(faultsOf({ ...draft, message: '👩'.repeat(5_000) }, true)).toEqual({});
});

it('the request has the trimmed input, and leaves out empty fields', () => {
  expect(requestOf(draft)).toEqual({
    title: 'Lease',
    signers: [{ email: 'ann@example.com', name: 'Ann' }, { email: 'bob@example.com' }],
    locale: 'fi',
    expires_in_days: 30,
    reminders: true,
  });
});

it('characters that the service rejects are removed from text that was copied from slides and documents', () => {
  const pasted = {
    ...draft,
    title: 'Annual\vReport\u0002',
    people: [
      { ...ANN, name: 'Ann\u2028' },
      { ...BOB, name: '\u200b' },
    ],
    message: 'Dear Ann,\r\n\fplease sign \ud83d',
    reference: 'A\u001f1',
  };
  expect(requestOf(pasted)).toMatchObject({
    title: 'Annual Report',
    signers: [ANN, { email: 'bob@example.com' }],
    message: 'Dear Ann,\n please sign',
    reference: 'A1',
  });
  expect(faultsOf({ ...draft, title: '\u200b' }, true)).toEqual({ title: 'title' });
});

it('an error about a signer is shown in the signer’s row', () => {
  expect(fieldOf('/signers/1/email', draft, draft)).toBe('email-2');
  expect(fieldOf('/signers/0/name', draft, draft)).toBe('name-0');
  expect(fieldOf('/return_url', draft, draft)).toBe('returnUrl');
  expect(fieldOf('/metadata', draft, draft)).toBeUndefined();
});

it('an error stays with its signer when rows move, and disappears when the signer is edited', () => {
  const fieldAmong = (...people: Person[]) => fieldOf('/signers/1/email', draft, { ...draft, people });
  expect(fieldAmong(BOB)).toBe('email-0');
  expect(fieldAmong(ANN, NOBODY)).toBeUndefined();
  expect(fieldAmong(ANN, { ...BOB, name: 'Bob' })).toBeUndefined();
});

it('a pasted address without a name keeps the name of its row', () => {
  const people = [{ email: '', name: 'Ann' }, BOB];
  expect(withPasted(people, 0, [{ email: 'ann@example.com', name: '' }])).toEqual([ANN, BOB]);
});

it('pasted people take the place of an empty row, and everyone else stays', () => {
  expect(withPasted([ANN, NOBODY, NOBODY], 1, [BOB, BOB])).toEqual([ANN, BOB, BOB]);
  const crowd = Array.from({ length: 23 }, (_, n) => ({ email: `p${n}@example.com`, name: '' }));
  expect(withPasted([NOBODY, ANN], 0, crowd)).toEqual([...crowd, ANN]);
});

it('pasted people are added after a row with an address, unless it is the address of the first', () => {
  const carl = { email: 'carl@example.com', name: '' };
  expect(withPasted([ANN, NOBODY, BOB], 0, [carl, carl])).toEqual([ANN, carl, carl, BOB]);
  expect(withPasted([{ ...ANN, name: '' }, BOB], 0, [ANN, carl])).toEqual([ANN, carl, BOB]);
});

it('one pasted person corrects the row', () => {
  expect(withPasted([{ email: 'an@example.com', name: 'An' }, BOB], 0, [ANN])).toEqual([ANN, BOB]);
});

it('with more than twenty signers, the twenty-first is reported', () => {
  const crowd = Array.from({ length: 22 }, (_, n) => ({ email: `p${n}@example.com`, name: '' }));
  expect(faultsOf({ ...draft, people: [NOBODY, ...crowd] }, true)).toEqual({ 'email-21': 'tooMany' });
  expect(faultsOf({ ...draft, people: [NOBODY, ...crowd.slice(2)] }, true)).toEqual({});
});
