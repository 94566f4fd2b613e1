import { sha256Hex } from '../runtime/hash.ts';
import { errorFields, log } from '../runtime/log.ts';
import { present } from '../runtime/present.ts';
import { after, DAY, HOUR, MINUTE } from '../runtime/time.ts';
import { readCertificate } from '../sealing/certificate.ts';
import { SealError } from '../sealing/errors.ts';
import { attempt } from '../sealing/faults.ts';
import type { LongTerm } from '../sealing/level.ts';
import type { Known } from '../sealing/long-term/chain.ts';
import { type ProvedChain, Revoked } from '../sealing/long-term/proof.ts';
import { type Prove, proveFrom, prover } from '../sealing/long-term/prove.ts';
import type { Retrieve } from '../sealing/long-term/retrieve.ts';
import { allProofs, findProofs, type KeptProofs, keepProofs, noteAttempt } from '../store/proofs.ts';
import type { Table } from '../store/table.ts';

interface Keeping {
  table: Table;
  retrieve: Retrieve;
  now: () => Date;
}

/** The proofs for seals of this level; undefined at B-T, which needs none. */
export function longTermAt(level: string, keeping: Keeping): LongTerm | undefined {
  if (level === 'B-T') return undefined;
  if (level !== 'B-LT' && level !== 'B-LTA') throw new Error(`There is no seal level ${level}.`);
  return { level, prove: keptProver(keeping) };
}

/** Proofs are used only if they hold this much longer, enough to finish a seal. */
const MARGIN = 10 * MINUTE;
/** Proofs in memory are read again after this time, so that functions notice revocations found by the job. */
const MEMORY_LIFE = 10 * MINUTE;
/** Renew at least this often, however long the answers hold, to notice a revocation. */
const LONGEST_REST = DAY;
/** An item's limit, less its other attributes. Larger proofs are gathered for each seal. */
const MAX_KEPT_BYTES = 250 * 1024;

/**
 * Proves chains from memory, then from proofs kept in the table, which are verified when read. Gathers missing or ending proofs
 * and keeps them, so that the job renews them from then on.
 */
export function keptProver({ table, retrieve, now }: Keeping): Prove {
  const memory = new Map<string, { proved: ProvedChain; readAt: Date }>();
  const gather = prover(retrieve, now);
  return async (known) => {
    const id = idOf(known);
    const { proved: inMemory, readAt } = memory.get(id) ?? {};
    const isFresh = readAt !== undefined && now().getTime() - readAt.getTime() < MEMORY_LIFE;
    if (isFresh && inMemory && holds(inMemory, known, now())) return inMemory;
    const kept = await findProofs(table, id);
    const proved = (kept && usable(kept, known, now())) ?? (await gather(known));
    if (!kept || kept.until !== untilOf(proved)) await keep(table, id, proved, now());
    memory.set(id, { proved, readAt: now() });
    return proved;
  };
}

const idOf = ({ certificates: [own] }: Known): string => sha256Hex(present(own, 'certificate').der);

function holds(proved: ProvedChain, { anchors }: Known, now: Date): boolean {
  const last = proved.chain.at(-1);
  const endsRight =
    anchors.length === 0 || anchors.some((anchor) => last && sha256Hex(anchor.der) === sha256Hex(last.der));
  return endsRight && proved.proofs.every(({ until }) => until.getTime() - now.getTime() > MARGIN);
}

/** The kept proofs, if they prove the chain with today's pinned certificates. */
function usable(kept: KeptProofs, known: Known, now: Date): ProvedChain | undefined {
  return attempt(() => {
    const { certificates, answers } = decoded(kept);
    const all = { certificates: [...known.certificates, ...certificates], anchors: known.anchors };
    const proved = proveFrom(all, answers, now);
    return holds(proved, known, now) ? proved : undefined;
  });
}

const decoded = ({ chain, answers }: KeptProofs) => ({
  certificates: chain.map((text) => readCertificate(Buffer.from(text, 'base64'))),
  answers: answers.map(({ kind, der }) => ({ kind, der: Buffer.from(der, 'base64') })),
});

