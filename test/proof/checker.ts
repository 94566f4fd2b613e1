import { checkCreates } from './checks/creates.ts';
import { checkEvents } from './checks/events.ts';
import { checkFiles } from './checks/files.ts';
import { checkMails } from './checks/mails.ts';
import { checkQueues } from './checks/queues.ts';
import { checkTimes } from './checks/times.ts';
import { checkTrails } from './checks/trail.ts';
import type { Violation } from './checks/violation.ts';
import type { Snapshot } from './snapshot.ts';

/** Proves request by request that nothing is lost, doubled or stuck; returns what speaks against it. */
export const check = (snapshot: Snapshot): Violation[] =>
  [checkCreates, checkTrails, checkTimes, checkFiles, checkEvents, checkMails, checkQueues].flatMap((each) =>
    each(snapshot),
  );

const MOST_SHOWN = 40;

/** Throws with every violation in a line of its own. */
export function assertSound(snapshot: Snapshot): void {
  const violations = check(snapshot);
  if (violations.length === 0) return;
  const lines = violations
    .slice(0, MOST_SHOWN)
    .map(({ rule, request, saw }) => `  ${rule} (${request}): ${saw}`);
  throw new Error(`The checker found ${violations.length} violations:\n${lines.join('\n')}`);
}
