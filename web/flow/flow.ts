import type { CodeSent, RequestView, Signed, Standing } from '../contract.ts';

/** Where the signer is. Steps that the browser's history knows are in STEPS; the others come and go by themselves. */
export const STEPS = ['code', 'document', 'sign', 'decline', 'done'] as const;
export type Step = (typeof STEPS)[number];
export type Screen = Step | 'opening' | 'ended' | 'trouble';

export const DEAD_REASONS = [
  'not_found',
  'link_expired',
  'link_cancelled',
  'link_declined',
  'link_invalidated',
  'request_not_active',
] as const;
export type DeadReason = (typeof DEAD_REASONS)[number];
export const isDead = (code: string): code is DeadReason =>
  (DEAD_REASONS as readonly string[]).includes(code);

/** Why a code was not taken, or why none was sent: each is said beside the button that was pressed. */
export type CodeProblem =
  | { at: 'verify' | 'send'; kind: 'lost' | 'fault' }
  | { at: 'verify'; kind: 'format' | 'expired' }
  | { at: 'verify'; kind: 'wrong'; attemptsLeft: number }
  | { at: 'send'; kind: 'email_failed' }
  | { at: 'send'; kind: 'too_many'; until: string };

/** A sentence above a step, about something that happened to it. */
export type Notice =
  | 'session_ended'
  | 'document_changed'
  | 'consent_changed'
  | 'fault'
  | 'signature_invalid'
  | 'name_invalid';

export interface Flow {
  readonly screen: Screen;
  readonly standing: Standing | null;
  /** What is to be signed. Known only while a session is open. */
  readonly view: RequestView | null;
  readonly deadReason: DeadReason | null;
  /** Where a fresh code leads. */
  readonly returnTo: 'document' | 'sign' | 'decline';
  readonly notice: Notice | null;
  readonly codeProblem: CodeProblem | null;
  readonly codeSent: CodeSent | null;
  readonly signedAt: string | null;
  /** The sealed copy is gone, since then if we know when. */
  readonly purged: { at: string | null } | null;
  readonly connectionLost: boolean;
}

export type FlowEvent =
  | { type: 'opened'; standing: Standing }
  | { type: 'admitted'; view: RequestView }
  | { type: 'refreshed'; view: RequestView }
  | { type: 'went'; step: Step }
  | { type: 'code_sent'; answer: CodeSent }
  | { type: 'code_refused'; problem: CodeProblem }
  | { type: 'locked'; until: string }
  | { type: 'session_ended' }
  | { type: 'signed'; answer: Signed }
  | { type: 'died'; reason: DeadReason }
  | { type: 'noticed'; notice: Notice | null }
  | { type: 'purged'; at: string | null }
  | { type: 'failed' }
  | { type: 'connection'; lost: boolean };

export const startFlow = (rememberedStep: Step | null): Flow => ({
  screen: 'opening',
  standing: null,
  view: null,
  deadReason: null,
  returnTo: rememberedStep === 'sign' || rememberedStep === 'decline' ? rememberedStep : 'document',
  notice: null,
  codeProblem: null,
  codeSent: null,
  signedAt: null,
  purged: null,
  connectionLost: false,
});

const hasSigned = (view: RequestView | null) => view?.signer.status === 'signed';

/** The step that may be shown when one is asked for: going back never leads to what is over or not yet open. */
export function allowedStep(flow: Flow, wanted: Step): Step {
  if (!flow.view) return 'code';
  if (hasSigned(flow.view)) return 'done';
  return wanted === 'code' || wanted === 'done' ? 'document' : wanted;
}

const isWorkStep = (screen: Screen) => screen === 'document' || screen === 'sign' || screen === 'decline';

/** Endings of the whole request, as a signer's view shows them. */
const DEAD_STATUSES: Partial<Record<RequestView['request']['status'], DeadReason>> = {
  cancelled: 'link_cancelled',
  expired: 'link_expired',
  declined: 'link_invalidated',
};

export function next(flow: Flow, event: FlowEvent): Flow {
  // What has ended stays ended, whatever answers still come in.
  if (flow.screen === 'ended' && event.type !== 'connection') return flow;
  switch (event.type) {
    case 'opened':
      return opened(flow, event.standing);
    case 'admitted': {
      const known = { ...flow, view: event.view, codeProblem: null, notice: null };
      return goTo(deadByView(known) ?? known, known.returnTo);
    }
    case 'refreshed': {
      const known = { ...flow, view: event.view };
      if (isWorkStep(flow.screen))
        return deadByView(known) ?? (hasSigned(event.view) ? goTo(known, 'done') : known);
      return known;
    }
    case 'went':
      return goTo(flow, event.step);
    case 'code_sent':
      return {
        ...flow,
        codeSent: event.answer,
        codeProblem: null,
        standing: withNewCode(flow.standing, event.answer),
      };
    case 'code_refused':
      return { ...flow, codeProblem: event.problem, standing: withoutAttempt(flow.standing, event.problem) };
    case 'locked':
      return {
        ...flow,
        codeProblem: null,
        codeSent: null,
        standing: flow.standing && { ...flow.standing, locked_until: event.until, code_expires_at: null },
      };
    case 'session_ended':
      return sessionEnded(flow);
    case 'signed':
      return signed(flow, event.answer);
    case 'died':
      return died(flow, event.reason);
    case 'noticed':
      return { ...flow, notice: event.notice };
    case 'purged':
      return { ...flow, purged: { at: event.at } };
    case 'failed':
      return { ...flow, screen: 'trouble' };
    case 'connection':
      return { ...flow, connectionLost: event.lost };
  }
}

function goTo(flow: Flow, wanted: Step): Flow {
  if (flow.screen === 'ended') return flow;
  const screen = allowedStep(flow, wanted);
  const notice = screen === flow.screen ? flow.notice : null;
  return { ...flow, screen, notice };
}

function opened(flow: Flow, standing: Standing): Flow {
  const screen = flow.screen === 'opening' || flow.screen === 'trouble' ? 'code' : flow.screen;
  return { ...flow, standing, screen };
}

const died = (flow: Flow, reason: DeadReason): Flow => ({
  ...flow,
  screen: 'ended',
  deadReason: reason,
  view: null,
  notice: null,
});

function deadByView(flow: Flow): Flow | null {
  const reason = flow.view && !hasSigned(flow.view) && DEAD_STATUSES[flow.view.request.status];
  return reason ? died(flow, reason) : null;
}

function sessionEnded(flow: Flow): Flow {
  if (flow.screen === 'code') return flow;
  const returnTo = flow.screen === 'sign' || flow.screen === 'decline' ? flow.screen : 'document';
  return {
    ...flow,
    screen: 'code',
    view: null,
    returnTo,
    notice: 'session_ended',
    codeSent: null,
    codeProblem: null,
    standing: flow.standing && { ...flow.standing, code_expires_at: null },
  };
}

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

function withNewCode(standing: Standing | null, sent: CodeSent): Standing | null {
  return standing && { ...standing, code_expires_at: sent.code_expires_at, locked_until: null };
}

function withoutAttempt(standing: Standing | null, problem: CodeProblem): Standing | null {
  if (!standing) return null;
  if (problem.kind === 'wrong') return { ...standing, attempts_left: problem.attemptsLeft };
  if (problem.kind === 'expired') return { ...standing, code_expires_at: null };
  return standing;
}
