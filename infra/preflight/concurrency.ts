import {
  GetAccountSettingsCommand,
  GetFunctionConcurrencyCommand,
  LambdaClient,
} from '@aws-sdk/client-lambda';
import { SIGNING } from '../functions.ts';
import { type Options, RESERVABLE } from '../options.ts';
import { type Check, note, ok, type Plan, stop } from './check.ts';
import { resourcesOf } from './deployed.ts';
import { raise } from './quotas.ts';

/** The concurrency that Lambda keeps for functions without a reservation. */
const KEPT_UNRESERVED = 100;
/** The limit of an account that AWS has not throttled as a new one. */
const USUAL_LIMIT = 1_000;
const FEWER_SEALS =
  'Until then, -c sealConcurrency=2 leaves some of them to calls while documents are sealed.';
const KEEP_RESERVED = 'Pass -c reservedConcurrency as before, unless they are to go.';

/** `signing` is reserved for each function of the signers. */
const functionsOf = (name: string) => (name === 'signing' ? Object.keys(SIGNING) : [name]);

const wantedBy = ({ reservedConcurrency }: Options): number =>
  Object.entries(reservedConcurrency).reduce(
    (total, [name, count = 0]) => total + count * functionsOf(name).length,
    0,
  );

/** Already reserved for functions of the stack. The account's unreserved number does not include it. */
async function heldBy(plan: Plan, lambda: LambdaClient): Promise<number> {
  const reservable = RESERVABLE.flatMap(functionsOf).map((name) => `${plan.options.stackName}-${name}`);
  const existing = (await resourcesOf(plan, 'AWS::Lambda::Function')).filter((name) =>
    reservable.includes(name),
  );
  const answers = await Promise.all(
    existing.map((FunctionName) => lambda.send(new GetFunctionConcurrencyCommand({ FunctionName }))),
  );
  return answers.reduce(
    (total, { ReservedConcurrentExecutions = 0 }) => total + ReservedConcurrentExecutions,
    0,
  );
}

export const concurrency: Check = {
  name: 'Lambda concurrency',
  actions: [
    'cloudformation:ListStackResources',
    'lambda:GetAccountSettings',
    'lambda:GetFunctionConcurrency',
  ],
  run: async (plan) => {
    const { options, settings } = plan;
    const lambda = new LambdaClient(settings());
    const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
    const limit = AccountLimit?.ConcurrentExecutions ?? 0;
    const advice = raise(plan.region, 'lambda', 'L-B99A9384', USUAL_LIMIT);
    const wanted = wantedBy(options);
    const held = await heldBy(plan, lambda);
    const unreserved = (AccountLimit?.UnreservedConcurrentExecutions ?? 0) + held;
    const free = Math.max(unreserved - KEPT_UNRESERVED, 0);
    if (wanted > free)
      return stop(
        `reservedConcurrency takes ${wanted}; of the account’s ${limit}, ${free} can be reserved.`,
        `Leave the option out, or: ${advice}`,
      );
    const atOnce =
      limit < USUAL_LIMIT
        ? note(
            `The account runs ${limit} functions at a time; more calls than that are answered 500 or wait.`,
            options.sealConcurrency < limit ? advice : `${advice}\n${FEWER_SEALS}`,
          )
        : ok(`${limit} functions at a time.`);
    // A flood could take what the deployment gives back.
    return held > wanted
      ? [atOnce, note(`The stack reserves ${held} of them, this deployment ${wanted}.`, KEEP_RESERVED)]
      : atOnce;
  },
};
