import type { AuditEvent, SignatureRequest } from '../../../../client/src/types.ts';
import {
  awaitedOf,
  hasCodeEntryEnded,
  hasMailTrouble,
  isInviting,
  namesIn,
  statusOf,
  timelineOf,
} from '../../../../web/app/request/timeline.ts';
import { APP_TEXTS } from '../../../support/app-texts.ts';

type Signer = SignatureRequest['signers'][number];

const at = (minute: number) => `2026-11-22T10:0${minute}:00.000Z`;
const mail = (minute: number, outcome: Signer['mails'][number]['outcome'] = 'sent') => ({
  kind: 'invitation' as const,
  sent_at: at(minute),
  outcome,
  at: at(minute),
});
const signer: Signer = {
  id: 'ann',
  email: 'ann@example.com',
  name: 'Ann',
  access_token: '',
  sign_url: '',
  status: 'opened',
  sent_at: at(0),
  opened_at: null,
  signed_at: null,
  declined_at: null,
  decline_reason: null,
  locale: 'en',
  mails: [mail(0)],
};
const event = (minute: number, type: string, signer_id: string | null = 'ann'): AuditEvent => ({
  sequence: minute,
  type,
  at: at(minute),
  actor: 'signer',
  signer_id,
  ip_address: null,
  user_agent: null,
  details: {},
  previous_hash: '',
  hash: '',
});

it('a timeline shows the mails and actions of one signer in order, and repeated ones once', () => {
  const events = [
    event(1, 'link_opened'),
    event(2, 'link_opened'),
    event(3, 'code_sent'),
    event(4, 'link_opened', 'bob'),
    event(5, 'signer_signed'),
  ];
  const told = timelineOf({ ...signer, mails: [mail(0), mail(4)] }, events);
  expect(told.map((moment) => ('mail' in moment ? 'mail' : moment.event))).toEqual([
    'mail',
    'link_opened',
    'mail',
    'signer_signed',
  ]);
});

it('a timeline shows each correction, because each has another address or name', () => {
  const events = [event(1, 'signer_corrected'), event(2, 'signer_corrected')];
  expect(timelineOf(signer, events).slice(1)).toEqual([
    { at: at(1), event: 'signer_corrected' },
    { at: at(2), event: 'signer_corrected' },
  ]);
});

it('what was done with the link before a correction is not told of the corrected signer, who may be another person', () => {
  const events = [
    event(1, 'link_opened'),
    event(2, 'document_viewed'),
    event(3, 'signer_corrected'),
    event(4, 'signer_corrected', 'bob'),
    event(5, 'link_opened'),
  ];
  expect(timelineOf(signer, events)).toEqual([
    { at: at(0), mail: mail(0) },
    { at: at(3), event: 'signer_corrected' },
    { at: at(5), event: 'link_opened' },
  ]);
});

it('nobody is awaited once the time to sign has ended, before the daily job has ended the request too', () => {
  const request = { status: 'opened', is_expired: false, signers: [signer] } satisfies Parameters<
    typeof awaitedOf
  >[0];
  expect(awaitedOf(request)).toEqual([signer]);
  expect(awaitedOf({ ...request, is_expired: true })).toEqual([]);
});

it.each<[boolean, string[]]>([
  [true, ['invitation_sent', 'code_entry_ended', 'link_opened']],
  [false, ['code_entry_ended', 'code_rotated', 'invitation_resent']],
  [false, ['code_entry_ended', 'signer_corrected']],
  [true, ['code_entry_ended', 'code_rotated', 'code_entry_ended', 'invitation_resent']],
  [false, ['invitation_sent']],
])('whether code entry has ended, and was not opened again by the sender: %s after %j', (isOver, types) => {
  const events = types.map((type, minute) => event(minute, type));
  expect(hasCodeEntryEnded(signer, events)).toBe(isOver);
  expect(hasCodeEntryEnded({ ...signer, id: 'bob' }, events)).toBe(false);
});

it('only the newest mail to a signer who has not signed counts as failed', () => {
  expect(hasMailTrouble({ ...signer, mails: [mail(0, 'bounced')] })).toBe(true);
  expect(hasMailTrouble({ ...signer, mails: [mail(0, 'bounced'), mail(1)] })).toBe(false);
  expect(hasMailTrouble({ ...signer, mails: [mail(0, 'bounced')], status: 'signed' })).toBe(false);
});

it.each(['failed', 'bounced'] as const)('a mail with the outcome %s counts as trouble', (outcome) => {
  expect(hasMailTrouble({ ...signer, mails: [mail(0, outcome)] })).toBe(true);
});

it.each(['sent', 'complained'] as const)(
  'a mail with the outcome %s has arrived, so it counts as no trouble',
  (outcome) => {
    expect(hasMailTrouble({ ...signer, mails: [mail(0, outcome)] })).toBe(false);
  },
);

it('invitations are under way until each signer has a mail with its outcome', () => {
  const failed = { ...signer, mails: [mail(0, 'failed')] };
  const unmailed = { ...signer, id: 'bob', mails: [] };
  expect(isInviting({ status: 'pending', signers: [failed, unmailed] })).toBe(true);
  expect(isInviting({ status: 'pending', signers: [failed] })).toBe(false);
  expect(isInviting({ status: 'sent', signers: [signer, unmailed] })).toBe(false);
});

it('up to five awaited signers are all named; of more, the first three and the number of others', () => {
  const namesOf = (count: number) =>
    namesIn(
      Array.from({ length: count }, (_, place) => ({ name: `P${place + 1}` })),
      'en',
      APP_TEXTS.en,
    );
  expect(namesOf(1)).toBe('P1');
  expect(namesOf(5)).toBe('P1, P2, P3, P4 and P5');
  expect(namesOf(6)).toBe('P1, P2, P3 and 3 others');
  expect(namesOf(20)).toBe('P1, P2, P3 and 17 others');
});

it.each([
  ['expired', false],
  ['sent', true],
] as const)(
  'a signer of an expired request did not sign, and is awaited no more: %s, is_expired %s',
  (status, is_expired) => {
    const request = { status, is_expired };
    expect(statusOf(request, { status: 'opened' })).toBe('unsigned');
    expect(statusOf(request, { status: 'signed' })).toBe('signed');
    expect(statusOf({ status: 'sent', is_expired: false }, { status: 'opened' })).toBe('opened');
  },
);
