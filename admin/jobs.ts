import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { MINUTE } from '../shared/runtime/time.ts';
import { jobKey } from '../shared/store/keys.ts';
import { JOB_NAMES } from '../shared/store/stack-names.ts';
import { command } from './command.ts';
import { Failure, UsageError } from './errors.ts';
import { type Operator, TIME_LIMITS } from './operator.ts';
import { countSeconds } from './progress.ts';

/** Longer than any job may run. */
const JOB_LIMIT = 15 * MINUTE;

export const readJobs = ({ table }: Operator) =>
  Promise.all(
    JOB_NAMES.map(async (name) => {
      const run = await table.get(jobKey(name));
      return {
        job: name,
        started_at: run?.startedAt ?? null,
        ended_at: run?.endedAt ?? null,
        due: run?.due ?? null,
        done: run?.done ?? null,
        failed: run?.failed ?? null,
        goes_on: run?.reinvokesItself ?? false,
      };
    }),
  );

export const jobCommands = [
  command({
    name: 'job list',
    summary: 'Show the last run of each scheduled job',
    run: (_input, operator) => readJobs(operator),
  }),
  command({
    name: 'job run',
    summary: 'Run a scheduled job now; work that is done already is not repeated',
    args: ['name'],
    run: async ({ name }, operator) => {
      if (!JOB_NAMES.some((known) => known === name))
        throw new UsageError(`There is no job "${name}". The jobs are ${JOB_NAMES.join(', ')}.`);
      // A job may take minutes: a retry after a client time-out would start it a second time.
      const lambda = new LambdaClient({
        ...operator.clients,
        maxAttempts: 1,
        requestHandler: { ...TIME_LIMITS.requestHandler, requestTimeout: JOB_LIMIT },
      });
      const FunctionName = `${operator.output('FunctionPrefix')}-${name}`;
      const { FunctionError, Payload } = await countSeconds(
        `Running ${name}, seconds:`,
        lambda.send(new InvokeCommand({ FunctionName, Payload: '{}' })),
      );
      if (FunctionError) {
        const { errorMessage } = JSON.parse(Payload?.transformToString() || '{}') as {
          errorMessage?: string;
        };
        throw new Failure(`The job ${name} failed: ${errorMessage ?? FunctionError}`);
      }
      return (await readJobs(operator)).find(({ job }) => job === name);
    },
  }),
];
