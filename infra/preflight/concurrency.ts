import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { SIGNING } from '../functions.ts';
import type { Options } from '../options.ts';
import { type Check, note, ok, stop } from './check.ts';

/** The concurrency that Lambda keeps for functions without a reservation. */
const KEPT_UNRESERVED = 100;
/** The limit of an account that AWS has not throttled as a new one. */
const USUAL_LIMIT = 1_000;

/** `signing` is reserved for each function of the signers. */
const reserved = ({ reservedConcurrency }: Options): number =>
  Object.entries(reservedConcurrency).reduce(
    (total, [name, count = 0]) => total + count * (name === 'signing' ? Object.keys(SIGNING).length : 1),
    0,
  );

export const concurrency: Check = {
  name: 'Lambda concurrency',
  actions: ['lambda:GetAccountSettings'],
  run: async ({ options, region, settings }) => {
    const { AccountLimit } = await new LambdaClient(settings()).send(new GetAccountSettingsCommand({}));
    const limit = AccountLimit?.ConcurrentExecutions ?? 0;
    const free = (AccountLimit?.UnreservedConcurrentExecutions ?? 0) - KEPT_UNRESERVED;
    const raise = `aws service-quotas request-service-quota-increase --service-code lambda --quota-code L-B99A9384 --desired-value ${USUAL_LIMIT} --region ${region}`;
    const wanted = reserved(options);
    if (wanted > Math.max(free, 0))
      return [
        stop(
          `reservedConcurrency takes ${wanted}; of the account’s ${limit}, ${Math.max(free, 0)} can be reserved.`,
          `Leave the option out, or: ${raise}`,
        ),
      ];
    return limit < USUAL_LIMIT
      ? [
          note(
            `The account runs ${limit} functions at a time; more calls than that are answered 429 or wait.`,
            raise,
          ),
        ]
      : [ok(`${limit} functions at a time.`)];
  },
};
