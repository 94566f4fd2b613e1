import type { Delay } from '../../parts/delay.ts';
import type { CodeSent, Declined, LinkStatus, RequestView, Signed } from '../contract.ts';

/** The steps that are entries in the browser's history. The other screens are not. */
export const STEPS = ['code', 'document', 'later', 'sign', 'decline', 'done'] as const;
export type Step = (typeof STEPS)[number];
export type Screen = Step | 'opening' | 'ended' | 'trouble';

export const END_REASONS = [
  'not_found',
  'link_expired',
  'link_cancelled',
  'link_declined',
  'link_invalidated',
  'request_not_active',
] as const;
type EndReason = (typeof END_REASONS)[number];
export const isEndReason = (code: string): code is EndReason =>
  (END_REASONS as readonly string[]).includes(code);

/** Says why a code was rejected or not sent. It is shown beside the button that was pressed. */
export type CodeProblem =
  | { at: 'verify' | 'send'; kind: 'lost' | 'fault' }
  | { at: 'verify'; kind: 'format' | 'expired' | 'busy' }
  | { at: 'verify'; kind: 'wrong'; attemptsLeft: number }
  | { at: 'send'; kind: 'email_failed' | 'no_more' }
  | { at: 'send'; kind: 'too_many'; until: string };

/** A message at the top of a step. */
export type Notice =
  | 'session_ended'
  | 'document_changed'
  | 'consent_changed'
  | 'fault'
  | 'signature_invalid'
  | 'name_invalid';

export interface Flow {
  readonly screen: Screen;
  readonly linkStatus: LinkStatus | null;
  /** The request to sign. Null without a session. */
  readonly view: RequestView | null;
  readonly endReason: EndReason | null;
  /** The sender gets an e-mail about this signer’s decline. */
  readonly senderNotified: boolean;
  /** The step to show after the next code. */
  readonly returnTo: 'document' | 'sign' | 'decline';
  readonly notice: Notice | null;
  readonly codeProblem: CodeProblem | null;
  readonly codeSent: CodeSent | null;
  readonly signedAt: string | null;
  /** Set if the sealed document was removed. `at` is null if the time is unknown. */
  readonly purged: { at: string | null } | null;
  readonly delay: Delay | null;
}

export type FlowEvent =
  | { type: 'link_opened'; linkStatus: LinkStatus }
  | { type: 'session_started'; view: RequestView }
  | { type: 'view_refreshed'; view: RequestView }
  | { type: 'navigated'; step: Step }
  | { type: 'code_asked_for' }
  | { type: 'code_sent'; answer: CodeSent }
  | { type: 'code_failed'; problem: CodeProblem }
  | { type: 'code_expired' }
  | { type: 'link_locked'; until: string }
  | { type: 'code_entry_ended' }
  | { type: 'session_ended' }
  | { type: 'signed'; answer: Signed }
  | { type: 'declined'; answer: Declined }
  | { type: 'link_ended'; reason: EndReason }
  | { type: 'notice_changed'; notice: Notice | null }
  | { type: 'document_purged'; at: string | null }
  | { type: 'opening_failed' }
  | { type: 'delayed'; delay: Delay | null };

/** A step that the signer returns to after a new code. */
export const isReturnStep = (step: Screen | null): step is 'sign' | 'decline' =>
  step === 'sign' || step === 'decline';

export const startFlow = (rememberedStep: Step | null): Flow => ({
  screen: 'opening',
  linkStatus: null,
  view: null,
  endReason: null,
  senderNotified: false,
  returnTo: isReturnStep(rememberedStep) ? rememberedStep : 'document',
  notice: null,
  codeProblem: null,
  codeSent: null,
  signedAt: null,
  purged: null,
  delay: null,
});

const hasSigned = (view: RequestView | null) => view?.signer.status === 'signed';

const withView = (flow: Flow, view: RequestView): Flow => ({
  ...flow,
  view,
  purged: view.request.purged_at ? { at: view.request.purged_at } : flow.purged,
});

/** The step to show when `wanted` is requested: never one that is over or not yet open. */
function allowedStep(flow: Flow, wanted: Step): Step {
  if (!flow.view) return 'code';
  if (hasSigned(flow.view)) return 'done';
  return wanted === 'code' || wanted === 'done' ? 'document' : wanted;
}

const WORK_STEPS: readonly Screen[] = ['document', 'later', 'sign', 'decline'];
const isWorkStep = (screen: Screen) => WORK_STEPS.includes(screen);

/** Request statuses that end the link of a signer who has not signed. */
const END_REASON_BY_STATUS: Partial<Record<RequestView['request']['status'], EndReason>> = {
  cancelled: 'link_cancelled',
  expired: 'link_expired',
  declined: 'link_invalidated',
};

