import { LIMITS } from '../../shared/contract/limits.ts';
import type {
  RequestStatus,
  ResentInvitation,
  SignatureRequest,
  SignatureRequestSummary,
} from '../src/node.ts';
import { command } from './command.ts';
import { change, countOf, lineOf, Problem, untilStopped } from './problem.ts';
import { withProgress } from './progress.ts';
import { deadline, table, when } from './text.ts';

const MANY = 25;

export const status = command({
  name: 'status',
  summary: 'Show a request and its signers',
  args: ['ID'],
  options: { wait: { type: 'boolean', help: 'Wait until it is sealed' } },
  run: async ([id = ''], { wait = false }, world) => {
    const { signatureRequests } = await world.client();
    const request = await (wait
      ? withProgress('Waiting for the signers', world, signatureRequests.waitUntilSealed(id))
      : signatureRequests.retrieve(id));
    return { text: textOf(request), json: request };
  },
});

/** A request keeps its status until the daily job has found that its time is over. */
const stateOf = ({ status, is_expired }: Pick<SignatureRequestSummary, 'status' | 'is_expired'>): string =>
  is_expired && status !== 'expired' ? `${status}, time is over` : status;

function textOf(request: SignatureRequest): string {
  const { title, expires_at, document_hash, signers } = request;
  const facts = [
    ['Title', title],
    ['Status', stateOf(request)],
    ...signers.flatMap(({ decline_reason: reason }) => (reason ? [['Reason', reason]] : [])),
    ['Expires', deadline(expires_at)],
    ...(document_hash ? [['SHA-256', document_hash]] : []),
  ];
  const rows = signers.map((signer) => [
    signer.name,
    signer.email,
    standing(signer),
    when(signer.signed_at ?? signer.declined_at ?? signer.opened_at ?? signer.sent_at),
    signer.id,
  ]);
  return `${table(...facts)}\n\n${table(['NAME', 'ADDRESS', 'STATUS', 'SINCE', 'SIGNER'], ...rows)}`;
}

/** A status of "sent" alone would hide a mail that came back. */
function standing({ status, mails }: SignatureRequest['signers'][number]): string {
  const { outcome = 'sent' } = mails.at(-1) ?? {};
  return outcome === 'sent' ? status : `${status}, mail ${outcome}`;
}

export const list = command({
  name: 'list',
  summary: 'List requests, newest first',
  args: [],
  options: {
    status: { type: 'string', value: 'STATUS', help: 'Only these, such as sent, opened, signed or declined' },
    reference: { type: 'string', value: 'TEXT', help: 'Only those with this reference' },
    signer: { type: 'string', value: 'ADDRESS', help: 'Only those to this signer' },
    title: { type: 'string', value: 'TEXT', help: 'Only those whose title begins with this, by title' },
    limit: { type: 'string', value: 'N', help: `At most this many; ${MANY} by default` },
  },
  run: async (_args, { status: state, reference, signer, title, limit = String(MANY) }, world) => {
    const most = countOf('--limit', limit);
    const { signatureRequests } = await world.client();
    const found: SignatureRequestSummary[] = [];
    const filter = {
      // One more tells whether these are all.
      limit: Math.min(most + 1, LIMITS.pageSize),
      status: state as RequestStatus | undefined,
      reference,
      signer_email: signer,
      title_prefix: title,
    };
    for await (const request of signatureRequests.list(filter)) {
      if (found.length === most) {
        world.note(`There are more requests than these ${most}: see --limit.`);
        break;
      }
      found.push(request);
    }
    const rows = found.map((one) => [
      one.id,
      stateOf(one),
      when(one.created_at),
      one.signer_count,
      one.title,
    ]);
    const text =
      rows.length === 0 ? 'None.' : table(['ID', 'STATUS', 'CREATED', 'SIGNERS', 'TITLE'], ...rows);
    return { text, json: found };
  },
});

export const cancel = command({
  name: 'cancel',
  summary: 'Cancel a request: its links stop working',
  args: ['ID'],
  options: { reason: { type: 'string', value: 'TEXT', help: 'Kept in the audit trail' } },
  run: async ([id = ''], { reason }, world) => {
    const { signatureRequests } = await world.client();
    const answer = await change(signatureRequests.cancel(id, { reason }, { signal: untilStopped() }));
    return { text: `${id} is cancelled.`, json: answer };
  },
});

/** The statuses of signers who can still sign. */
const WAITED_FOR: readonly string[] = ['pending', 'sent', 'opened'];

export const resend = command({
  name: 'resend',
  summary: 'Mail a new code to a signer, or to all who have not signed',
  args: ['ID', '[SIGNER]'],
  options: {},
  run: async ([id = '', wanted], _options, world) => {
    const { signatureRequests } = await world.client();
    const { status, signers } = await signatureRequests.retrieve(id);
    const chosen = signers.filter((signer) =>
      wanted === undefined ? WAITED_FOR.includes(signer.status) : isNamed(signer, wanted),
    );
    if (chosen.length === 0)
      throw new Problem(
        wanted
          ? `${id} has no signer ${wanted}.`
          : `Nobody is left to sign: the request’s status is ${status}.`,
      );
    const answers: ResentInvitation[] = [];
    const signal = untilStopped();
    try {
      for (const signer of chosen)
        answers.push(await change(signatureRequests.resend(id, signer.id, {}, { signal })));
    } catch (error) {
      const mailed = chosen.filter((_, index) => answers[index]?.email_sent).map(({ email }) => email);
      if (mailed.length === 0) throw error;
      throw new Problem(`${lineOf(error).line} Mailed before that: ${mailed.join(', ')}.`);
    }
    const rows = answers.map(({ email_sent, email_error }, index) => [
      chosen[index]?.email,
      email_sent ? 'mailed' : `not mailed: ${email_error}`,
    ]);
    const areSent = answers.every(({ email_sent }) => email_sent);
    return { text: table(...rows), json: answers, exitCode: areSent ? 0 : 1 };
  },
});

const isNamed = ({ id, email }: { id: string; email: string }, wanted: string) =>
  id === wanted || email === wanted.toLowerCase();
