import { type Flow, type FlowEvent, nextFlow, STEPS, startFlow } from '../../../web/signing/flow/flow.ts';
import { LINK_STATUS, VIEW, viewWith } from './view.ts';

const after = (events: FlowEvent[], from: Flow = startFlow(null)) => events.reduce(nextFlow, from);
const opened: FlowEvent = { type: 'link_opened', linkStatus: LINK_STATUS };
const admitted: FlowEvent = { type: 'session_started', view: VIEW };
const signed: FlowEvent = {
  type: 'signed',
  answer: {
    status: 'signed',
    signed_at: '2026-11-21T10:05:00.000Z',
    remaining_pending_signers: 1,
    request_status: 'opened',
  },
};

describe('the steps', () => {
  it('the steps lead from the code to the document, to signing and to the last step', () => {
    expect(after([opened]).screen).toBe('code');
    expect(after([opened, admitted]).screen).toBe('document');
    expect(after([opened, admitted, { type: 'navigated', step: 'sign' }]).screen).toBe('sign');
    const end = after([opened, admitted, { type: 'navigated', step: 'sign' }, signed]);
    expect(end).toMatchObject({ screen: 'done', signedAt: '2026-11-21T10:05:00.000Z' });
    expect(end.view?.others).toEqual({ total: 2, signed: 1 });
  });

  it('no later step is shown before a code was accepted', () => {
    for (const step of STEPS) expect(after([opened, { type: 'navigated', step }]).screen).toBe('code');
  });

  it('the browser’s back button leads to no step of a link that was not opened', () => {
    const trouble = after([{ type: 'opening_failed' }]);
    for (const step of STEPS) expect(after([{ type: 'navigated', step }], trouble).screen).toBe('trouble');
  });

  it('a signer who has signed stays on the last step, whichever step the browser requests', () => {
    for (const step of STEPS) {
      expect(after([opened, admitted, signed, { type: 'navigated', step }]).screen).toBe('done');
    }
  });

  it('a view from before the signature, which arrives after it, changes nothing', () => {
    const done = after([opened, admitted, signed]);
    expect(nextFlow(done, { type: 'view_refreshed', view: VIEW })).toBe(done);
  });

  it('a signer who signed before starts on the last step', () => {
    const view = viewWith({ signer: { status: 'signed' } });
    expect(after([opened, { type: 'session_started', view }]).screen).toBe('done');
  });

  it('a reload continues at the step that the tab remembers', () => {
    expect(after([opened, admitted], startFlow('sign')).screen).toBe('sign');
    expect(after([opened, admitted], startFlow('decline')).screen).toBe('decline');
    expect(after([opened, admitted], startFlow('done')).screen).toBe('document');
  });
});

describe('a session that ends', () => {
  it('when the session ends, the page forgets the request, asks for a code and returns to the same step', () => {
    const ended = after([opened, admitted, { type: 'navigated', step: 'sign' }, { type: 'session_ended' }]);
    expect(ended).toMatchObject({ screen: 'code', view: null, notice: 'session_ended', returnTo: 'sign' });
    expect(ended.linkStatus?.code_expires_at).toBeNull();
    const back = after([admitted], ended);
    expect(back).toMatchObject({ screen: 'sign', notice: null });
  });
});

describe('a link that ends', () => {
  it('an ended link stays ended, whatever answers arrive later', () => {
    const over = after([opened, admitted, { type: 'link_ended', reason: 'link_cancelled' }]);
    expect(over).toMatchObject({ screen: 'ended', endReason: 'link_cancelled', view: null });
    expect(after([opened, admitted, signed, { type: 'navigated', step: 'sign' }], over)).toBe(over);
  });

  it.each([
    ['cancelled', 'link_cancelled'],
    ['expired', 'link_expired'],
    ['declined', 'link_invalidated'],
  ] as const)('a refreshed view whose request is %s ends the link', (status, reason) => {
    const view = viewWith({ request: { status } });
    expect(after([opened, admitted, { type: 'view_refreshed', view }]).endReason).toBe(reason);
  });

  it('a signer who has signed stays on the last step when the request ends', () => {
    const view = viewWith({ request: { status: 'declined' }, signer: { status: 'signed' } });
    expect(after([opened, admitted, signed, { type: 'view_refreshed', view }]).screen).toBe('done');
  });
});

describe('codes', () => {
  it('a wrong code reduces the attempts left', () => {
    const wrong = after([
      opened,
      { type: 'code_failed', problem: { at: 'verify', kind: 'wrong', attemptsLeft: 3 } },
    ]);
    expect(wrong.linkStatus?.attempts_left).toBe(3);
  });

  it('if the mail with a new code fails, no code is said to work', () => {
    const failed = after([opened, { type: 'code_failed', problem: { at: 'send', kind: 'email_failed' } }]);
    expect(failed.linkStatus?.code_expires_at).toBeNull();
  });

  it.each([
    { at: 'send', kind: 'email_failed' },
    { at: 'verify', kind: 'expired' },
  ] as const)(
    'no code is said to be on its way once the one that was sent no longer works: $kind',
    (problem) => {
      const answer = { sent: true as const, code_expires_at: '2026-11-21T10:31:00.000Z', next_code_at: '' };
      const failed = after([opened, { type: 'code_sent', answer }, { type: 'code_failed', problem }]);
      expect(failed.codeSent).toBeNull();
    },
  );

  it('a new code unlocks a locked link', () => {
    const locked = after([opened, { type: 'link_locked', until: '2026-11-21T10:20:00.000Z' }]);
    expect(locked.linkStatus).toMatchObject({
      locked_until: '2026-11-21T10:20:00.000Z',
      code_expires_at: null,
    });
    const answer = {
      sent: true as const,
      code_expires_at: '2026-11-21T10:31:00.000Z',
      next_code_at: '2026-11-21T10:21:30.000Z',
    };
    const sent = after([{ type: 'code_sent', answer }], locked);
    expect(sent.linkStatus).toMatchObject({ locked_until: null, code_expires_at: answer.code_expires_at });
  });

  it('opening the link again does not change the step', () => {
    expect(after([opened, opened]).screen).toBe('code');
    expect(after([opened, admitted, opened]).screen).toBe('document');
  });
});

it('a notice is cleared when the step changes, and kept while it stays', () => {
  const noticed = after([opened, admitted, { type: 'notice_changed', notice: 'document_changed' }]);
  expect(after([{ type: 'navigated', step: 'document' }], noticed).notice).toBe('document_changed');
  expect(after([{ type: 'navigated', step: 'sign' }], noticed).notice).toBeNull();
});