const untilOf = ({ chain, proofs }: ProvedChain): string =>
  new Date(
    Math.min(
      ...proofs.map(({ until }) => until.getTime()),
      present(chain[0], 'certificate').notAfter.getTime(),
    ),
  ).toISOString();

async function keep(table: Table, certificateSha256: string, proved: ProvedChain, now: Date): Promise<void> {
  const { chain, proofs } = proved;
  const size = [...chain, ...proofs].reduce((sum, { der }) => sum + der.length, 0);
  if (size > MAX_KEPT_BYTES) {
    log.warn('Proofs are too long to be kept', { bytes: size });
    return;
  }
  const base64 = (der: Uint8Array) => Buffer.from(der).toString('base64');
  const until = untilOf(proved);
  const rest = Math.min((Date.parse(until) - now.getTime()) / 2, LONGEST_REST);
  await keepProofs(table, {
    certificateSha256,
    chain: chain.map(({ der }) => base64(der)),
    answers: proofs.map(({ kind, der }) => ({ kind, der: base64(der) })),
    gatheredAt: now.toISOString(),
    until,
    certificateEnds: present(chain[0], 'certificate').notAfter.toISOString(),
    failures: 0,
    nextAttemptAt: after(now, rest),
  });
}

interface Gathered {
  due: number;
  done: number;
  failed: number;
  /** Not renewed although three quarters of their time are over. */
  runningOut: number;
}

/** Renews proofs at half of their time, with back-off after failures. */
export async function renewProofs({ table, retrieve, now }: Keeping): Promise<Gathered> {
  const gathered: Gathered = { due: 0, done: 0, failed: 0, runningOut: 0 };
  for (const kept of await allProofs(table)) {
    if (Date.parse(kept.certificateEnds) < now().getTime()) continue;
    let isRenewed = false;
    if (Date.parse(kept.nextAttemptAt) <= now().getTime()) {
      gathered.due += 1;
      isRenewed = await renew({ table, retrieve, now }, kept);
      gathered[isRenewed ? 'done' : 'failed'] += 1;
    }
    if (!isRenewed && runsOut(kept, now())) gathered.runningOut += 1;
  }
  return gathered;
}

/** Proofs that ended this long ago belong to a replaced certificate. A seal that still needs them gathers them itself. */
const UNUSED_AFTER = 30 * DAY;

/** True when three quarters of the time are over. Not for revoked certificates, whose seals fail with their own alarm. */
const runsOut = ({ answers, gatheredAt, until }: KeptProofs, now: Date): boolean => {
  const [from, to] = [Date.parse(gatheredAt), Date.parse(until)];
  const isUsed = answers.length > 0 && now.getTime() - to <= UNUSED_AFTER;
  return isUsed && now.getTime() - from > 0.75 * (to - from);
};

/** Catches every error, so that one chain does not keep the others from being renewed. */
async function renew({ table, retrieve, now }: Keeping, kept: KeptProofs): Promise<boolean> {
  try {
    const { certificates } = decoded(kept);
    // Pin the end of the kept chain, which was a pinned certificate or a root.
    const proved = await prover(retrieve, now)({ certificates, anchors: certificates.slice(-1) });
    await keep(table, kept.certificateSha256, proved, now());
    return true;
  } catch (error) {
    log.warn('Proofs could not be renewed', { ...errorFields(error), until: kept.until });
    const failures = kept.failures + 1;
    const wait = Math.min(HOUR * 2 ** (failures - 1), MAX_WAIT);
    const attempt = { failures, nextAttemptAt: after(now(), wait - MARGIN) };
    // Drop the proofs of a revoked certificate, so that the next seal asks and learns of it.
    if (isRevocation(error)) await keepProofs(table, { ...kept, ...attempt, answers: [] });
    else await noteAttempt(table, { ...kept, ...attempt });
    return false;
  }
}

const isRevocation = (error: unknown): boolean =>
  error instanceof SealError && error.cause instanceof Revoked;

const MAX_WAIT = 4 * HOUR;
