import type { Services } from '../../local/ports.ts';
import { someOf } from './thorough.ts';

type Command = () => Promise<unknown>;

const OPERATOR = 'operator';

/** The SDK does not repeat a call after it, so the command gets no further. */
const NO_FURTHER = { effect: 'error', error_code: 'ValidationException' } as const;

const WAYS = ['kill-after', 'kill'] as const;

/** A death at one of them leaves what the write before it left. */
const READS = /^(Get|Query|Describe|List)/;

/**
 * Runs a story once for each way in which an operator's command can die at a write: before it, and after it, when nobody
 * learned its answer. The story runs the command by `dying`, and repairs and checks what is left. Before all these it runs
 * undisturbed, which shows the writes.
 */
export async function eachDeath(
  services: Pick<Services, 'addFault' | 'clearFaults' | 'clearCalls' | 'calls' | 'faults'>,
  story: (dying: (command: Command) => Promise<void>) => Promise<void>,
): Promise<void> {
  const writes: { service: string; operation: string; after: number }[] = [];
  await story(async (command) => {
    services.clearCalls();
    await command();
    for (const { function: caller, service, operation } of services.calls()) {
      if (caller !== OPERATOR || READS.test(operation)) continue;
      const before = writes.filter((write) => write.service === service && write.operation === operation);
      writes.push({ service, operation, after: before.length + 1 });
    }
  });
  const deaths = writes.flatMap((write) => WAYS.map((effect) => ({ write, effect })));
  for (const { write, effect } of someOf(deaths, 3)) {
    const die = async (command: Command) => {
      const fault = { ...write, function: OPERATOR };
      if (effect === 'kill-after') services.addFault({ ...fault, effect });
      // The write itself, or the SDK's second try.
      const after = effect === 'kill' ? write.after : write.after + 1;
      services.addFault({ ...fault, ...NO_FURTHER, after });
      // A message that a queue does not take is left to the sweep, without an error.
      await command().catch(() => undefined);
      if (services.faults().length > 0) throw new Error('The command did not come as far.');
    };
    await story(die).catch((cause: unknown) => {
      throw new Error(`After ${effect} at ${write.operation} ${write.after}`, { cause });
    });
  }
}
