import type { Fault } from '../ports.ts';
import { type Service, ServiceError } from './service.ts';

interface ArmedFault {
  fault: Fault;
  remaining: number;
}

/** Injected faults. Each fires once, at the nth matching call after it was added. */
export function openFaults(services: ReadonlyMap<string, Service>) {
  let all: ArmedFault[] = [];
  return {
    /** Refuses a fault that no call can match: a test of it would prove nothing. */
    add(fault: Fault): void {
      const { service, operation } = fault;
      if (!services.get(service)?.operations.includes(operation))
        throw new ServiceError('invalid_request', `The local cloud has no call ${service} ${operation}.`);
      all.push({ fault, remaining: Math.max(1, fault.after) });
    },

    /** Every matching fault counts the call; the first that reaches its number fires. */
    take(service: string, operation: string, principal: string): Fault | undefined {
      const matching = all.filter(
        ({ fault }) =>
          fault.service === service &&
          fault.operation === operation &&
          (fault.function === undefined || fault.function === principal),
      );
      for (const armed of matching) armed.remaining--;
      const due = matching.find((armed) => armed.remaining <= 0);
      all = all.filter((armed) => armed !== due);
      return due?.fault;
    },

    waiting: (): Fault[] => all.map(({ fault, remaining }) => ({ ...fault, after: remaining })),

    clear(): void {
      all = [];
    },
  };
}

export type Faults = ReturnType<typeof openFaults>;

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
