/** REST APIs of API Gateway. */
import * as z from 'zod';
import type { ApiPlan, MockIntegration, Plan, StagePlan, Throttle } from '../plan.ts';
import {
  ignored,
  number,
  optional,
  partOfStack,
  type ResourceType,
  resourceType,
  shortHash,
} from '../resource-type.ts';
import { StackError } from '../template.ts';
import { functionOf } from './lambda.ts';
import { roleOf } from './security.ts';

const planApi = resourceType(
  z.strictObject({
    Name: z.string(),
    ...ignored('Description', 'EndpointConfiguration'),
  }),
  (_properties, place) => {
    const id = shortHash(place).slice(0, 10);
    const rootId = `${id}root`;
    place.plan.apis.set(id, {
      id,
      resourcePaths: new Map([[rootId, '/']]),
      methods: [],
      gatewayResponses: new Map(),
      stages: new Map(),
    });
    return { ref: id, RestApiId: id, RootResourceId: rootId };
  },
);

const planResource = resourceType(
  z.strictObject({ RestApiId: z.string(), ParentId: z.string(), PathPart: z.string() }),
  (properties, place) => {
    const api = apiOf(properties.RestApiId, place.plan);
    const parent = api.resourcePaths.get(properties.ParentId) ?? '/';
    const id = shortHash(place).slice(0, 10);
    api.resourcePaths.set(id, `${parent === '/' ? '' : parent}/${properties.PathPart}`);
    return { ref: id, ResourceId: id };
  },
);

const integrationResponse = z.strictObject({
  StatusCode: number,
  ResponseParameters: optional(z.record(z.string(), z.string())),
  ResponseTemplates: optional(z.record(z.string(), z.string())),
});

/** The longest time-outs, by transfer mode. */
const LONGEST_MS = { BUFFERED: 29_000, STREAM: 900_000 };
const STREAMED_URI = /\/2021-11-15\/functions\/[^/]+\/response-streaming-invocations$/;

const proxyIntegration = z
  .strictObject({
    Type: z.literal('AWS_PROXY'),
    Uri: z.string(),
    Credentials: z.string({ error: 'only calling a function with a role is implemented' }),
    TimeoutInMillis: number.default(29_000),
    ResponseTransferMode: z.enum(['BUFFERED', 'STREAM']).default('BUFFERED'),
    IntegrationHttpMethod: z.literal('POST', { error: 'a function must be invoked with POST' }),
  })
  .refine(({ TimeoutInMillis: ms, ResponseTransferMode: mode }) => ms >= 50 && ms <= LONGEST_MS[mode], {
    error: 'the time-out must be 50 to 29000 ms, to 900000 for a streamed answer',
  })
  .refine(({ Uri, ResponseTransferMode: mode }) => STREAMED_URI.test(Uri) === (mode === 'STREAM'), {
    error: 'the URI must be that of a streamed invocation, if the transfer mode is STREAM and only then',
  });

const mockIntegration = z.strictObject({
  Type: z.literal('MOCK'),
  IntegrationResponses: z.tuple([integrationResponse], {
    error: 'a mock integration must have one response',
  }),
  PassthroughBehavior: z.enum(['WHEN_NO_TEMPLATES', 'NEVER'], {
    error: 'a mock integration must refuse the types that it has no template for: it fails on their bodies',
  }),
  // With one response it does not matter which status they ask for.
  RequestTemplates: z.record(z.string(), z.string()),
});

const method = z.strictObject({
  RestApiId: z.string(),
  ResourceId: z.string(),
  HttpMethod: z.string(),
  AuthorizationType: optional(z.literal('NONE', { error: 'authorizers are not implemented' })),
  Integration: z.discriminatedUnion('Type', [proxyIntegration, mockIntegration], {
    error: 'only integrations of type AWS_PROXY and MOCK are implemented',
  }),
  ...ignored('MethodResponses'),
});

const planMethod = resourceType(method, (properties, place) => {
  const api = apiOf(properties.RestApiId, place.plan);
  const { Integration } = properties;
  api.methods.push({
    httpMethod: properties.HttpMethod,
    resourceId: properties.ResourceId,
    resourcePath: api.resourcePaths.get(properties.ResourceId) ?? '/',
    integration:
      Integration.Type === 'MOCK'
        ? planMock(Integration)
        : {
            type: 'AWS_PROXY',
            functionName: functionOf(
              /\/functions\/(arn:[^/]+)\//.exec(Integration.Uri)?.[1] ?? Integration.Uri,
              place.plan,
            ).name,
            role: roleOf(Integration.Credentials, `the route ${place.id}`, place.plan),
            streamed: Integration.ResponseTransferMode === 'STREAM',
            timeoutMs: Integration.TimeoutInMillis,
          },
  });
  return { ref: `${place.id}-${properties.HttpMethod}` };
});

