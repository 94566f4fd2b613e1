import { EventSourceMapping, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { concurrencyOf, type FunctionSpec } from './function-spec.ts';
import { JOBS } from './functions.ts';
import type { Options } from './options.ts';
import { pascalCase } from './pascal-case.ts';
import type { Queues } from './queues.ts';
import { allow, roleWith } from './role.ts';
import type { ServiceFunctions } from './service-functions.ts';

interface Props {
  readonly options: Options;
  readonly queues: Queues;
  readonly functions: ServiceFunctions;
}

/** Functions that AWS starts: consumers of queues, and scheduled jobs. */
export class Jobs extends Construct {
  constructor(scope: Construct, id: string, { options, queues, functions }: Props) {
    super(scope, id);
    const scheduled: { name: string; expression: string; target: LambdaFunction }[] = [];

    for (const [name, spec] of Object.entries<FunctionSpec>(JOBS)) {
      const target = functions.add(name, spec);
      for (const [index, reads] of (spec.reads ?? []).entries())
        new EventSourceMapping(this, pascalCase(index === 0 ? name : reads.queue), {
          target,
          eventSourceArn: queues.byName[reads.queue].queueArn,
          batchSize: reads.batch,
          maxConcurrency: concurrencyOf(reads, options),
          // A failed message must not return the successful messages of its batch to the queue.
          reportBatchItemFailures: true,
        });
      if (spec.runs) scheduled.push({ name, expression: spec.runs, target });
    }

    const role = roleWith(this, 'SchedulerRole', {
      service: 'scheduler',
      description: `Starts the scheduled functions of ${options.stackName}`,
      statements: [
        allow(
          ['lambda:InvokeFunction'],
          scheduled.map(({ target }) => target.functionArn),
        ),
        allow(['sqs:SendMessage'], [queues.scheduleFailures.queueArn]),
      ],
    });
    for (const { name, expression, target } of scheduled)
      new CfnSchedule(this, `${pascalCase(name)}Schedule`, {
        name: `${options.stackName}-${name}`,
        scheduleExpression: expression,
        flexibleTimeWindow: { mode: 'OFF' },
        target: {
          arn: target.functionArn,
          roleArn: role.roleArn,
          retryPolicy: { maximumRetryAttempts: 3, maximumEventAgeInSeconds: 3600 },
          deadLetterConfig: { arn: queues.scheduleFailures.queueArn },
        },
      });
  }
}
