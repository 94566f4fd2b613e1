import { type Flow, type FlowEvent, next, STEPS, startFlow } from '../../../web/flow/flow.ts';
import { STANDING, VIEW, viewWith } from './view.ts';

const after = (events: FlowEvent[], from: Flow = startFlow(null)) => events.reduce(next, from);
const opened: FlowEvent = { type: 'opened', standing: STANDING };
const admitted: FlowEvent = { type: 'admitted', view: VIEW };
const signed: FlowEvent = {
  type: 'signed',
  answer: {
    status: 'signed',
    signed_at: '2026-11-21T10:05:00.000Z',
    remaining_pending_signers: 1,
    request_status: 'opened',
  },
};

describe('the way through the steps', () => {
  it('goes from the code to the document, to signing and to the end', () => {
    expect(after([opened]).screen).toBe('code');
    expect(after([opened, admitted]).screen).toBe('document');
    expect(after([opened, admitted, { type: 'went', step: 'sign' }]).screen).toBe('sign');
    const end = after([opened, admitted, { type: 'went', step: 'sign' }, signed]);
    expect(end).toMatchObject({ screen: 'done', signedAt: '2026-11-21T10:05:00.000Z' });
    expect(end.view?.others).toEqual({ total: 2, signed: 1 });
  });

  it('shows no step behind the code while the code is not given', () => {
    for (const step of STEPS) expect(after([opened, { type: 'went', step }]).screen).toBe('code');
  });

  it('never leads back to signing once it is signed, whichever way the browser goes', () => {
    for (const step of STEPS) {
      expect(after([opened, admitted, signed, { type: 'went', step }]).screen).toBe('done');
    }
  });

  it('leads a signer who had signed before straight to the end', () => {
    const view = viewWith({ signer: { status: 'signed' } });
    expect(after([opened, { type: 'admitted', view }]).screen).toBe('done');
  });

  it('comes back after a reload to the step that the tab remembers', () => {
    expect(after([opened, admitted], startFlow('sign')).screen).toBe('sign');
    expect(after([opened, admitted], startFlow('decline')).screen).toBe('decline');
    expect(after([opened, admitted], startFlow('done')).screen).toBe('document');
  });
});

describe('a session that ends', () => {
  it('asks for a code, forgets what it knew of the document, and leads back where the signer was', () => {
    const ended = after([opened, admitted, { type: 'went', step: 'sign' }, { type: 'session_ended' }]);
    expect(ended).toMatchObject({ screen: 'code', view: null, notice: 'session_ended', returnTo: 'sign' });
    expect(ended.standing?.code_expires_at).toBeNull();
    const back = after([admitted], ended);
    expect(back).toMatchObject({ screen: 'sign', notice: null });
  });
});

describe('a link that dies', () => {
  it('stays dead, whatever answers still come in', () => {
    const dead = after([opened, admitted, { type: 'died', reason: 'link_cancelled' }]);
    expect(dead).toMatchObject({ screen: 'ended', deadReason: 'link_cancelled', view: null });
    expect(after([opened, admitted, signed, { type: 'went', step: 'sign' }], dead)).toBe(dead);
  });

  it.each([
    ['cancelled', 'link_cancelled'],
    ['expired', 'link_expired'],
    ['declined', 'link_invalidated'],
  ] as const)('is noticed in a view whose request is %s', (status, reason) => {
    const view = viewWith({ request: { status } });
    expect(after([opened, admitted, { type: 'refreshed', view }]).deadReason).toBe(reason);
  });

  it('leaves one who has signed at the end, where the page says how the request ended', () => {
    const view = viewWith({ request: { status: 'declined' }, signer: { status: 'signed' } });
    expect(after([opened, admitted, signed, { type: 'refreshed', view }]).screen).toBe('done');
  });
});

describe('codes', () => {
  it('counts down the tries', () => {
    const wrong = after([
      opened,
      { type: 'code_refused', problem: { at: 'verify', kind: 'wrong', attemptsLeft: 3 } },
    ]);
    expect(wrong.standing?.attempts_left).toBe(3);
  });

  it('locks, and a new code unlocks', () => {
    const locked = after([opened, { type: 'locked', until: '2026-11-21T10:20:00.000Z' }]);
    expect(locked.standing).toMatchObject({
      locked_until: '2026-11-21T10:20:00.000Z',
      code_expires_at: null,
    });
    const answer = {
      sent: true as const,
      code_expires_at: '2026-11-21T10:31:00.000Z',
      next_code_at: '2026-11-21T10:21:30.000Z',
    };
    const sent = after([{ type: 'code_sent', answer }], locked);
    expect(sent.standing).toMatchObject({ locked_until: null, code_expires_at: answer.code_expires_at });
  });

  it('keep their field when the standing is looked up again', () => {
    expect(after([opened, opened]).screen).toBe('code');
    expect(after([opened, admitted, opened]).screen).toBe('document');
  });
});

it('drops a notice when the step changes, and keeps it while the step stays', () => {
  const noticed = after([opened, admitted, { type: 'noticed', notice: 'document_changed' }]);
  expect(after([{ type: 'went', step: 'document' }], noticed).notice).toBe('document_changed');
  expect(after([{ type: 'went', step: 'sign' }], noticed).notice).toBeNull();
});
