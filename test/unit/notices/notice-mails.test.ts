import { formatMoment } from '../../../shared/mail/moment.ts';
import { noticeMails } from '../../../shared/notices/notice-mails.ts';
import { deletionRequested, purged } from '../../../shared/requests/ending.ts';
import { purgeTime } from '../../../shared/requests/lifecycle.ts';
import { SENDER, type SignatureRequest, type SignerState } from '../../../shared/requests/model.ts';
import { MINUTE } from '../../../shared/runtime/time.ts';
import { LOCALES, MAIL_TEXTS } from '../../../shared/texts/languages.ts';
import { ownerItem } from '../../support/owners.ts';
import { applied, at, NOON, OWNER, only, sentRequest, signedBy } from '../../support/requests.ts';

const owner = ownerItem({ id: OWNER.id, notify: 'office@example.com' });

/** A mail to the first signer came back. */
const returned = (request: SignatureRequest, more: SignerState['mails'] = []): SignatureRequest => {
  const mail = { id: 'mail-1', kind: 'invitation' as const, at: NOON.toISOString(), sent: true };
  const mails = [mail, ...more];
  const [first, ...others] = request.signers;
  if (!first) throw new Error('A request has a signer.');
  const returnedMails = [
    { id: 'mail-1', kind: mail.kind, sentAt: mail.at, outcome: 'bounced' as const, at: mail.at },
  ];
  return { ...request, signers: [{ ...first, mails, returnedMails }, ...others] };
};

describe.each(['mail_bounced', 'mail_complained'] as const)('the sender’s mail of %s', (reason) => {
  const textOf = (request: SignatureRequest, locale: (typeof LOCALES)[number]) => {
    const about = [only(request.signers.slice(0, 1)).id];
    const links = { baseUrl: 'https://sign.example.com', newToken: () => 'token', now: () => NOON };
    const notice = { reason, recipients: [SENDER], about, createdAt: NOON.toISOString() };
    return only(noticeMails(request, { owner, maker: null, locale }, notice, links)).content.text;
  };

  it.each(LOCALES)('names the invitation only while reminders wait for it, in %s', (locale) => {
    const invited = returned(sentRequest(2));
    const resend = { id: 'mail-2', kind: 'resend' as const, at: at(MINUTE).toISOString(), sent: true };
    const resent = returned(sentRequest(2), [resend]);
    const signed = applied(invited, signedBy(invited, 0));
    const cancelled = { ...invited, state: { ...invited.state, status: 'cancelled' as const } };
    const over = { ...invited, state: { ...invited.state, expiresAt: NOON.toISOString() } };
    const stems = { en: 'invitation', de: 'Einladung', fr: 'invitation', fi: 'kutsu', sv: 'inbjudan' };
    expect(textOf(invited, locale)).toContain(stems[locale]);
    for (const request of [signed, cancelled, over, resent])
      expect(textOf(request, locale)).not.toContain(stems[locale]);
  });
});

it('a notice that comes late tells nothing of an address that the sender has corrected since', () => {
  const request = sentRequest(2);
  const [one, two] = request.signers;
  const corrected = (addressSince: string): SignatureRequest => ({
    ...request,
    signers: request.signers.map((signer) => (signer.id === one?.id ? { ...signer, addressSince } : signer)),
  });
  const textOf = (of: SignatureRequest, about: readonly (SignerState | undefined)[]) => {
    const ids = about.flatMap((signer) => signer?.id ?? []);
    const createdAt = NOON.toISOString();
    const notice = { reason: 'mail_failed' as const, recipients: [SENDER], about: ids, createdAt };
    const links = { baseUrl: 'https://sign.example.com', newToken: () => 'token', now: () => NOON };
    return noticeMails(of, { owner, maker: null, locale: 'en' }, notice, links).map(
      ({ content }) => content.text,
    );
  };
  const since = corrected(at(1).toISOString());
  expect(textOf(since, [one])).toEqual([]);
  const [text] = textOf(since, [one, two]);
  expect(text).toContain(two?.email);
  expect(text).not.toContain(one?.email);
  expect(textOf(corrected(NOON.toISOString()), [one])).toEqual([expect.stringContaining(one?.email ?? '-')]);
});

it('a notice of a seal that was given up is not mailed once the seal is made, or queued again', () => {
  const request = sentRequest(1);
  const mailsAt = (status: SignatureRequest['state']['status']) => {
    const notice = { reason: 'sealing_failed' as const, recipients: [SENDER], about: [], createdAt: '' };
    const links = { baseUrl: 'https://sign.example.com', newToken: () => 'token', now: () => NOON };
    const then = { ...request, state: { ...request.state, status } };
    return noticeMails(then, { owner, maker: null, locale: 'en' }, notice, links).map(({ to }) => to);
  };
  expect(mailsAt('stamp_failed')).toEqual(['office@example.com']);
  expect(mailsAt('awaiting_stamp')).toEqual([]);
  expect(mailsAt('signed')).toEqual([]);
});

