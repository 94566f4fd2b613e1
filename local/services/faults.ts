import type { Fault } from '../ports.ts';
import { type Service, ServiceError } from './service.ts';

interface ArmedFault {
  fault: Fault;
  remaining: number;
}

/** Injected faults. Each fires once, at the nth matching call after it was added. */
export class Faults {
  readonly #services: ReadonlyMap<string, Service>;
  #armed: ArmedFault[] = [];

  constructor(services: ReadonlyMap<string, Service>) {
    this.#services = services;
  }

  /** Refuses a fault that no call can match: a test of it would prove nothing. */
  add(fault: Fault): void {
    const { service, operation } = fault;
    if (!this.#services.get(service)?.operations.includes(operation))
      throw new ServiceError('invalid_request', `The local cloud has no call ${service} ${operation}.`);
    this.#armed.push({ fault, remaining: Math.max(1, fault.after) });
  }

  /** Every matching fault counts the call; the first that reaches its number fires. */
  take(service: string, operation: string, principal: string): Fault | undefined {
    const matching = this.#armed.filter(
      ({ fault }) =>
        fault.service === service &&
        fault.operation === operation &&
        (fault.function === undefined || fault.function === principal),
    );
    for (const armed of matching) armed.remaining--;
    const due = matching.find((armed) => armed.remaining <= 0);
    this.#armed = this.#armed.filter((armed) => armed !== due);
    return due?.fault;
  }

  waiting(): Fault[] {
    return this.#armed.map(({ fault, remaining }) => ({ ...fault, after: remaining }));
  }

  clear(): void {
    this.#armed = [];
  }
}

/** The HTTP status of AWS errors by name. All others are 400, throttling included. */
const STATUSES: [RegExp, number][] = [
  [/^Internal|^KMSInternal|^DependencyTimeout|^ServiceException$/, 500],
  [/^SlowDown$|^ServiceUnavailable/, 503],
  [/^AccessDenied$|^SignatureDoesNotMatch$|^InvalidAccessKeyId$|^RequestTimeTooSkewed$/, 403],
  [/^TooManyRequestsException$/, 429],
  [/^NoSuch/, 404],
  [/^PreconditionFailed$/, 412],
  [/^ConditionalRequestConflict$/, 409],
];

/** Reasons for which DynamoDB cancels a transaction. */
const CANCELLATIONS: readonly string[] = [
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
];

export function injectedError(code: string): ServiceError {
  const message = `${code}, injected as a fault by the local cloud`;
  if (CANCELLATIONS.includes(code))
    return new ServiceError('TransactionCanceledException', message, 400, {
      CancellationReasons: [{ Code: code }],
    });
  const status = STATUSES.find(([name]) => name.test(code))?.[1] ?? 400;
  return new ServiceError(code, message, status);
}
