import { Duration } from 'aws-cdk-lib';
import {
  AwsIntegration,
  type IntegrationResponse,
  MockIntegration,
  PassthroughBehavior,
  type Resource,
  ResponseTransferMode,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { Role } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Endpoint } from '../shared/contract/endpoint.ts';
import type { FunctionSpec } from './function-spec.ts';
import { DOWNLOAD, FUNCTIONS } from './functions.ts';
import { fixedAnswer } from './gateway.ts';
import { allow, roleWith } from './role.ts';
import type { ServiceFunctions } from './service-functions.ts';

interface Props {
  readonly api: RestApi;
  readonly endpoints: readonly Endpoint[];
  readonly functions: ServiceFunctions;
  readonly baseUrl: string;
}

/**
 * The paths of functions that serve several endpoints. A stack has at most 500 resources, too few for a function, a route and
 * a fixed error for each of the dashboard's calls. So these functions route by themselves.
 */
const SHARED_PATHS: Readonly<Record<NonNullable<Endpoint['function']>, readonly string[]>> = {
  'app-sign-in': ['/api/app/v1/sign-in', '/api/app/v1/sign-in/verify'],
  'app-account': ['/api/app/v1/{call+}'],
};

/** The routes: a function for each endpoint of the contract, and fixed errors for every other method and path. */
export class Api extends Construct {
  constructor(scope: Construct, id: string, { api, endpoints, functions, baseUrl }: Props) {
    super(scope, id);

    const own = endpoints.filter((endpoint) => endpoint.function === undefined);
    const names = [...own.map(({ name }) => name), ...Object.keys(SHARED_PATHS)];
    const caller = this.#callerOf(names.map((name) => functions.add(name, specOf(name))));

    for (const { name, method, path, answer } of own) {
      // A file may exceed the size limit of a buffered response.
      const mode = typeof answer === 'string' ? ResponseTransferMode.STREAM : ResponseTransferMode.BUFFERED;
      api.root.resourceForPath(path).addMethod(method, callOf(functions.get(name), caller, mode));
    }
    for (const [name, paths] of Object.entries(SHARED_PATHS)) {
      const call = callOf(functions.get(name), caller, ResponseTransferMode.BUFFERED);
      for (const path of paths) api.root.resourceForPath(path).addMethod('ANY', call);
    }

    const methods = Map.groupBy(own, ({ path }) => path);
    for (const [path, endpointsOnPath] of methods) {
      const allow = endpointsOnPath
        .map(({ method }) => method)
        .sort()
        .join(', ');
      addFixedAnswer(
        api.root.resourceForPath(path),
        fixedAnswer('method_not_allowed', baseUrl, { Allow: `'${allow}'` }),
      );
    }
    // Without this route the gateway would read the API key of a call to an unknown path as an AWS signature.
    addFixedAnswer(api.root.resourceForPath('/api/{other+}'), fixedAnswer('not_found', baseUrl));
  }

  /** One role for all routes: a permission for each would be a resource each of the stack's 500. */
  #callerOf(functions: readonly LambdaFunction[]): Role {
    return roleWith(this, 'Caller', {
      service: 'apigateway',
      description: 'Lets the routes of the API call their functions',
      statements: [
        allow(
          ['lambda:InvokeFunction'],
          functions.map(({ functionArn }) => functionArn),
        ),
      ],
    });
  }
}

/** The CDK's own integration of functions would add a permission to each function, besides the role. */
function callOf(
  { functionArn }: LambdaFunction,
  credentialsRole: Role,
  responseTransferMode: ResponseTransferMode,
): AwsIntegration {
  const streams = responseTransferMode === ResponseTransferMode.STREAM;
  return new AwsIntegration({
    service: 'lambda',
    path: streams
      ? `2021-11-15/functions/${functionArn}/response-streaming-invocations`
      : `2015-03-31/functions/${functionArn}/invocations`,
    proxy: true,
    options: {
      credentialsRole,
      responseTransferMode,
      // The gateway's own limit, 29 seconds, would end the stream before the function's does.
      ...(streams && { timeout: Duration.seconds(DOWNLOAD.seconds) }),
    },
  });
}

function specOf(name: string): FunctionSpec {
  const spec = FUNCTIONS[name];
  if (!spec) throw new Error(`infra/functions.ts has no function ${name}.`);
  return spec;
}

/** The types of bodies that clients send, some of them unasked. To any other the gateway answers 415 before it looks at the fixed answer. */
const BODY_TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/plain',
  'application/octet-stream',
  'application/pdf',
];

function addFixedAnswer(resource: Resource, answer: IntegrationResponse): void {
  const status = JSON.stringify({ statusCode: Number(answer.statusCode) });
  resource.addMethod(
    'ANY',
    new MockIntegration({
      passthroughBehavior: PassthroughBehavior.WHEN_NO_TEMPLATES,
      requestTemplates: Object.fromEntries(BODY_TYPES.map((type) => [type, status])),
      integrationResponses: [answer],
    }),
    {
      methodResponses: [
        {
          statusCode: answer.statusCode,
          responseParameters: Object.fromEntries(
            Object.keys(answer.responseParameters ?? {}).map((name) => [name, true]),
          ),
        },
      ],
    },
  );
}
