/** All functions of the stack, invoked by name or ARN. */
import { type FunctionPlan, functionNameOf } from '../assembly/plan.ts';
import type { LocalClock } from '../clock.ts';
import type { InvokeFunction, Services } from '../ports.ts';
import type { State } from '../state.ts';
import { AsyncEvents } from './asyncEvents.ts';
import { type FunctionHost, InvokeRefused, LambdaFunction } from './lambdaFunction.ts';

export class Functions {
  readonly #functions = new Map<string, LambdaFunction>();
  readonly #events: AsyncEvents;

  constructor(
    plans: Iterable<FunctionPlan>,
    host: FunctionHost,
    state: State,
    clock: LocalClock,
    services: Services,
  ) {
    for (const plan of plans) this.#functions.set(plan.name, new LambdaFunction(plan, host));
    this.#events = new AsyncEvents(state, clock, this.#functions, (queue, body) =>
      services.send(queue, body),
    );
  }

  get(nameOrArn: string): LambdaFunction {
    const found = this.#functions.get(functionNameOf(nameOrArn));
    if (found) return found;
    throw new InvokeRefused('ResourceNotFoundException', 404, `Function not found: ${nameOrArn}`);
  }

  readonly invoke: InvokeFunction = async (nameOrArn, payload, type) => {
    const target = this.get(nameOrArn);
    if (type === 'Event') {
      this.#events.enqueue(target.plan.name, payload);
      return { payload: new Uint8Array() };
    }
    const { payload: answer, functionError } = await target.invoke(payload);
    return functionError ? { payload: answer, functionError } : { payload: answer };
  };

  resumeEvents(): void {
    this.#events.resume();
  }

  /** The function that a person means: by its name, its logical id, or an unmistakable end or part of its name. */
  find(name: string): FunctionPlan | undefined {
    const plans = [...this.#functions.values()].map(({ plan }) => plan);
    const exact = plans.find((plan) => plan.name === name || plan.id === name);
    if (exact) return exact;
    const named = plans.filter((plan) => plan.name.endsWith(`-${name}`));
    if (named.length === 1) return named[0];
    const alike = plans.filter((plan) => plan.name.toLowerCase().includes(name.toLowerCase()));
    return alike.length === 1 ? alike[0] : undefined;
  }

  kill(functionName: string, accessKeyId: string): void {
    this.#functions.get(functionName)?.kill(accessKeyId);
  }

  stop(): void {
    this.#events.stop();
    for (const one of this.#functions.values()) one.stop();
  }
}
