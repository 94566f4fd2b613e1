import type { FunctionSpec } from '../../../infra/function-spec.ts';
import { API, APP, FUNCTIONS, JOBS, SIGNING } from '../../../infra/functions.ts';
import { conditionsHold } from '../../../local/services/iam/conditions.ts';
import { ENDPOINTS, functionOf } from '../../../shared/contract/endpoints.ts';
import {
  apiKeyKey,
  attemptKey,
  memberKey,
  memberOfKey,
  ownerKey,
  sessionKey,
  userAddressKey,
} from '../../../shared/store/keys.ts';
import {
  list,
  OPTIONS,
  type Resource,
  resources,
  type Statement,
  type Template,
  template,
} from './template.ts';

const prod = template();
const functions = Object.entries(resources(prod, 'AWS::Lambda::Function')).filter(([id]) =>
  id.startsWith('Functions'),
);

const resource = (id: string): Resource => {
  const found = resources(prod)[id];
  if (!found) throw new Error(`There is no resource ${id}.`);
  return found;
};

const idOfArn = (value: unknown): string => (value as { 'Fn::GetAtt': [string, string] })['Fn::GetAtt'][0];

const nameOf = ({ Properties }: Resource) =>
  String(Properties.FunctionName).replace('signature-requests-', '');

const statementsOf = (made: Resource): Statement[] => {
  const { Policies } = resource(idOfArn(made.Properties.Role)).Properties;
  return (Policies as { PolicyDocument: { Statement: Statement[] } }[]).flatMap(
    ({ PolicyDocument }) => PolicyDocument.Statement,
  );
};

const actionsOf = (name: string): string[] => {
  const made = functions.find(([, each]) => nameOf(each) === name);
  if (!made) throw new Error(`There is no function ${name}.`);
  return statementsOf(made[1])
    .flatMap(({ Action }) => list(Action))
    .sort();
};

type Conditions = Parameters<typeof conditionsHold>[0];

const holders = (action: string) => Object.keys(FUNCTIONS).filter((name) => actionsOf(name).includes(action));

