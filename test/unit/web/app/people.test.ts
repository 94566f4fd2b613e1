import { isAddress, peopleIn } from '../../../../web/app/new/people.ts';

describe('people in a pasted list', () => {
  it('names and addresses are parsed with any separator', () => {
    expect(
      peopleIn('Ann Smith <ann@example.com>, bob@example.com; <c@example.com>\nDan <d@example.com>'),
    ).toEqual([
      { name: 'Ann Smith', email: 'ann@example.com' },
      { name: '', email: 'bob@example.com' },
      { name: '', email: 'c@example.com' },
      { name: 'Dan', email: 'd@example.com' },
    ]);
  });

  it('a text far longer than a request has signers is no list: reading it would hold up the page, or fail', () => {
    expect(peopleIn('ann@example.com, '.repeat(600_000))).toEqual([]);
  });

  it('a comma inside quotes belongs to the name', () => {
    expect(peopleIn('"Smith, Ann" <ann@example.com>')).toEqual([
      { name: 'Smith, Ann', email: 'ann@example.com' },
    ]);
  });

  it('single quotes around a name, as Outlook writes some, are removed, and those inside are kept', () => {
    expect(peopleIn("'Ann Smith' <ann@example.com>; Pat O'Neil <pat@example.com>")).toEqual([
      { name: 'Ann Smith', email: 'ann@example.com' },
      { name: "Pat O'Neil", email: 'pat@example.com' },
    ]);
  });

  it('an address in the place of the name, as Outlook repeats it, is no name', () => {
    expect(peopleIn("'Ann@example.com' <ann@example.com>; bob@example.com <bob@example.com>")).toEqual([
      { name: '', email: 'ann@example.com' },
      { name: '', email: 'bob@example.com' },
    ]);
  });

  it('a comma before a name and its address belongs to the name, as Outlook writes them', () => {
    expect(
      peopleIn(
        'Müller, Hans <hans@example.com>; bob@example.com, Meier, Eva <eva@example.com>\nText, d@example.com',
      ),
    ).toEqual([
      { name: 'Müller, Hans', email: 'hans@example.com' },
      { name: '', email: 'bob@example.com' },
      { name: 'Meier, Eva', email: 'eva@example.com' },
      { name: '', email: 'd@example.com' },
    ]);
  });

  it('rows of a spreadsheet become people, with names from the columns before the address or the one after it', () => {
    expect(
      peopleIn(
        'Name\tE-mail\r\nAnn\tSmith\tann@example.com\tExample Ltd\r\nbob@example.com\tBob\t0123\r\nc@example.com\t\tLeeds\r\n',
      ),
    ).toEqual([
      { name: 'Ann Smith', email: 'ann@example.com' },
      { name: 'Bob', email: 'bob@example.com' },
      { name: '', email: 'c@example.com' },
    ]);
  });

  it.each([
    [
      'semicolons',
      'Name;E-mail\r\n"Smith; Ann";ann@example.com;Example Ltd\r\nbob@example.com;Bob\r\n;c@example.com;;Leeds\r\n',
    ],
    [
      'commas',
      'Name,E-mail\n"Smith; Ann",ann@example.com,Example Ltd\n\nbob@example.com,Bob\n,c@example.com,,Leeds\n',
    ],
  ])(
    'lines of a file with %s become people, with names from the columns before the address or the one after it',
    (_, text) => {
      expect(peopleIn(text)).toEqual([
        { name: 'Smith; Ann', email: 'ann@example.com' },
        { name: 'Bob', email: 'bob@example.com' },
        { name: '', email: 'c@example.com' },
      ]);
    },
  );

  it('a column of numbers, or a telephone number, is no part of a name', () => {
    expect(peopleIn('1\tAnn\tann@example.com\n2.\tBob\tbob@example.com')).toEqual([
      { name: 'Ann', email: 'ann@example.com' },
      { name: 'Bob', email: 'bob@example.com' },
    ]);
    expect(peopleIn('ann@example.com\t+49 30 123')).toEqual([{ name: '', email: 'ann@example.com' }]);
  });

  it('a line of its own, or one with two addresses, has no columns', () => {
    expect(peopleIn('ann@example.com; Bob')).toEqual([{ name: '', email: 'ann@example.com' }]);
    expect(peopleIn('ann@example.com, Bob\nc@example.com, d@example.com')).toEqual([
      { name: '', email: 'ann@example.com' },
      { name: '', email: 'c@example.com' },
      { name: '', email: 'd@example.com' },
    ]);
  });

  it('a wrong address among others is kept, so that the form reports it', () => {
    expect(
      peopleIn('ann@example.com, bob@example; Cid <cid.example.com>\nDan\tdan@example\nno address'),
    ).toEqual([
      { name: '', email: 'ann@example.com' },
      { name: '', email: 'bob@example' },
      { name: 'Cid', email: 'cid.example.com' },
      { name: 'Dan', email: 'dan@example' },
    ]);
  });

  it('addresses are found among other words', () => {
    expect(
      peopleIn(
        '1. Ann Smith (ann@example.com)\n• Bob – bob@example.com.\nfrom c@example.com and D@example.com',
      ),
    ).toEqual(
      ['ann@example.com', 'bob@example.com', 'c@example.com', 'D@example.com'].map((email) => ({
        email,
        name: '',
      })),
    );
  });

  it.each([
    'Kind regards\n\nAnn Smith\nSmith & Sons\n5 High Street, Leeds\nT +44 113 1 | E-mail: ann@example.com | www.example.com',
    'Ann Smith\r\nTel.: +44 113 1\r\nE-mail : ann@example.com<mailto:ann@example.com>\r\nWeb: www.example.com<http://www.example.com>',
  ])('of the signature of a mail, its address is taken: %j', (text) => {
    expect(peopleIn(text)).toEqual([{ name: '', email: 'ann@example.com' }]);
  });

  it('the labels of a mail’s header are no part of names and addresses', () => {
    expect(peopleIn('From: Ann Smith <ann@example.com>\nCc: bob@example.com')).toEqual([
      { name: 'Ann Smith', email: 'ann@example.com' },
      { name: '', email: 'bob@example.com' },
    ]);
  });

  it('text without an address has no people', () => {
    expect(peopleIn('Ann Smith, Bob <bob at example>')).toEqual([]);
  });
});

it.each([
  'ann@example.com',
  ' ann@example.com ',
  '\u200bann@exam\u00adple.com\ufeff',
  `${'a'.repeat(242)}@example.com`,
  'ann@mail.example.co.uk',
])('%j is an address', (text) => {
  expect(isAddress(text)).toBe(true);
});

it.each([
  `${'a'.repeat(243)}@example.com`,
  'ann@example',
  'ann@example.c',
  'ann@example.com.',
  'mailto:ann@example.com',
  'ann example@example.com',
  '',
])('%j is no address', (text) => {
  expect(isAddress(text)).toBe(false);
});
