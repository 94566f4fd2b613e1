import { API, JOBS, ROWS, SIGNING } from '../../../infra/functions.ts';
import type { Row } from '../../../infra/permissions.ts';
import { ENDPOINTS } from '../../../shared/contract/endpoints.ts';
import { list, type Resource, resources, type Statement, template } from './template.ts';

const prod = template();
const functions = Object.entries(resources(prod, 'AWS::Lambda::Function')).filter(([id]) =>
  id.startsWith('Functions'),
);

const resource = (id: string): Resource => {
  const found = resources(prod)[id];
  if (!found) throw new Error(`There is no resource ${id}.`);
  return found;
};

const ofArn = (value: unknown): string => (value as { 'Fn::GetAtt': [string, string] })['Fn::GetAtt'][0];

const nameOf = ({ Properties }: Resource) =>
  String(Properties.FunctionName).replace('signature-requests-', '');

const own = (made: Resource): Statement[] => {
  const roleId = ofArn(made.Properties.Role);
  const inline = (
    resource(roleId).Properties.Policies as { PolicyDocument: { Statement: Statement[] } }[]
  ).flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  const attached = Object.values(resources(prod, 'AWS::IAM::Policy'))
    .filter(({ Properties }) => JSON.stringify(Properties.Roles) === JSON.stringify([{ Ref: roleId }]))
    .flatMap(({ Properties }) => (Properties.PolicyDocument as { Statement: Statement[] }).Statement);
  return [...inline, ...attached];
};

const actionsOf = (name: string): string[] => {
  const made = functions.find(([, each]) => nameOf(each) === name);
  if (!made) throw new Error(`There is no function ${name}.`);
  return own(made[1])
    .flatMap(({ Action }) => list(Action))
    .sort();
};

