import { join } from 'node:path';
import { ArnFormat, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
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
import { ROWS } from './functions.ts';
import { permissionsOf, type Resources, type Row } from './permissions.ts';
import { pascal } from './queues.ts';

export const logRetention = (stage: 'dev' | 'prod') =>
  stage === 'prod' ? RetentionDays.ONE_YEAR : RetentionDays.TWO_WEEKS;

interface Props extends Resources {
  /** The folder that holds a bundle for each function. */
  readonly bundles: string;
}

/** Makes functions from their rows, each with a role and a log of its own. */
export class ServiceFunctions extends Construct {
  readonly all = new Map<string, LambdaFunction>();
  readonly #props: Props;

  constructor(scope: Construct, id: string, props: Props) {
    super(scope, id);
    this.#props = props;
    this.#acceptObjectPatterns();
  }

  /** A request's objects are named by its id, which only the time of the call knows. */
  #acceptObjectPatterns(): void {
    for (const name of ['documents', 'staging'] as const) {
      const bucket = Stack.of(this).getLogicalId(this.#props.data[name].node.defaultChild as CfnBucket);
      const patterns = new Set(Object.values(ROWS).flatMap((row) => Object.values(row[name] ?? {}).flat()));
      for (const pattern of patterns)
        accept(this, {
          [`IAM5[Resource::<${bucket}.Arn>/${pattern}]`]: 'Objects of one kind in one bucket.',
        });
    }
  }

  add(name: string, row: Row): LambdaFunction {
    const { bundles, options } = this.#props;
    const { statements, environment } = permissionsOf(row, this.#props);
    const functionName = `${options.stackName}-${name}`;
    const scope = new Construct(this, pascal(name));

    const logGroup = new LogGroup(scope, 'Log', {
      logGroupName: `/aws/lambda/${functionName}`,
      retention: logRetention(options.stage),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const writesItsLog = new PolicyStatement({
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logGroup.logGroupArn],
    });
    const startsItself = new PolicyStatement({
      actions: ['lambda:InvokeFunction'],
      resources: [
        Stack.of(this).formatArn({
          service: 'lambda',
          resource: 'function',
          resourceName: functionName,
          arnFormat: ArnFormat.COLON_RESOURCE_NAME,
        }),
      ],
    });
    const role = new Role(scope, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: `Runs ${functionName}`,
      inlinePolicies: {
        own: new PolicyDocument({
          statements: [...statements, ...(row.goesOn ? [startsItself] : []), writesItsLog],
        }),
      },
    });
    const made = new LambdaFunction(scope, 'Function', {
      functionName,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(join(bundles, name)),
      memorySize: row.memory,
      timeout: Duration.seconds(row.seconds),
      environment,
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // Lambda would take a function that starts itself many times for one that is out of hand, and stop it.
      ...(row.goesOn && { recursiveLoop: RecursiveLoop.ALLOW }),
      // A schedule starts its function and does not wait: what fails is left in a queue that is watched.
      ...(row.runs && { deadLetterQueue: this.#props.queues.scheduleFailures }),
    });
    this.all.set(name, made);
    return made;
  }

  get(name: string): LambdaFunction {
    const found = this.all.get(name);
    if (!found) throw new Error(`The stack has no function ${name} (${Stack.of(this).stackName}).`);
    return found;
  }
}
