import { SealError } from '../shared/sealing/errors.ts';
import type { Known } from '../shared/sealing/long-term/chain.ts';
import { type Prove, prover } from '../shared/sealing/long-term/prove.ts';
import { guardedRetrieve } from '../shared/stamping/retrieve.ts';
import { resolveWith } from '../shared/webhooks/addresses.ts';
import type { Operator } from './operator.ts';
import { confirm } from './terminal.ts';

/** Asks the addresses that certificates name from the operator's machine. */
export const proverOf = ({ now, localFolder }: Operator): Prove =>
  prover(guardedRetrieve({ development: localFolder !== undefined, resolve: resolveWith() }), now);

/** Above B-T, seals need proofs. A responder may not know a new certificate yet, so the operator decides about the consequence. */
export async function confirmProvable(
  known: Known,
  consequence: string,
  yes: boolean,
  operator: Operator,
): Promise<void> {
  const level = operator.outputIfAny('SealLevel') ?? 'B-T';
  if (level === 'B-T') return;
  try {
    await proverOf(operator)(known);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    await confirm(operator.terminal, `At ${level} ${consequence} (${error.told}).`, yes);
  }
}