function planMock({
  RequestTemplates,
  IntegrationResponses: [response],
}: z.output<typeof mockIntegration>): MockIntegration {
  return {
    type: 'MOCK',
    takes: Object.keys(RequestTemplates),
    statusCode: response.StatusCode,
    headers: mappedHeaders(response.ResponseParameters, 'method.response.header.'),
    templates: response.ResponseTemplates ?? {},
  };
}

/** `{'method.response.header.Allow': "'GET'"}` → `{Allow: "'GET'"}`. */
function mappedHeaders(
  parameters: Record<string, string> | undefined,
  prefix: string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters ?? {}).map(([key, value]) => {
      if (!key.startsWith(prefix)) throw new StackError(`The response parameter ${key} is not implemented.`);
      return [key.slice(prefix.length), value];
    }),
  );
}

const planGatewayResponse = resourceType(
  z.strictObject({
    RestApiId: z.string(),
    ResponseType: z.string(),
    StatusCode: optional(number),
    ResponseParameters: optional(z.record(z.string(), z.string())),
    ResponseTemplates: optional(z.record(z.string(), z.string())),
  }),
  (properties, place) => {
    apiOf(properties.RestApiId, place.plan).gatewayResponses.set(properties.ResponseType, {
      statusCode: properties.StatusCode,
      headers: mappedHeaders(properties.ResponseParameters, 'gatewayresponse.header.'),
      templates: properties.ResponseTemplates ?? {},
    });
    return { ref: place.id };
  },
);

const methodSetting = z.strictObject({
  HttpMethod: z.string(),
  ResourcePath: z.string(),
  ThrottlingRateLimit: optional(number),
  ThrottlingBurstLimit: optional(number),
  ...ignored('DataTraceEnabled', 'LoggingLevel', 'MetricsEnabled'),
});

const planStage = resourceType(
  z.strictObject({
    RestApiId: z.string(),
    StageName: z.string(),
    MethodSettings: optional(z.array(methodSetting)),
    ...ignored('DeploymentId', 'AccessLogSetting', 'TracingEnabled'),
  }),
  (properties, place) => {
    const stage: StagePlan = {
      name: properties.StageName,
      throttle: undefined,
      methodThrottles: new Map(),
    };
    for (const setting of properties.MethodSettings ?? []) addThrottle(stage, setting);
    apiOf(properties.RestApiId, place.plan).stages.set(stage.name, stage);
    return { ref: stage.name };
  },
);

function addThrottle(stage: StagePlan, setting: z.output<typeof methodSetting>): void {
  if (setting.ThrottlingRateLimit === undefined && setting.ThrottlingBurstLimit === undefined) return;
  const throttle: Throttle = {
    rate: setting.ThrottlingRateLimit ?? 10_000,
    burst: setting.ThrottlingBurstLimit ?? 5_000,
  };
  // A path has the form `/~1notes~1{id}`. `/*` means every method of the stage.
  const path = setting.ResourcePath.replace(/^\/(?=~1)/, '').replaceAll('~1', '/');
  if (path === '/*') stage.throttle = throttle;
  else stage.methodThrottles.set(`${setting.HttpMethod} ${path}`, throttle);
}

const planDeployment = resourceType(z.looseObject({}), (_properties, { id }) => ({
  ref: id,
  DeploymentId: id,
}));

const apiOf = (id: string, plan: Plan): ApiPlan => partOfStack(plan.apis.get(id), `The API ${id}`);

export const API_GATEWAY_TYPES: Record<string, ResourceType> = {
  'AWS::ApiGateway::RestApi': planApi,
  'AWS::ApiGateway::Resource': planResource,
  'AWS::ApiGateway::Method': planMethod,
  'AWS::ApiGateway::GatewayResponse': planGatewayResponse,
  'AWS::ApiGateway::Stage': planStage,
  'AWS::ApiGateway::Deployment': planDeployment,
};
