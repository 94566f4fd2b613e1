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
import type { ErrorCode } from '../shared/contract/errors.ts';
import { ERRORS } from '../shared/contract/errors.ts';
import { ROWS } from './functions.ts';
import { fixedAnswer } from './gateway.ts';
import type { ServiceFunctions } from './service-functions.ts';

interface Props {
  readonly api: RestApi;
  readonly endpoints: readonly Endpoint[];
  readonly functions: ServiceFunctions;
}

/** The routes: a function for each endpoint of the contract, and an answer for every method and path that is none. */
export class Api extends Construct {
  constructor(scope: Construct, id: string, { api, endpoints, functions }: Props) {
    super(scope, id);

    for (const endpoint of endpoints) {
      const row = ROWS[endpoint.name];
      if (!row) throw new Error(`infra/functions.ts has no row for the endpoint ${endpoint.name}.`);
      const integration = new LambdaIntegration(functions.add(endpoint.name, row), {
        allowTestInvoke: false,
        // PDFs may be larger than an answer in one piece can be.
        responseTransferMode:
          endpoint.answer === 'application/pdf' ? ResponseTransferMode.STREAM : ResponseTransferMode.BUFFERED,
      });
      api.root.resourceForPath(endpoint.path).addMethod(endpoint.method, integration);
    }

    const methods = Map.groupBy(endpoints, ({ path }) => path);
    for (const [path, onPath] of methods) {
      const allow = onPath
        .map(({ method }) => method)
        .sort()
        .join(', ');
      answerAlways(api.root.resourceForPath(path), 'method_not_allowed', { Allow: `'${allow}'` });
    }
    // A route of its own: for a path without one the gateway would try to read the API key as an AWS signature.
    answerAlways(api.root.resourceForPath('/api/{other+}'), 'not_found');
  }
}

function answerAlways(resource: Resource, code: ErrorCode, headers: Record<string, string> = {}): void {
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
