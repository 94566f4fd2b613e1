import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { JOBS } from './functions.ts';
import type { Row } from './permissions.ts';
import { pascal, type Queues } from './queues.ts';
import type { ServiceFunctions } from './service-functions.ts';

interface Props {
  readonly stackName: string;
  readonly queues: Queues;
  readonly functions: ServiceFunctions;
}

/** What runs without being called: readers of queues, and schedules. */
export class Jobs extends Construct {
  constructor(scope: Construct, id: string, { stackName, queues, functions }: Props) {
    super(scope, id);
    const scheduled: { name: string; expression: string; target: LambdaFunction }[] = [];

    for (const [name, row] of Object.entries<Row>(JOBS)) {
      const target = functions.add(name, row);
      if (row.reads)
        new EventSourceMapping(this, pascal(name), {
          target,
          eventSourceArn: queues.byName[row.reads.queue].queueArn,
          batchSize: row.reads.batch,
          maxConcurrency: row.reads.concurrency,
          // One message that fails does not bring back those that went well beside it.
          reportBatchItemFailures: true,
        });
      if (row.runs) scheduled.push({ name, expression: row.runs, target });
    }

    const role = new Role(this, 'SchedulerRole', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com'),
      description: `Starts the scheduled functions of ${stackName}`,
      inlinePolicies: {
        own: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['lambda:InvokeFunction'],
              resources: scheduled.map(({ target }) => target.functionArn),
            }),
            new PolicyStatement({
              actions: ['sqs:SendMessage'],
              resources: [queues.scheduleFailures.queueArn],
            }),
          ],
        }),
      },
    });
    for (const { name, expression, target } of scheduled)
      new CfnSchedule(this, `${pascal(name)}Schedule`, {
        name: `${stackName}-${name}`,
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
