import { join } from 'node:path';
import { ArnFormat, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { accept } from './exceptions.ts';
import type { FunctionSpec } from './function-spec.ts';
import { FUNCTIONS, SIGNING } from './functions.ts';
import type { Options } from './options.ts';
import { pascalCase } from './pascal-case.ts';
import { permissionsOf, type Resources } from './permissions.ts';
import { allow, roleWith } from './role.ts';

export const logRetention = (stage: Options['stage']) =>
  stage === 'prod' ? RetentionDays.ONE_YEAR : RetentionDays.TWO_WEEKS;

export const newLogGroup = (scope: Construct, id: string, stage: Options['stage'], logGroupName?: string) =>
  new LogGroup(scope, id, {
    ...(logGroupName && { logGroupName }),
    retention: logRetention(stage),
    removalPolicy: RemovalPolicy.DESTROY,
  });

export const writesLog = ({ logGroupArn }: LogGroup) =>
  allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [logGroupArn]);

export const EVERY_FUNCTION = {
  runtime: Runtime.NODEJS_24_X,
  architecture: Architecture.ARM_64,
  handler: 'index.handler',
  loggingFormat: LoggingFormat.JSON,
};

interface Props extends Resources {
  /** The folder that holds a bundle for each function. */
  readonly bundles: string;
}

/** Creates functions from their specs, each with its own role and log group. */
export class ServiceFunctions extends Construct {
  readonly all = new Map<string, LambdaFunction>();
  readonly #props: Props;

  constructor(scope: Construct, id: string, props: Props) {
    super(scope, id);
    this.#props = props;
    this.#acceptObjectPatterns();
    accept(this, {
      'IAM5[Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*]':
        'The sandbox authorizes the recipient too; a condition names the only sender.',
    });
  }

  /** Objects are named by the id of a request, so roles need patterns. */
  #acceptObjectPatterns(): void {
    for (const name of ['documents', 'staging'] as const) {
      const bucket = Stack.of(this).getLogicalId(this.#props.data[name].node.defaultChild as CfnBucket);
      const patterns = new Set(
        Object.values(FUNCTIONS).flatMap((spec) => Object.values(spec[name] ?? {}).flat()),
      );
      for (const pattern of patterns)
        accept(this, {
          [`IAM5[Resource::<${bucket}.Arn>/${pattern}]`]: 'Objects of one kind in one bucket.',
        });
    }
  }

  add(name: string, spec: FunctionSpec): LambdaFunction {
    const { bundles, options, queues } = this.#props;
    const { statements, environment } = permissionsOf(spec, this.#props);
    const functionName = `${options.stackName}-${name}`;
    const scope = new Construct(this, pascalCase(name));

    const logGroup = newLogGroup(scope, 'Log', options.stage, `/aws/lambda/${functionName}`);
    const ownArn = Stack.of(this).formatArn({
      service: 'lambda',
      resource: 'function',
      resourceName: functionName,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    const role = roleWith(scope, 'Role', {
      service: 'lambda',
      description: `Runs ${functionName}`,
      statements: [
        ...statements,
        ...(spec.reinvokesItself ? [allow(['lambda:InvokeFunction'], [ownArn])] : []),
        ...(spec.runs ? [allow(['sqs:SendMessage'], [queues.scheduleFailures.queueArn])] : []),
        writesLog(logGroup),
      ],
    });
    const lambda = new LambdaFunction(scope, 'Function', {
      ...EVERY_FUNCTION,
      functionName,
      code: Code.fromAsset(join(bundles, name)),
      memorySize: spec.memory,
      timeout: Duration.seconds(spec.seconds),
      environment,
      // Its policy is complete. The CDK would add another for the dead-letter queue, a resource of its own.
      role: role.withoutPolicyUpdates(),
      logGroup,
      // Lambda would stop a function that invokes itself many times as a runaway loop.
      ...(spec.reinvokesItself && { recursiveLoop: RecursiveLoop.ALLOW }),
      ...reservationOf(name, options),
      // A schedule does not wait for its function: a failed run goes to a monitored queue.
      ...(spec.runs && { deadLetterQueue: queues.scheduleFailures }),
    });
    this.all.set(name, lambda);
    return lambda;
  }

  get(name: string): LambdaFunction {
    const found = this.all.get(name);
    if (!found) throw new Error(`The stack has no function ${name}.`);
    return found;
  }
}

/** Concurrency that a flood of other functions cannot take away, and that a flood of this one cannot exceed. */
function reservationOf(
  name: string,
  { reservedConcurrency }: Pick<Options, 'reservedConcurrency'>,
): { reservedConcurrentExecutions?: number } {
  const reserved = new Map(Object.entries(reservedConcurrency)).get(name in SIGNING ? 'signing' : name);
  return reserved === undefined ? {} : { reservedConcurrentExecutions: reserved };
}
