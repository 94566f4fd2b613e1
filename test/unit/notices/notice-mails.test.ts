import { noticeMails } from '../../../shared/notices/notice-mails.ts';
import { SENDER, type SignatureRequest } from '../../../shared/requests/model.ts';
import { LOCALES } from '../../../shared/texts/languages.ts';
import { ownerItem } from '../../support/owners.ts';
import { applied, OWNER, only, sentRequest, signedBy } from '../../support/requests.ts';

const owner = ownerItem({ id: OWNER.id, notify: 'office@example.com' });

describe.each(['mail_bounced', 'mail_complained'] as const)('the sender’s mail of %s', (reason) => {
  const textOf = (request: SignatureRequest, locale: (typeof LOCALES)[number]) => {
    const about = [only(request.signers.slice(0, 1)).id];
    const links = { baseUrl: 'https://sign.example.com', newToken: () => 'token' };
    return only(noticeMails(request, { owner, locale }, { reason, recipients: [SENDER], about }, links))
      .content.text;
  };

  it.each(LOCALES)('names the invitation only while it can be sent again, in %s', (locale) => {
    const invited = sentRequest(2);
    const signed = applied(invited, signedBy(invited, 0));
    const cancelled = { ...invited, state: { ...invited.state, status: 'cancelled' as const } };
    const stems = { en: 'invitation', de: 'Einladung', fr: 'invitation', fi: 'kutsu', sv: 'inbjudan' };
    expect(textOf(invited, locale)).toContain(stems[locale]);
    for (const request of [signed, cancelled]) expect(textOf(request, locale)).not.toContain(stems[locale]);
  });
});