describe('the functions', () => {
  it('there is one function for each endpoint and job', () => {
    expect(functions.map(([, made]) => nameOf(made)).sort()).toEqual(Object.keys(FUNCTIONS).sort());
    const areas = { api: API, signing: SIGNING, app: APP };
    expect(Object.keys({ ...API, ...SIGNING, ...APP }).sort()).toEqual(
      [...new Set(ENDPOINTS.map(functionOf))].sort(),
    );
    for (const endpoint of ENDPOINTS)
      expect(Object.keys(areas[endpoint.area])).toContain(functionOf(endpoint));
  });

  it('functions reserve concurrency only with the option, the signers’ functions each', () => {
    const reservedIn = (from: Template) =>
      Object.fromEntries(
        Object.values(resources(from, 'AWS::Lambda::Function'))
          .filter(({ Properties }) => Properties.ReservedConcurrentExecutions !== undefined)
          .map((made) => [nameOf(made), made.Properties.ReservedConcurrentExecutions]),
      );
    expect(reservedIn(prod)).toEqual({});
    expect(reservedIn(template(OPTIONS))).toEqual({
      'create-signature': 20,
      seal: 50,
      ...Object.fromEntries(Object.keys(SIGNING).map((name) => [name, 10])),
    });
  });

  it('functions run on Node 24 and ARM, each from its own bundle', () => {
    for (const [, { Properties }] of functions)
      expect(Properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        LoggingConfig: { LogFormat: 'JSON' },
      });
    expect(new Set(functions.map(([, made]) => JSON.stringify(made.Properties.Code))).size).toBe(
      functions.length,
    );
  });

  it('each function has its own role and a log that is kept for a year', () => {
    expect(new Set(functions.map(([, made]) => idOfArn(made.Properties.Role))).size).toBe(functions.length);
    for (const [, made] of functions) {
      const log = (made.Properties.LoggingConfig as { LogGroup: { Ref: string } }).LogGroup.Ref;
      expect(resource(log).Properties).toMatchObject({
        LogGroupName: `/aws/lambda/${made.Properties.FunctionName}`,
        RetentionInDays: 365,
      });
      expect(statementsOf(made)).toContainEqual({
        Effect: 'Allow',
        Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        Resource: { 'Fn::GetAtt': [log, 'Arn'] },
      });
      expect(resource(idOfArn(made.Properties.Role)).Properties.ManagedPolicyArns).toBeUndefined();
    }
    const attached = Object.values(resources(prod, 'AWS::IAM::Policy'));
    expect(
      attached.filter(({ Properties }) => JSON.stringify(Properties.Roles).includes('"Functions')),
    ).toEqual([]);
  });

  it('logs are kept for two weeks in stage dev', () => {
    for (const { Properties } of Object.values(resources(template({ stage: 'dev' }), 'AWS::Logs::LogGroup')))
      expect(Properties.RetentionInDays).toBe(14);
  });

  it('a function gets only the names of resources that it may use', () => {
    const named: Record<string, RegExp> = {
      TABLE_NAME: /^dynamodb:/,
      DOCUMENTS_BUCKET: /^s3:/,
      STAGING_BUCKET: /^s3:/,
      SIGNING_SECRETS_ARN: /^secretsmanager:GetSecretValue$/,
      ORIGIN_SECRET_ARN: /^secretsmanager:GetSecretValue$/,
      SEAL_SECRET_ARN: /^secretsmanager:GetSecretValue$/,
      TEST_SEAL_SECRET_ARN: /^secretsmanager:GetSecretValue$/,
      TIMESTAMP_SECRET_ARN: /^secretsmanager:GetSecretValue$/,
      WEBHOOK_KEY_ARN: /^kms:/,
      SEAL_QUEUE_URL: /^sqs:/,
      EVENTS_QUEUE_URL: /^sqs:SendMessage$/,
      DELIVERIES_QUEUE_URL: /^sqs:SendMessage$/,
      SLOW_DELIVERIES_QUEUE_URL: /^sqs:SendMessage$/,
      MAIL_QUEUE_URL: /^sqs:SendMessage$/,
      MAIL_FROM: /^ses:SendEmail$/,
      MAIL_CONFIGURATION_SET: /^ses:SendEmail$/,
      BASE_URL: /./,
      SEAL_LEVEL: /./,
    };
    for (const [, made] of functions) {
      const { Variables = {} } = (made.Properties.Environment ?? {}) as { Variables?: object };
      const actions = actionsOf(nameOf(made));
      for (const variable of Object.keys(Variables)) {
        expect(Object.keys(named)).toContain(variable);
        expect(actions.some((action) => named[variable]?.test(action))).toBe(true);
      }
    }
  });

  it('the signing secret is read only where codes are made or compared, or lists are paged', () => {
    const reading = functions.filter(([, made]) =>
      JSON.stringify(made.Properties.Environment ?? {}).includes('SIGNING_SECRETS_ARN'),
    );
    expect(reading.map(([, made]) => nameOf(made)).sort()).toEqual([
      'app-sign-in',
      'complete-mail',
      'correct-signer',
      'create-signature',
      'list-events',
      'list-signatures',
      'list-webhook-deliveries',
      'resend-invitation',
      'send-code',
      'verify-code',
    ]);
  });

  it('functions call loopback addresses only with the option localWebhooks', () => {
    const allowing = (from: Resource[]) =>
      from.filter((made) => JSON.stringify(made.Properties).includes('ALLOW_LOCAL_WEBHOOKS')).map(nameOf);
    expect(allowing(functions.map(([, made]) => made))).toEqual([]);
    expect(allowing(Object.values(resources(template(OPTIONS), 'AWS::Lambda::Function'))).sort()).toEqual([
      'create-webhook-endpoint',
      'deliver-webhook',
      'gather-revocation',
      'seal',
      'update-webhook-endpoint',
    ]);
  });
});