describe('the functions', () => {
  it('are one for each endpoint and job, and no more', () => {
    expect(functions.map(([, made]) => nameOf(made)).sort()).toEqual(Object.keys(ROWS).sort());
    expect(Object.keys({ ...API, ...SIGNING }).sort()).toEqual(ENDPOINTS.map(({ name }) => name).sort());
    for (const { name, area } of ENDPOINTS)
      expect(Object.keys(area === 'api' ? API : SIGNING)).toContain(name);
  });

  it('run on Node 24 and ARM, from a bundle of their own', () => {
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

  it('answer before the gateway gives up', () => {
    for (const { name } of ENDPOINTS) expect(ROWS[name]?.seconds).toBeLessThanOrEqual(29);
  });

  it('have a role and a log each, which is kept for a year', () => {
    expect(new Set(functions.map(([, made]) => ofArn(made.Properties.Role))).size).toBe(functions.length);
    for (const [, made] of functions) {
      const log = (made.Properties.LoggingConfig as { LogGroup: { Ref: string } }).LogGroup.Ref;
      expect(resource(log).Properties).toMatchObject({
        LogGroupName: `/aws/lambda/${made.Properties.FunctionName}`,
        RetentionInDays: 365,
      });
      expect(own(made)).toContainEqual({
        Effect: 'Allow',
        Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        Resource: { 'Fn::GetAtt': [log, 'Arn'] },
      });
      expect(resource(ofArn(made.Properties.Role)).Properties.ManagedPolicyArns).toBeUndefined();
    }
  });

  it('keep logs for two weeks in a stack for trying', () => {
    for (const { Properties } of Object.values(resources(template({ stage: 'dev' }), 'AWS::Logs::LogGroup')))
      expect(Properties.RetentionInDays ?? 14).toBe(14);
  });

  it('learn the names of what they may call, and of nothing else', () => {
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
      MAIL_QUEUE_URL: /^sqs:SendMessage$/,
      MAIL_FROM: /^ses:SendEmail$/,
      BASE_URL: /./,
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

  it('call webhooks on this machine only where the stack is told to', () => {
    const allowing = (from: Resource[]) =>
      from.filter((made) => JSON.stringify(made.Properties).includes('ALLOW_LOCAL_WEBHOOKS')).map(nameOf);
    expect(allowing(functions.map(([, made]) => made))).toEqual([]);
    const local = template({ localWebhooks: 'on' });
    expect(allowing(Object.values(resources(local, 'AWS::Lambda::Function'))).sort()).toEqual(
      ['create-webhook-endpoint', 'deliver-webhook', 'update-webhook-endpoint'].sort(),
    );
  });
});

describe('what functions may do', () => {
  const COPIER = 'the CDK’s own function that copies the page at deploy time; its permissions are the CDK’s';
  /** What is named by a pattern, or comes with one of AWS's own policies, with the reason. */
  const ACCEPTED: Record<string, string> = {
    's3:GetObject* of CustomCDKBucketDeployment': COPIER,
    's3:GetBucket* of CustomCDKBucketDeployment': COPIER,
    's3:List* of CustomCDKBucketDeployment': COPIER,
    's3:DeleteObject* of CustomCDKBucketDeployment': COPIER,
    's3:Abort* of CustomCDKBucketDeployment': COPIER,
    'the CDK’s assets/* of CustomCDKBucketDeployment': COPIER,
    'PageBucket/* of CustomCDKBucketDeployment': COPIER,
    'AWSLambdaBasicExecutionRole of CustomCDKBucketDeployment': COPIER,
    'AWSLambdaBasicExecutionRole of CustomS3AutoDeleteObjects':
      'the CDK’s own function that empties the page’s bucket when the stack is deleted',
    'AmazonAPIGatewayPushToCloudWatchLogs of GatewayApiCloudWatchRole':
      'the gateway’s log: API Gateway takes one role for the whole account, with this policy of AWS’s',
  };

  const OBJECTS_OF_A_KIND =
    /"Data(Documents|Staging)\w+","Arn"\]},"\/(requests\/\*(\/(original\.pdf|sealed\.pdf|signatures\/\*))?|(uploads|ingest)\/\*)"/;

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

  /** As `what of whose`. */
  const patterns = (): string[] => [
    ...new Set(
      [
        ...managed(),
        ...statements().flatMap(([id, { Action, Resource }]) =>
          [...list(Action), ...list(Resource).map((resource) => JSON.stringify(resource))]
            .filter((what) => /[*?]/.test(what) && !OBJECTS_OF_A_KIND.test(what))
            .map((what): [string, string] => [id, shortName(what)]),
        ),
      ].map(
        ([id, what]) =>
          `${what} of ${id.replace(/([0-9A-F]{8}|[0-9A-F]{32}.*|CustomResourceProviderRole[0-9A-F]{8})$/, '')}`,
      ),
    ),
  ];

  it('names actions and resources one by one; of objects the one kind', () => {
    expect(statements().length).toBeGreaterThan(100);
    expect(patterns().filter((pattern) => ACCEPTED[pattern] === undefined)).toEqual([]);
  });

  it('has a reason for nothing that is not there', () => {
    expect(Object.keys(ACCEPTED).filter((pattern) => !patterns().includes(pattern))).toEqual([]);
  });

  it('gives the webhook key’s two uses to one function each', () => {
    const holders = (action: string) => Object.keys(ROWS).filter((name) => actionsOf(name).includes(action));
    expect(holders('kms:Decrypt')).toEqual(['deliver-webhook']);
    expect(holders('kms:Encrypt')).toEqual(['create-webhook-endpoint']);
    expect(holders('kms:Sign')).toEqual([]);
  });

  it('lets only the readers of documents read, and only the purge delete', () => {
    const holders = (action: string) => Object.keys(ROWS).filter((name) => actionsOf(name).includes(action));
    expect(holders('s3:DeleteObjectVersion')).toEqual(['purge']);
    expect(holders('s3:GetObject').sort()).toEqual([
      'create-signature',
      'get-audit-trail',
      'get-document',
      'get-original',
      'get-sealed-document',
      'seal',
    ]);
  });

  it('sends mail from the one address alone', () => {
    const mailing = statements().filter(([, { Action }]) => list(Action).includes('ses:SendEmail'));
    expect(mailing).toHaveLength(Object.values(ROWS).filter(({ mails }) => mails).length);
    for (const [, { Condition }] of mailing)
      expect(Condition).toEqual({ StringEquals: { 'ses:FromAddress': 'sign@example.org' } });
  });

  it('lets nobody but the gateway’s own routes call a function', () => {
    for (const { Properties } of Object.values(resources(prod, 'AWS::Lambda::Permission'))) {
      expect(Properties.Principal).toBe('apigateway.amazonaws.com');
      expect(JSON.stringify(Properties.SourceArn)).toMatch(/\/(GET|POST|PATCH|DELETE)\/api\//);
    }
  });
});

describe('the jobs', () => {
  it('read their queues one message’s failure at a time, and not without bound', () => {
    const readers = Object.values<Row>(JOBS).filter(({ reads }) => reads);
    prod.resourceCountIs('AWS::Lambda::EventSourceMapping', readers.length);
    prod.allResourcesProperties('AWS::Lambda::EventSourceMapping', {
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
    for (const { Properties } of Object.values(resources(prod, 'AWS::Lambda::EventSourceMapping')))
      expect((Properties.ScalingConfig as { MaximumConcurrency: number }).MaximumConcurrency).toBeGreaterThan(
        1,
      );
  });

  it.each([
    ['seal', 'seal'],
    ['events', 'publish-event'],
    ['deliveries', 'deliver-webhook'],
    ['mail', 'complete-mail'],
  ])('hide a message of the queue %s for six times as long as its reader may run', (queue, reader) => {
    prod.hasResourceProperties('AWS::SQS::Queue', {
      QueueName: `signature-requests-${queue}`,
      VisibilityTimeout: 6 * (ROWS[reader]?.seconds ?? 0),
    });
  });

  it('leave what fails in queues of its own, for two weeks', () => {
    const queues = Object.values(resources(prod, 'AWS::SQS::Queue')).map(({ Properties }) => Properties);
    const working = queues.filter(({ RedrivePolicy }) => RedrivePolicy);
    expect(working).toHaveLength(4);
    for (const { RedrivePolicy } of working) {
      const { deadLetterTargetArn } = RedrivePolicy as { deadLetterTargetArn: unknown };
      expect(String(resource(ofArn(deadLetterTargetArn)).Properties.QueueName)).toMatch(/-dead-letters$/);
    }
    for (const { MessageRetentionPeriod, SqsManagedSseEnabled } of queues)
      expect([MessageRetentionPeriod, SqsManagedSseEnabled]).toEqual([14 * 24 * 3600, true]);
  });

  it('take messages over TLS alone', () => {
    const policies = Object.values(resources(prod, 'AWS::SQS::QueuePolicy'));
    expect(policies).toHaveLength(Object.keys(resources(prod, 'AWS::SQS::Queue')).length);
    for (const { Properties } of policies)
      expect((Properties.PolicyDocument as { Statement: Statement[] }).Statement).toContainEqual(
        expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      );
  });

  it('run on time by one role that may start them and nothing else', () => {
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
    });
    for (const { Target } of schedules)
      expect(Target).toMatchObject({
        DeadLetterConfig: { Arn: expect.anything() },
        RetryPolicy: expect.anything(),
      });
  });

  it('leave a run that failed three times where it is seen', () => {
    for (const [, made] of functions.filter(([, each]) => ROWS[nameOf(each)]?.runs))
      expect(ofArn((made.Properties.DeadLetterConfig as { TargetArn: unknown }).TargetArn)).toMatch(
        /^QueuesSchedulesDeadLetters/,
      );
  });
});
