import {
  alarms,
  bootstrap,
  credentials,
  edge,
  names,
  sealKey,
  sealLevel,
  stack,
  webhooks,
} from './account.ts';
import type { Check, Finding, Plan } from './check.ts';
import { concurrency } from './concurrency.ts';
import { domain } from './domain.ts';
import { sandbox, sender, sending } from './mail.ts';
import { fargate, prefixList, zones } from './network.ts';
import { counted, logPolicies, roles } from './quotas.ts';
import { table } from './table.ts';

const ALWAYS = [
  bootstrap,
  stack,
  table,
  sealKey,
  sealLevel,
  names,
  sender,
  sending,
  sandbox,
  concurrency,
  alarms,
  edge,
  domain,
  webhooks,
  roles,
  logPolicies,
  ...counted,
];
const FOR_THE_INGEST = [zones, prefixList, fargate];

/** Every action that a preflight needs. docs/deploy.md has them as an IAM policy. */
export const ACTIONS = [
  ...new Set([credentials, ...ALWAYS, ...FOR_THE_INGEST].flatMap(({ actions }) => actions)),
].sort();

interface Report {
  lines: string[];
  /** Whether to deploy: nothing stops it, and everything could be checked. */
  ready: boolean;
}

/** Checks an account and region for a deployment with these options. Calls of AWS only read. */
export async function preflight(plan: Plan): Promise<Report> {
  const checks = plan.options.largeUploads ? [...ALWAYS, ...FOR_THE_INGEST] : ALWAYS;
  const findingsOf = async (check: Check) => ({ name: check.name, found: await carryOut(check, plan) });
  const account = await findingsOf(credentials);
  const works = account.found.some(({ level }) => level === 'ok');
  // Without working credentials all others would fail for the same reason.
  const findings = [account, ...(works ? await Promise.all(checks.map(findingsOf)) : [])];
  const all = findings.flatMap(({ found }) => found);
  const count = (level: Finding['level']) => all.filter((finding) => finding.level === level).length;
  const ready = count('stop') + count('unchecked') === 0;
  const end = ready
    ? `Ready to deploy; ${count('note')} to note.`
    : `Not ready: ${count('stop')} to mend, ${count('unchecked')} unchecked, ${count('note')} to note.`;
  return {
    lines: [...findings.flatMap(({ name, found }) => found.flatMap((one) => linesOf(name, one))), end],
    ready,
  };
}

/** A call that fails leaves one check open, and the others go on. */
async function carryOut(check: Check, plan: Plan): Promise<Finding[]> {
  try {
    return [await check.run(plan)].flat();
  } catch (error) {
    const [name, message] = error instanceof Error ? [error.name, error.message] : ['Error', String(error)];
    return [
      {
        level: 'unchecked',
        // Below its first line the SDK advises its own callers.
        text: `${name}: ${message}`.replace(/\n.*/s, ''),
        advice: `It needs working credentials that allow ${check.actions.join(', ')}. With them, try again: AWS may not have answered.`,
      },
    ];
  }
}

const MARKS = { ok: 'ok       ', note: 'note     ', stop: 'STOP     ', unchecked: 'UNCHECKED' } as const;

const linesOf = (name: string, { level, text, advice }: Finding): string[] => [
  `${MARKS[level]} ${name}: ${text}`,
  ...(advice?.split('\n').map((line) => `            ${line}`) ?? []),
];