it('a notice that code entry ended is not mailed once the sender has resent, or nobody can sign any more', () => {
  const invited = sentRequest(1);
  const codeRequests = Array<string>(20).fill(NOON.toISOString());
  const ended = { ...invited, signers: invited.signers.map((signer) => ({ ...signer, codeRequests })) };
  const mailsOf = (request: SignatureRequest) => {
    const about = request.signers.map(({ id }) => id);
    const notice = { reason: 'code_entry_ended' as const, recipients: [SENDER], about, createdAt: '' };
    const links = { baseUrl: 'https://sign.example.com', newToken: () => 'token', now: () => NOON };
    return noticeMails(request, { owner, maker: null, locale: 'en' }, notice, links).map(({ to }) => to);
  };
  expect(mailsOf(ended)).toEqual(['office@example.com']);
  expect(mailsOf(invited)).toEqual([]);
  expect(mailsOf(applied(ended, signedBy(ended, 0)))).toEqual([]);
  expect(mailsOf({ ...ended, state: { ...ended.state, status: 'cancelled' } })).toEqual([]);
  expect(mailsOf({ ...ended, state: { ...ended.state, expiresAt: NOON.toISOString() } })).toEqual([]);
});

it('a notice greets a signer by the name that was signed with, and says of a test request that it is one', () => {
  const request = sentRequest(1);
  const mailsOf = (mode: 'live' | 'test', nameAsSigned: string | null) => {
    const [signer] = request.signers;
    const recipients = [SENDER, signer?.id ?? ''];
    const notice = { reason: 'expired' as const, recipients, about: [], createdAt: '' };
    const links = { baseUrl: 'https://sign.example.com', newToken: () => 'token', now: () => NOON };
    const then = {
      ...request,
      state: { ...request.state, mode },
      signers: request.signers.map((each) => ({ ...each, nameAsSigned })),
    };
    return noticeMails(then, { owner, maker: null, locale: 'en' }, notice, links).map(
      ({ content }) => content,
    );
  };
  const [, toSigner] = mailsOf('live', 'Anna Berg');
  expect(toSigner?.text).toContain('Anna Berg');
  for (const { subject } of mailsOf('live', null)) expect(subject).not.toContain('TEST');
  const inTest = mailsOf('test', null);
  expect(inTest).toHaveLength(2);
  for (const { subject } of inTest) expect(subject).toContain('[TEST]');
  expect(inTest[1]?.text).toContain('Signer 0');
});

it('a notice that comes late is not mailed to a signer who was erased since', () => {
  const request = sentRequest(2);
  const [one, two] = request.signers;
  const signers = request.signers.map((signer) =>
    signer.id === one?.id ? { ...signer, erasedAt: NOON.toISOString() } : signer,
  );
  const recipients = request.signers.map(({ id }) => id);
  const notice = { reason: 'cancelled' as const, recipients, about: [], createdAt: NOON.toISOString() };
  const links = { baseUrl: 'https://sign.example.com', newToken: () => 'token', now: () => NOON };
  const mails = noticeMails({ ...request, signers }, { owner, maker: null, locale: 'en' }, notice, links);
  expect(mails.map(({ recipient }) => recipient)).toEqual([two?.id]);
});

it.each(LOCALES)('the sender is told until when a completed document can be downloaded, in %s', (locale) => {
  const request = sentRequest(1);
  const textOf = (purgeAt: string | null) => {
    const notice = { reason: 'completed' as const, recipients: [SENDER], about: [], createdAt: '' };
    const links = { baseUrl: 'https://sign.example.com', newToken: () => 'token', now: () => NOON };
    const sealed = { ...request, state: { ...request.state, status: 'signed' as const, purgeAt } };
    return only(noticeMails(sealed, { owner, maker: null, locale }, notice, links)).content.text;
  };
  const told = MAIL_TEXTS[locale].keptUntil(formatMoment('2031-05-23T09:00:00.000Z', locale, null));
  expect(textOf('2031-05-23T09:00:00.000Z')).toContain(told);
  expect(textOf(null)).not.toContain(told.slice(0, 20));
});

it('nobody is offered a document whose deletion was asked for before the mail', () => {
  const sent = sentRequest(1);
  const signed = applied(sent, signedBy(sent, 0));
  const endedAt = NOON.toISOString();
  const ended = { status: 'signed', endedAt, purgeAt: purgeTime(endedAt, false) } as const;
  const sealed = { ...signed, state: { ...signed.state, ...ended } };
  const deleted = applied(sealed, deletionRequested(sealed, { archive: false, actor: 'client' }, at(1)));
  const offers = (request: SignatureRequest) => {
    const recipients = [SENDER, only(request.signers).id];
    const notice = { reason: 'completed' as const, recipients, about: [], createdAt: endedAt };
    const links = { baseUrl: 'https://sign.example.com', newToken: () => 'token', now: () => at(1) };
    const mails = noticeMails(request, { owner, maker: null, locale: 'en' }, notice, links);
    return mails.map(({ content }) => content.text.includes('can be downloaded until'));
  };
  expect(offers(sealed)).toEqual([true, true]);
  expect(offers(deleted)).toEqual([false]);
  expect(offers(applied(deleted, purged(deleted, at(2))))).toEqual([false]);
});