describe('permissions', () => {
  const LOOK_UP = 'the look-up at deployment: these calls only read, and know no resources';
  const COPIER = 'the CDK’s function that copies the page at deployment; the CDK chooses its permissions';
  /** Accepted wildcards and AWS managed policies, each with the reason. */
  const ACCEPTED: Record<string, string> = {
    's3:GetObject* of CustomCDKBucketDeployment': COPIER,
    's3:GetBucket* of CustomCDKBucketDeployment': COPIER,
    's3:List* of CustomCDKBucketDeployment': COPIER,
    's3:DeleteObject* of CustomCDKBucketDeployment': COPIER,
    's3:Abort* of CustomCDKBucketDeployment': COPIER,
    'the CDK’s assets/* of CustomCDKBucketDeployment': COPIER,
    'PageBucket/* of CustomCDKBucketDeployment': COPIER,
    'AWSLambdaBasicExecutionRole of CustomCDKBucketDeployment': COPIER,
    '"*" of IngestEntranceLookUpRole': LOOK_UP,
    'AWSLambdaBasicExecutionRole of CustomS3AutoDeleteObjects':
      'the CDK’s function that empties the page bucket when the stack is deleted',
    'AmazonAPIGatewayPushToCloudWatchLogs of GatewayApiCloudWatchRole':
      'API Gateway writes logs with one role for the whole account, which needs this managed policy',
  };

  const OBJECTS_OF_ONE_KIND =
    /"Data(Documents|Staging)\w+","Arn"\]},"\/(requests\/\*(\/(original\.pdf|sealed\.pdf|evidence\.pdf|signatures\/\*|renewed\/\*))?|(uploads|ingest)\/\*)"/;

  /** Every mail identity; another test checks the condition on the sender. */
  const IDENTITIES = /:ses:.+:identity\/\*"/;

  const statements = (): [string, Statement][] =>
    Object.entries(resources(prod)).flatMap(([id, { Type, Properties }]) => {
      const documents =
        Type === 'AWS::IAM::Role'
          ? ((Properties.Policies ?? []) as { PolicyDocument: { Statement: Statement[] } }[]).map(
              ({ PolicyDocument }) => PolicyDocument,
            )
          : Type === 'AWS::IAM::Policy' || Type === 'AWS::IAM::ManagedPolicy'
            ? [Properties.PolicyDocument as { Statement: Statement[] }]
            : [];
      return documents.flatMap(({ Statement }) =>
        Statement.map((statement): [string, Statement] => [id, statement]),
      );
    });

  const managed = (): [string, string][] =>
    Object.entries(resources(prod, 'AWS::IAM::Role')).flatMap(([id, { Properties }]) =>
      list((Properties.ManagedPolicyArns ?? []) as unknown[]).map((arn): [string, string] => [
        id,
        JSON.stringify(arn).replace(/^.*\/(\w+)\W*$/, '$1'),
      ]),
    );

  const shortName = (what: string) =>
    what
      .replace(/^.*cdk-\w+-assets-.*\/\*.*$/, 'the CDK’s assets/*')
      .replace(/^.*"(\w+?)[0-9A-F]{8}","Arn"\]},"(\/[^"]+)".*$/, '$1$2');

  /** Wildcards and managed policies, as `what of whom`. */
  const patterns = (): string[] => [
    ...new Set(
      [
        ...managed(),
        ...statements().flatMap(([id, { Action, Resource }]) =>
          [...list(Action), ...list(Resource).map((resource) => JSON.stringify(resource))]
            .filter((what) => /[*?]/.test(what) && !OBJECTS_OF_ONE_KIND.test(what) && !IDENTITIES.test(what))
            .map((what): [string, string] => [id, shortName(what)]),
        ),
      ].map(
        ([id, what]) =>
          `${what} of ${id.replace(/([0-9A-F]{8}|[0-9A-F]{32}.*|CustomResourceProviderRole[0-9A-F]{8})$/, '')}`,
      ),
    ),
  ];

  it('permissions name each action and resource; patterns match only one kind of objects', () => {
    expect(statements().length).toBeGreaterThan(100);
    expect(patterns().filter((pattern) => ACCEPTED[pattern] === undefined)).toEqual([]);
  });

  it('every accepted wildcard or managed policy is in use', () => {
    expect(Object.keys(ACCEPTED).filter((pattern) => !patterns().includes(pattern))).toEqual([]);
  });

  it('one function may encrypt and one may decrypt with the webhook key', () => {
    expect(holders('kms:Decrypt')).toEqual(['deliver-webhook']);
    expect(holders('kms:Encrypt')).toEqual(['create-webhook-endpoint']);
    expect(holders('kms:Sign')).toEqual([]);
  });

  it('only functions that need documents may read them, and only purge, sweep and an owner’s deletion may delete them', () => {
    expect(holders('s3:DeleteObjectVersion')).toEqual(['delete-document', 'sweep', 'purge']);
    expect(holders('s3:GetObject').sort()).toEqual([
      'create-signature',
      'gather-revocation',
      'get-audit-trail',
      'get-document',
      'get-evidence',
      'get-original',
      'get-sealed-document',
      'get-signing-evidence',
      'seal',
      'sign',
    ]);
  });

  it('a function that only records the use of an API key may write no other item', () => {
    const noting = functions.filter(([, made]) => {
      const { recordsKeyUse, table } = FUNCTIONS[nameOf(made)] ?? {};
      return recordsKeyUse && !table?.includes('PutItem');
    });
    expect(noting.length).toBeGreaterThan(5);
    for (const [, made] of noting)
      expect(
        statementsOf(made)
          .filter(({ Action }) => list(Action).includes('dynamodb:PutItem'))
          .map(({ Action, Condition }) => [Action, Condition]),
      ).toEqual([
        ['dynamodb:PutItem', { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['KEYUSE#*'] } }],
      ]);
  });

  it('keys, members, sessions and the like can be written only by the functions whose work that is', () => {
    const partitions = [
      ownerKey('owner'),
      apiKeyKey('key'),
      userAddressKey('hash'),
      sessionKey('user', 'session'),
      memberKey('owner', 'user'),
      memberOfKey('user', 'owner'),
      attemptKey('attempt'),
    ].map(({ pk }) => pk);
    const allows = ({ Action, Condition = {} }: Statement) =>
      list(Action).some((action) => /^dynamodb:(Put|Update|Delete)Item$/.test(action)) &&
      partitions.some((pk) =>
        conditionsHold(Condition as Conditions, { 'dynamodb:LeadingKeys': [pk] }, 'Allow'),
      );
    const writers = functions.filter(([, made]) => statementsOf(made).some(allows));
    expect(writers.map(([, made]) => nameOf(made)).sort()).toEqual([
      'app-account',
      'app-sign-in',
      'complete-mail',
      'deliver-webhook',
    ]);
  });

  it('mail may be sent only from the configured address', () => {
    const mailing = statements().filter(([, { Action }]) => list(Action).includes('ses:SendEmail'));
    expect(mailing).toHaveLength(Object.values(FUNCTIONS).filter(({ mails }) => mails).length);
    for (const [, { Condition, Resource }] of mailing) {
      expect(Condition).toEqual({ StringEqualsIgnoreCase: { 'ses:FromAddress': 'sign@example.org' } });
      // In the sandbox SES also authorizes the identity of the recipient.
      expect(JSON.stringify(Resource)).toMatch(/:ses:.+:identity\/\*"/);
    }
  });

  it('the schedules may start their functions and report their failures, and do nothing else', () => {
    const allowed = statements()
      .filter(([id]) => id.startsWith('JobsSchedulerRole'))
      .map(([, { Action, Resource }]) => [
        Action,
        list(Resource).map((one) => idOfArn(one).replace(/[0-9A-F]{8}$/, '')),
      ]);
    const jobs = ['CheckCertificates', 'Expire', 'GatherRevocation', 'Purge', 'Remind', 'Sweep'];
    expect(allowed).toEqual([
      ['lambda:InvokeFunction', jobs.map((name) => `Functions${name}Function`)],
      ['sqs:SendMessage', ['QueuesSchedulesDeadLetters']],
    ]);
  });

  it('the routes may call every function that is not a job, and do nothing else', () => {
    const allowed = statements().filter(([id]) => id.startsWith('RoutesCaller'));
    const served = functions.filter(([, made]) => !(nameOf(made) in JOBS)).map(([id]) => id);
    expect(allowed.map(([, { Action, Resource }]) => [Action, list(Resource).map(idOfArn).sort()])).toEqual([
      ['lambda:InvokeFunction', served.sort()],
    ]);
    prod.resourceCountIs('AWS::Lambda::Permission', 0);
  });
});

