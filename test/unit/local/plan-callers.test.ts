import type { Json, TemplateResource } from '../../../local/assembly/template.ts';
import { plan, QUEUE, trusting } from './planned.ts';

describe('who calls a function', () => {
  const FUNCTION_ARN = { 'Fn::GetAtt': ['Function', 'Arn'] };
  const CALLER_ARN = { 'Fn::GetAtt': ['Caller', 'Arn'] };
  const JOBS_ARN = { 'Fn::GetAtt': ['Jobs', 'Arn'] };
  const mayCall = (Resource: Json) => ({ Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource });

  const called = (Caller: TemplateResource, Own: TemplateResource = trusting('lambda')) => ({
    Own,
    Function: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        FunctionName: 'notes',
        Code: { S3Key: 'code.zip' },
        Handler: 'index.handler',
        Runtime: 'nodejs24.x',
        Role: { 'Fn::GetAtt': ['Own', 'Arn'] },
      },
    },
    Caller,
  });

  const route = (Caller: TemplateResource, integration: Record<string, Json> = {}) => ({
    ...called(Caller),
    Api: { Type: 'AWS::ApiGateway::RestApi', Properties: { Name: 'api' } },
    Route: {
      Type: 'AWS::ApiGateway::Method',
      Properties: {
        RestApiId: { Ref: 'Api' },
        ResourceId: { 'Fn::GetAtt': ['Api', 'RootResourceId'] },
        HttpMethod: 'GET',
        Integration: {
          Type: 'AWS_PROXY',
          IntegrationHttpMethod: 'POST',
          Credentials: CALLER_ARN,
          Uri: {
            'Fn::Join': ['', ['arn:aws:apigateway:x:lambda:path/functions/', FUNCTION_ARN, '/invocations']],
          },
          ...integration,
        },
      },
    },
  });

  const schedule = (Caller: TemplateResource) => ({
    ...called(Caller),
    Hourly: {
      Type: 'AWS::Scheduler::Schedule',
      Properties: {
        Name: 'hourly',
        ScheduleExpression: 'rate(1 hour)',
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: { Arn: FUNCTION_ARN, RoleArn: CALLER_ARN },
      },
    },
  });

  it.each([
    ['The route GET /', 'apigateway', route],
    ['The schedule hourly', 'scheduler', schedule],
  ])('%s is refused unless its role may call the function and trusts %s', (what, service, resources) => {
    const made = (Caller: TemplateResource) => () => plan({ Resources: resources(Caller) });
    expect(made(trusting(service, mayCall(FUNCTION_ARN)))().functions.size).toBe(1);
    for (const statements of [[], [mayCall('arn:aws:lambda:eu-north-1:111122223333:function:other')]])
      expect(made(trusting(service, ...statements))).toThrow(
        new RegExp(`${what} has a role that does not allow lambda:InvokeFunction on .+:notes: `),
      );
    expect(made(trusting('lambda', mayCall(FUNCTION_ARN)))).toThrow(
      new RegExp(`${what} has a role that ${service}.amazonaws.com may not assume: `),
    );
  });

  it('a schedule is refused if its role may not send to its dead-letter queue', () => {
    const made = (Action: string) => () => {
      const Caller = trusting('scheduler', mayCall(FUNCTION_ARN), {
        Effect: 'Allow',
        Action,
        Resource: JOBS_ARN,
      });
      const resources = schedule(Caller);
      const { Hourly } = resources;
      const Target = { ...Hourly.Properties.Target, DeadLetterConfig: { Arn: JOBS_ARN } };
      const withDeadLetters = { ...Hourly, Properties: { ...Hourly.Properties, Target } };
      return plan({ Resources: { ...resources, Hourly: withDeadLetters, Jobs: QUEUE } });
    };
    expect(made('sqs:SendMessage')().schedules).toHaveLength(1);
    expect(made('sqs:ReceiveMessage')).toThrow(
      /The schedule hourly has a role that does not allow sqs:SendMessage on .+:jobs: /,
    );
  });

  const STREAM = {
    ResponseTransferMode: 'STREAM',
    Uri: {
      'Fn::Join': [
        '',
        [
          'arn:aws:apigateway:x:lambda:path/2021-11-15/functions/',
          FUNCTION_ARN,
          '/response-streaming-invocations',
        ],
      ],
    },
  };

  /** @behaviour api-gateway.stream-integration */
  it.each([
    ['a time-out of more than 29 seconds', { TimeoutInMillis: 29_001 }, 'the time-out must be'],
    ['one of more than 15 minutes', { ...STREAM, TimeoutInMillis: 900_001 }, 'the time-out must be'],
    ['a stream of an invocation without one', { ResponseTransferMode: 'STREAM' }, 'the URI must be'],
    ['a buffer for an invocation with a stream', { Uri: STREAM.Uri }, 'the URI must be'],
  ])('%s is refused, as API Gateway does', (_what, integration, sentence) => {
    const Caller = trusting('apigateway', mayCall(FUNCTION_ARN));
    expect(() => plan({ Resources: route(Caller, integration) })).toThrow(sentence);
    expect(plan({ Resources: route(Caller, { ...STREAM, TimeoutInMillis: 900_000 }) }).apis.size).toBe(1);
  });

  const NEEDED = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

  const readQueue = (
    Action: string[],
    { queue = {}, mapping = {} }: Record<string, Record<string, Json>> = {},
  ) =>
    plan({
      Resources: {
        ...called(trusting('lambda'), trusting('lambda', { Effect: 'Allow', Action, Resource: JOBS_ARN })),
        Jobs: { ...QUEUE, Properties: { ...QUEUE.Properties, ...queue } },
        Mapping: {
          Type: 'AWS::Lambda::EventSourceMapping',
          Properties: { EventSourceArn: JOBS_ARN, FunctionName: { Ref: 'Function' }, ...mapping },
        },
      },
    });

  it.each(NEEDED)('a function that a queue calls is refused if its role lacks %s', (action) => {
    expect(readQueue(NEEDED).eventSources).toHaveLength(1);
    expect(() => readQueue(NEEDED.filter((each) => each !== action))).toThrow(
      new RegExp(`The function notes has a role that does not allow ${action} on .+:jobs: `),
    );
  });

  /** @behaviour lambda.queue-settings */
  it.each([
    [
      'a visibility timeout below the function’s time limit',
      { queue: { VisibilityTimeout: 2 } },
      '3 seconds',
    ],
    ['one batch at a time', { mapping: { ScalingConfig: { MaximumConcurrency: 1 } } }, 'MaximumConcurrency'],
    ['batches of eleven', { mapping: { BatchSize: 11 } }, 'BatchSize'],
  ])('a queue with %s is refused, as Lambda does', (_what, settings, sentence) => {
    expect(() => readQueue(NEEDED, settings)).toThrow(sentence);
  });

  it('a function is refused if its role may not send to its dead-letter queue', () => {
    const made = (Action: string) => () => {
      const resources = called(
        trusting('lambda'),
        trusting('lambda', { Effect: 'Allow', Action, Resource: JOBS_ARN }),
      );
      const { Function: notes } = resources;
      const DeadLetterConfig = { TargetArn: JOBS_ARN };
      const own = { ...notes, Properties: { ...notes.Properties, DeadLetterConfig } };
      return plan({ Resources: { ...resources, Function: own, Jobs: QUEUE } });
    };
    expect(made('sqs:SendMessage')().functions.get('notes')?.deadLetterQueue).toBe('jobs');
    expect(made('sqs:ReceiveMessage')).toThrow(
      /The function notes has a role that does not allow sqs:SendMessage on .+:jobs: /,
    );
  });

  it('a function whose role does not trust Lambda is refused', () => {
    expect(() => plan({ Resources: called(trusting('lambda'), trusting('scheduler')) })).toThrow(
      /The function notes has a role that lambda.amazonaws.com may not assume/,
    );
  });
});
