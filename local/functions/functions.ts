/** The functions of the stack by name or ARN. */
import { type FunctionPlan, functionNameOf } from '../assembly/plan.ts';
import type { LocalClock } from '../clock.ts';
import type { InvokeFunction, Services } from '../ports.ts';
import { ServiceError } from '../services/service.ts';
import type { State } from '../state.ts';
import { type AsyncEvents, openAsyncEvents } from './async-events.ts';
import { Concurrency, type FunctionHost, LambdaFunction } from './lambda-function.ts';

export class Functions {
  readonly #functions = new Map<string, LambdaFunction>();
  readonly #events: AsyncEvents;

  constructor(
    plans: Iterable<FunctionPlan>,
    host: FunctionHost,
    state: State,
    clock: LocalClock,
    services: Services,
    accountConcurrency = Number.POSITIVE_INFINITY,
  ) {
    const all = [...plans];
    const reserved = all.reduce((sum, { reservedConcurrency = 0 }) => sum + reservedConcurrency, 0);
    const shared = new Concurrency(accountConcurrency - reserved);
    for (const plan of all) {
      // At once, not at its first call: an upload form that it signed in an earlier run is valid in this one too.
      host.admit(plan);
      const { reservedConcurrency: own } = plan;
      const concurrency = own === undefined ? shared : new Concurrency(own);
      this.#functions.set(plan.name, new LambdaFunction(plan, host, concurrency));
    }
    this.#events = openAsyncEvents(state, clock, this.#functions, (queue, body) =>
      services.send(queue, body),
    );
  }

  get(nameOrArn: string): LambdaFunction {
    const found = this.#functions.get(functionNameOf(nameOrArn));
    if (found) return found;
    throw new ServiceError('ResourceNotFoundException', `Function not found: ${nameOrArn}`, 404);
  }

  readonly invoke: InvokeFunction = async (nameOrArn, payload, type) => {
    const target = this.get(nameOrArn);
    if (type === 'Event') {
      this.#events.enqueue(target.plan.name, payload);
      return { payload: new Uint8Array() };
    }
    return target.invoke(payload);
  };

  resumeEvents(): void {
    this.#events.resume();
  }

  /** Waits for the function's asynchronous invocations that are under way. */
  untilAttempted(functionName: string): Promise<void> {
    return this.#events.untilAttempted(functionName);
  }

  /** Finds a function by its name, its logical id, or a unique end or part of its name. */
  find(name: string): FunctionPlan | undefined {
    const plans = [...this.#functions.values()].map(({ plan }) => plan);
    const exact = plans.find((plan) => plan.name === name || plan.id === name);
    if (exact) return exact;
    const named = plans.filter((plan) => plan.name.endsWith(`-${name}`));
    if (named.length === 1) return named[0];
    const matching = plans.filter((plan) => plan.name.toLowerCase().includes(name.toLowerCase()));
    return matching.length === 1 ? matching[0] : undefined;
  }

  async kill(functionName: string, accessKeyId: string): Promise<void> {
    await this.#functions.get(functionName)?.kill(accessKeyId);
  }

  stop(): void {
    this.#events.stop();
    for (const one of this.#functions.values()) one.stop();
  }
}