export function nextFlow(flow: Flow, event: FlowEvent): Flow {
  // An ended link stays ended, whatever answers arrive later.
  if (flow.screen === 'ended' && event.type !== 'delayed') return flow;
  switch (event.type) {
    case 'link_opened':
      return opened(flow, event.linkStatus);
    case 'session_started': {
      const updated = { ...withView(flow, event.view), codeProblem: null, notice: null };
      return goTo(endedByStatus(updated) ?? updated, updated.returnTo);
    }
    case 'view_refreshed': {
      // It was requested before the signature, and arrived after it.
      if (hasSigned(flow.view) && !hasSigned(event.view)) return flow;
      const updated = withView(flow, event.view);
      if (isWorkStep(flow.screen))
        return endedByStatus(updated) ?? (hasSigned(event.view) ? goTo(updated, 'done') : updated);
      return updated;
    }
    case 'navigated':
      // A link that was not opened has no steps yet.
      return flow.linkStatus ? goTo(flow, event.step) : flow;
    case 'code_asked_for':
      return { ...flow, codeProblem: null };
    case 'code_sent':
      return {
        ...flow,
        codeSent: event.answer,
        codeProblem: null,
        linkStatus: withNewCode(flow.linkStatus, event.answer),
      };
    case 'code_failed':
      return { ...afterFailedCode(flow, event.problem), codeProblem: event.problem };
    case 'code_expired':
      return codeExpired(flow);
    case 'link_locked':
      return codeEnded(flow, { locked_until: event.until });
    case 'code_entry_ended':
      return codeEnded(flow, { code_entry_ended: true });
    case 'session_ended':
      return sessionEnded(flow);
    case 'signed':
      return signed(flow, event.answer);
    case 'declined':
      return { ...ended(flow, 'link_declined'), senderNotified: event.answer.sender_notified };
    case 'link_ended':
      return ended(flow, event.reason);
    case 'notice_changed':
      return { ...flow, notice: event.notice };
    case 'document_purged':
      return { ...flow, purged: { at: event.at } };
    case 'opening_failed':
      return { ...flow, screen: 'trouble' };
    case 'delayed':
      return { ...flow, delay: event.delay };
  }
}

function goTo(flow: Flow, wanted: Step): Flow {
  if (flow.screen === 'ended') return flow;
  const screen = allowedStep(flow, wanted);
  const notice = screen === flow.screen ? flow.notice : null;
  return { ...flow, screen, notice };
}

function opened(flow: Flow, linkStatus: LinkStatus): Flow {
  const screen = flow.screen === 'opening' ? 'code' : flow.screen;
  // The sender has sent a newer code.
  const isRenewed = flow.codeProblem?.kind === 'expired' && linkStatus.code_expires_at !== null;
  return { ...flow, linkStatus, screen, codeProblem: isRenewed ? null : flow.codeProblem };
}

const ended = (flow: Flow, reason: EndReason): Flow => ({
  ...flow,
  screen: 'ended',
  endReason: reason,
  // After declining it is kept for the link back to the sender's page, even if the response was lost.
  view: reason === 'link_declined' ? flow.view : null,
  notice: null,
});

function endedByStatus(flow: Flow): Flow | null {
  const reason = flow.view && !hasSigned(flow.view) && END_REASON_BY_STATUS[flow.view.request.status];
  return reason ? ended(flow, reason) : null;
}

function sessionEnded(flow: Flow): Flow {
  if (flow.screen === 'code') return flow;
  const returnTo = isReturnStep(flow.screen) ? flow.screen : 'document';
  return { ...codeEnded(flow), screen: 'code', view: null, returnTo, notice: 'session_ended' };
}

/** The code that was sent no longer works. */
const codeEnded = (flow: Flow, change: Partial<LinkStatus> = {}): Flow => ({
  ...flow,
  codeProblem: null,
  codeSent: null,
  linkStatus: flow.linkStatus && { ...flow.linkStatus, code_expires_at: null, ...change },
});

/** If the next code could not be mailed, that is the newer news. */
const codeExpired = (flow: Flow): Flow =>
  flow.codeProblem?.kind === 'email_failed'
    ? flow
    : { ...codeEnded(flow), codeProblem: { at: 'verify', kind: 'expired' } };

function signed(flow: Flow, answer: Signed): Flow {
  if (!flow.view) return flow;
  const { view } = flow;
  const after: RequestView = {
    ...view,
    request: { ...view.request, status: answer.request_status },
    signer: { ...view.signer, status: 'signed' },
    others: { ...view.others, signed: view.others.total - answer.remaining_pending_signers },
  };
  return { ...flow, view: after, signedAt: answer.signed_at, screen: 'done', notice: null };
}

function withNewCode(linkStatus: LinkStatus | null, sent: CodeSent): LinkStatus | null {
  return linkStatus && { ...linkStatus, code_expires_at: sent.code_expires_at, locked_until: null };
}

function afterFailedCode(flow: Flow, problem: CodeProblem): Flow {
  const { linkStatus } = flow;
  if (problem.kind === 'wrong')
    return { ...flow, linkStatus: linkStatus && { ...linkStatus, attempts_left: problem.attemptsLeft } };
  // A new code invalidates the old one even if it could not be mailed.
  const hasEnded = problem.kind === 'expired' || problem.kind === 'email_failed';
  return hasEnded ? codeEnded(flow) : flow;
}