describe('queues and jobs', () => {
  it('queue consumers report failures per message and have limited concurrency', () => {
    const consumers = Object.values<FunctionSpec>(JOBS).flatMap(({ reads = [] }) => reads);
    prod.resourceCountIs('AWS::Lambda::EventSourceMapping', consumers.length);
    prod.allResourcesProperties('AWS::Lambda::EventSourceMapping', {
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    for (const { Properties } of Object.values(resources(prod, 'AWS::Lambda::EventSourceMapping')))
      expect((Properties.ScalingConfig as { MaximumConcurrency: number }).MaximumConcurrency).toBeGreaterThan(
        1,
      );
  });

  it('twenty seals run at once, or as many as the option says', () => {
    const atOnce = (from: Template) =>
      Object.entries(resources(from, 'AWS::Lambda::EventSourceMapping')).find(([id]) =>
        id.startsWith('JobsSeal'),
      )?.[1].Properties.ScalingConfig;
    expect(atOnce(prod)).toEqual({ MaximumConcurrency: 20 });
    expect(atOnce(template(OPTIONS))).toEqual({ MaximumConcurrency: 50 });
  });

  it.each([
    ['seal', 'seal'],
    ['events', 'publish-event'],
    ['deliveries', 'deliver-webhook'],
    ['slow-deliveries', 'deliver-webhook'],
    ['mail', 'complete-mail'],
    ['bounces', 'record-bounce'],
  ])(
    'the visibility timeout of the queue %s is six times the time limit of its consumer',
    (queue, consumer) => {
      prod.hasResourceProperties('AWS::SQS::Queue', {
        QueueName: `signature-requests-${queue}`,
        VisibilityTimeout: 6 * (FUNCTIONS[consumer]?.seconds ?? 0),
      });
    },
  );

  it('each queue has a dead-letter queue of its own, which keeps failed messages for two weeks', () => {
    const queues = Object.values(resources(prod, 'AWS::SQS::Queue')).map(({ Properties }) => Properties);
    const working = queues.filter(({ RedrivePolicy }) => RedrivePolicy);
    expect(working).toHaveLength(6);
    for (const { QueueName, RedrivePolicy } of working) {
      const { deadLetterTargetArn, maxReceiveCount } = RedrivePolicy as {
        deadLetterTargetArn: unknown;
        maxReceiveCount: number;
      };
      // A throttled function counts as a receive.
      expect(maxReceiveCount).toBeGreaterThanOrEqual(5);
      expect(resource(idOfArn(deadLetterTargetArn)).Properties.QueueName).toBe(`${QueueName}-dead-letters`);
    }
    for (const { MessageRetentionPeriod, SqsManagedSseEnabled } of queues)
      expect([MessageRetentionPeriod, SqsManagedSseEnabled]).toEqual([14 * 24 * 3600, true]);
  });

  it('a dead-letter queue takes messages of no queue but its own', () => {
    const queues = Object.values(resources(prod, 'AWS::SQS::Queue')).map(({ Properties }) => Properties);
    const failed = queues.filter(({ RedrivePolicy }) => !RedrivePolicy);
    expect(failed).toHaveLength(7);
    for (const { QueueName, RedriveAllowPolicy } of failed) {
      expect(RedriveAllowPolicy).toMatchObject({ redrivePermission: 'byQueue' });
      const source = `:${String(QueueName).replace('-dead-letters', '')}"`;
      expect(JSON.stringify(RedriveAllowPolicy)).toContain(source);
    }
  });

  it('the seal queue outlasts the attempts of a seal, of which the tenth is the first after 70 minutes', () => {
    const [seal] = Object.values(resources(prod, 'AWS::SQS::Queue')).filter(
      ({ Properties }) => Properties.QueueName === 'signature-requests-seal',
    );
    expect(seal?.Properties.RedrivePolicy).toMatchObject({ maxReceiveCount: 12 });
  });

  it('queues accept messages only over TLS', () => {
    const policies = Object.values(resources(prod, 'AWS::SQS::QueuePolicy'));
    const covered = policies.flatMap(({ Properties }) => Properties.Queues as { Ref: string }[]);
    // Another policy of a queue would take the place of this one.
    expect(covered.map(({ Ref }) => Ref).sort()).toEqual(
      Object.keys(resources(prod, 'AWS::SQS::Queue')).sort(),
    );
    for (const { Properties } of policies)
      expect((Properties.PolicyDocument as { Statement: Statement[] }).Statement).toContainEqual(
        expect.objectContaining({
          Effect: 'Deny',
          Principal: { AWS: '*' },
          Action: 'sqs:*',
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
        }),
      );
  });

  it('jobs are started on schedule, with retries and a dead-letter queue', () => {
    const schedules = Object.values(resources(prod, 'AWS::Scheduler::Schedule')).map(
      ({ Properties }) => Properties,
    );
    expect(
      Object.fromEntries(schedules.map(({ Name, ScheduleExpression }) => [Name, ScheduleExpression])),
    ).toEqual({
      'signature-requests-sweep': 'rate(1 minute)',
      'signature-requests-expire': 'cron(10 0 * * ? *)',
      'signature-requests-purge': 'cron(20 1 * * ? *)',
      'signature-requests-remind': 'cron(0 7 * * ? *)',
      'signature-requests-check-certificates': 'cron(0 6 * * ? *)',
      'signature-requests-gather-revocation': 'cron(35 * * * ? *)',
    });
    for (const { Target } of schedules)
      expect(Target).toMatchObject({
        DeadLetterConfig: {
          Arn: { 'Fn::GetAtt': [expect.stringMatching(/^QueuesSchedulesDeadLetters/), 'Arn'] },
        },
        RetryPolicy: { MaximumRetryAttempts: 3, MaximumEventAgeInSeconds: 3600 },
      });
  });

  it('a job run that failed three times goes to the monitored dead-letter queue', () => {
    for (const [, made] of functions.filter(([, each]) => FUNCTIONS[nameOf(each)]?.runs)) {
      const { TargetArn } = made.Properties.DeadLetterConfig as { TargetArn: unknown };
      expect(idOfArn(TargetArn)).toMatch(/^QueuesSchedulesDeadLetters/);
      const sends = statementsOf(made).filter(({ Action }) => Action === 'sqs:SendMessage');
      expect(sends.flatMap(({ Resource }) => Resource)).toContainEqual(TargetArn);
    }
  });
});
