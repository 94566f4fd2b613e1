import {
  LambdaIntegration,
  MockIntegration,
  PassthroughBehavior,
  type Resource,
  ResponseTransferMode,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import type { Endpoint } from '../shared/contract/endpoint.ts';
import { ERRORS, type ErrorCode } from '../shared/contract/errors.ts';
import { FUNCTIONS } from './functions.ts';
import { fixedAnswer } from './gateway.ts';
import type { ServiceFunctions } from './service-functions.ts';

interface Props {
  readonly api: RestApi;
  readonly endpoints: readonly Endpoint[];
  readonly functions: ServiceFunctions;
}

/** The routes: a function for each endpoint of the contract, and fixed errors for every other method and path. */
export class Api extends Construct {
  constructor(scope: Construct, id: string, { api, endpoints, functions }: Props) {
    super(scope, id);

    for (const endpoint of endpoints) {
      const spec = FUNCTIONS[endpoint.name];
      if (!spec) throw new Error(`infra/functions.ts has no function for the endpoint ${endpoint.name}.`);
      const integration = new LambdaIntegration(functions.add(endpoint.name, spec), {
        allowTestInvoke: false,
        // A file may exceed the size limit of a buffered response.
        responseTransferMode:
          typeof endpoint.answer === 'string' ? ResponseTransferMode.STREAM : ResponseTransferMode.BUFFERED,
      });
      api.root.resourceForPath(endpoint.path).addMethod(endpoint.method, integration);
    }

    const methods = Map.groupBy(endpoints, ({ path }) => path);
    for (const [path, endpointsOnPath] of methods) {
      const allow = endpointsOnPath
        .map(({ method }) => method)
        .sort()
        .join(', ');
      addFixedAnswer(api.root.resourceForPath(path), 'method_not_allowed', { Allow: `'${allow}'` });
    }
    // Without this route the gateway would read the API key of a call to an unknown path as an AWS signature.
    addFixedAnswer(api.root.resourceForPath('/api/{other+}'), 'not_found');
  }
}

function addFixedAnswer(resource: Resource, code: ErrorCode, headers: Record<string, string> = {}): void {
  const answer = fixedAnswer(code, headers);
  resource.addMethod(
    'ANY',
    new MockIntegration({
      passthroughBehavior: PassthroughBehavior.WHEN_NO_TEMPLATES,
      requestTemplates: { 'application/json': JSON.stringify({ statusCode: ERRORS[code][0] }) },
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
