import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  EndpointType,
  type IntegrationResponse,
  LogGroupLogDestination,
  MethodLoggingLevel,
  ResponseType,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { docsOf, ERRORS, type ErrorCode } from '../shared/contract/errors.ts';
import { accept } from './exceptions.ts';
import type { Options } from './options.ts';
import { newLogGroup } from './service-functions.ts';

/** The distribution adds it to each path, so it is not part of any public URL. */
export const STAGE_NAME = 'live';

/** Errors that the gateway itself returns, in the format of the service. */
const GATEWAY_ERRORS: [
  type: ResponseType,
  code: ErrorCode,
  status: string | undefined,
  retryAfter?: number,
][] = [
  [ResponseType.DEFAULT_4XX, 'invalid_request', undefined],
  [ResponseType.DEFAULT_5XX, 'internal_error', undefined],
  [ResponseType.THROTTLED, 'too_many_requests', '429', 1],
  [ResponseType.QUOTA_EXCEEDED, 'too_many_requests', '429', 60],
  [ResponseType.REQUEST_TOO_LARGE, 'document_too_large', '413'],
  [ResponseType.UNSUPPORTED_MEDIA_TYPE, 'unsupported_media_type', '415'],
  [ResponseType.INTEGRATION_TIMEOUT, 'timed_out', '504'],
  [ResponseType.INTEGRATION_FAILURE, 'service_unavailable', '503', 1],
  [ResponseType.WAF_FILTERED, 'forbidden', '403'],
  // The gateway's errors for an unknown path are about missing or invalid AWS signatures.
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, 'not_found', '404'],
  [ResponseType.INVALID_SIGNATURE, 'not_found', '404'],
  [ResponseType.RESOURCE_NOT_FOUND, 'not_found', '404'],
];

/** Messages that say more about an error of the gateway than the general message of the code. */
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  invalid_request: 'The request could not be read.',
  document_too_large:
    'The body is too large for this endpoint. Send documents of this size by POST /api/v1/uploads.',
  internal_error: 'The service failed. Try again; if it fails again, report the X-Request-Id.',
  not_found: 'There is nothing at this path.',
  forbidden: 'The request was refused by a firewall rule.',
};

/** An error as a template of the gateway, to which a plain `#` could begin a directive. */
const errorBody = (code: ErrorCode, baseUrl: string) =>
  JSON.stringify({
    error: code,
    message: MESSAGES[code] ?? ERRORS[code][1],
    request_id: '$context.requestId',
    docs: docsOf(baseUrl, code),
  }).replaceAll('#', '\\u0023');

/** The REST API without its routes, which `api.ts` adds. */
export class Gateway extends Construct {
  readonly api: RestApi;

  constructor(scope: Construct, id: string, { stage, stackName }: Pick<Options, 'stage' | 'stackName'>) {
    super(scope, id);
    const accessLog = newLogGroup(this, 'AccessLog', stage, `/aws/apigateway/${stackName}`);

    this.api = new RestApi(this, 'Api', {
      restApiName: stackName,
      description: 'Electronic signature requests',
      endpointTypes: [EndpointType.REGIONAL],
      // This is one setting per account and region: removing it with the stack would stop the logs of other APIs.
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      deployOptions: {
        stageName: STAGE_NAME,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: accessLogFormat(),
        loggingLevel: MethodLoggingLevel.ERROR,
        dataTraceEnabled: false,
        metricsEnabled: true,
        throttlingRateLimit: stage === 'prod' ? 500 : 50,
        throttlingBurstLimit: stage === 'prod' ? 1_000 : 100,
        // X-Ray's write action has no resource, so each role would need a `*`. Log lines share a request id instead.
        tracingEnabled: false,
      },
    });

    // Otherwise the gateway creates this group at its first error, and its logs never expire.
    const ownLogName = `API-Gateway-Execution-Logs_${this.api.restApiId}/${STAGE_NAME}`;
    const ownLog = newLogGroup(this, 'OwnLog', stage, ownLogName);
    this.api.deploymentStage.node.addDependency(ownLog);

    accept(this.api, {
      APIG2: 'The functions validate bodies against the contract’s schemas and name the invalid field.',
      APIG4: 'The functions check API keys and signing links themselves.',
      COG4: 'Like APIG4: there is no user pool.',
      'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
        'The account-wide role with which the gateway writes logs; AWS made this policy for it.',
      ...(stage === 'dev' && {
        APIG3: 'A firewall has a monthly fee, which a trial stack avoids.',
      }),
    });
  }
}

/** Apart from the gateway, which the address of the service depends on. */
export function addGatewayErrors(api: RestApi, baseUrl: string): void {
  for (const [type, code, status, retryAfter] of GATEWAY_ERRORS) {
    api.addGatewayResponse(type.responseType, {
      type,
      ...(status && { statusCode: status }),
      responseHeaders: {
        'X-Request-Id': 'context.requestId',
        'Cache-Control': "'no-store'",
        ...(retryAfter && { 'Retry-After': `'${retryAfter}'` }),
      },
      templates: { 'application/json': errorBody(code, baseUrl) },
    });
  }
}

/** Logs the route's pattern, never the path, so that no id or token gets into the log. */
const accessLogFormat = () =>
  AccessLogFormat.custom(
    JSON.stringify({
      time: AccessLogField.contextRequestTimeEpoch(),
      request_id: AccessLogField.contextRequestId(),
      method: AccessLogField.contextHttpMethod(),
      route: AccessLogField.contextResourcePath(),
      status: AccessLogField.contextStatus(),
      bytes: AccessLogField.contextResponseLength(),
      latency_ms: AccessLogField.contextResponseLatency(),
      function_ms: AccessLogField.contextIntegrationLatency(),
      gateway_error: AccessLogField.contextErrorResponseType(),
      firewall: AccessLogField.contextWafResponseCode(),
    }),
  );

/** A response that the gateway gives without calling a function. */
export const fixedAnswer = (
  code: ErrorCode,
  baseUrl: string,
  headers: Record<string, string> = {},
): IntegrationResponse => ({
  statusCode: String(ERRORS[code][0]),
  responseParameters: Object.fromEntries(
    Object.entries({ 'X-Request-Id': 'context.requestId', 'Cache-Control': "'no-store'", ...headers }).map(
      ([name, value]) => [`method.response.header.${name}`, value],
    ),
  ),
  responseTemplates: { 'application/json': errorBody(code, baseUrl) },
});
