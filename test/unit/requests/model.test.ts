import {
  listedState,
  notice,
  requestContent,
  requestState,
  signerState,
} from '../../../shared/requests/model.ts';
import { summaryView } from '../../../shared/views/signature-request.ts';
import { applied, NOON, newRequest, sentRequest, signedBy } from '../../support/requests.ts';
import { iso, signerOf, withSigner, withState } from './rules.ts';

/** A request in which every member that can be empty holds something. */
const full = () => {
  const request = sentRequest(1);
  const signed = applied(request, signedBy(request, 0));
  const told = withSigner(signed, {
    code: { hash: 'h', expiresAt: iso(1) },
    sessions: [{ hash: 's', expiresAt: iso(2) }],
    codeRequests: [iso(3)],
    wrongCodes: [iso(4)],
    returnedMails: [
      { id: 'm-1', kind: 'invitation', sentAt: iso(5), outcome: 'bounced', at: iso(6) },
      { id: 'm-2', kind: 'resend', sentAt: iso(7), outcome: 'complained', at: iso(8) },
    ],
  });
  return withState(told, {
    ownerType: 'user',
    createdBy: { userId: 'user-1', email: 'eva@example.com' },
    seal: { sealedAt: iso(9), objectKey: 'k', size: 9, pagesAdded: 1, technical: { algorithm: 'rsa' } },
    renewal: { dueAt: iso(10), endsAt: iso(11), failures: 1, fault: 'away', nextAttemptAt: iso(12) },
    renewed: { number: 1, at: iso(13), documentHash: 'd', evidenceHash: 'e' },
  });
};

describe('a stored request', () => {
  it('is read as it was written', () => {
    const { state, signers } = full();
    expect(requestState.parse(state)).toEqual(state);
    expect(signerState.array().parse(signers)).toEqual(signers);
    const content = {
      ...newRequest(1).request.content,
      attachments: { count: 2, listed: [{ filename: 'a.xml', size: 3 }] },
      returnUrl: 'https://example.com/done',
    };
    expect(requestContent.parse(content)).toEqual(content);
  });

  it('from before wrong codes, sessions and mails were kept has none of them', () => {
    const signer = signerOf(newRequest(1).request);
    const { wrongCodes: _w, sessions: _s, mails: _m, returnedMails: _r, ...earlier } = signer;
    expect(signerState.parse(earlier)).toEqual(signer);
  });

  it('is listed with all that a list shows of it', () => {
    const { state } = withState(full(), {
      mode: 'test',
      sentAt: iso(1),
      signedAt: iso(2),
      cancelledAt: iso(3),
      reference: 'r',
    });
    expect(summaryView(listedState.parse(state), NOON)).toEqual(summaryView(state, NOON));
  });
});

it('a notice that waits in the queue is read as it was written', () => {
  const waiting = { reason: 'expired', recipients: ['sender', 'signer-1'], about: ['signer-2'] };
  expect(notice.parse(waiting)).toMatchObject(waiting);
});
