import { asSent } from '../../../../web/app/settings/brand-changes.ts';

it('the addresses of a brand are sent as they look', () => {
  expect(asSent({ reply_to: 'sign\u200b@example.com ', support_url: '\ufeffhttps://example.com/' })).toEqual({
    reply_to: 'sign@example.com',
    support_url: 'https://example.com/',
  });
});

it('a name keeps a character that nobody sees but that shapes its letters', () => {
  const name = '\u182d\u1820\u180e\u1820';
  expect(asSent({ display_name: ` ${name}` })).toEqual({ display_name: name });
});

it('what is emptied is taken away, and what was not edited is not sent', () => {
  expect(asSent({ display_name: '\u200b', time_zone: null })).toEqual({
    display_name: null,
    time_zone: null,
  });
});
