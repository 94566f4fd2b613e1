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
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { ERRORS, type ErrorCode } from '../shared/contract/errors.ts';
import { accept } from './exceptions.ts';
import type { Options } from './options.ts';
import { logRetention } from './service-functions.ts';

/** The distribution puts it before each path, so it is no part of any address that people see. */
export const STAGE_NAME = 'live';

/** What the gateway answers by itself, in the words of the service. */
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
  // The gateway takes an unknown path for one that it was not shown how to sign for.
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, 'not_found', '404'],
  [ResponseType.INVALID_SIGNATURE, 'not_found', '404'],
  [ResponseType.RESOURCE_NOT_FOUND, 'not_found', '404'],
];

/** Where a sentence of the gateway's own says more than the code's general one. */
const SENTENCES: Partial<Record<ErrorCode, string>> = {
  invalid_request: 'The request could not be read.',
  document_too_large:
    'The body is too large for this way in. Send documents of this size by POST /api/v1/uploads.',
  internal_error: 'The service failed. Try again, and name the X-Request-Id of this answer if it goes on.',
  not_found: 'There is nothing at this path.',
  forbidden: 'The request was refused by a firewall rule.',
};

const errorBody = (code: ErrorCode) =>
  JSON.stringify({ error: code, message: SENTENCES[code] ?? ERRORS[code][1] });

/** The REST API without its routes, which `api.ts` adds. */
export class Gateway extends Construct {
  readonly api: RestApi;

  constructor(scope: Construct, id: string, { stage, stackName }: Pick<Options, 'stage' | 'stackName'>) {
    super(scope, id);
    const accessLog = new LogGroup(this, 'AccessLog', {
      logGroupName: `/aws/apigateway/${stackName}`,
      retention: logRetention(stage),
      removalPolicy: RemovalPolicy.DESTROY,
    });

    this.api = new RestApi(this, 'Api', {
      restApiName: stackName,
      description: 'Electronic signature requests',
      endpointTypes: [EndpointType.REGIONAL],
      // One setting for the whole account in a region: it must outlive this stack, or it would take others' logs along.
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
        // X-Ray's write action knows no resource, so each role would need a `*`; the request id in every log line serves.
        tracingEnabled: false,
      },
    });

    accept(this.api, {
      APIG2: 'The functions check bodies against the contract’s schemas, and name the field at fault.',
      APIG4: 'The functions check API keys and signing links themselves; the gateway knows neither.',
      COG4: 'As APIG4: there are no users in a pool.',
      'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
        'One role for the whole account, by which the gateway writes logs; this policy is made for it.',
      ...(stage === 'dev' && {
        APIG3: 'A firewall has a monthly fee, which a stack for trying does without.',
      }),
    });

    for (const [type, code, status, retryAfter] of GATEWAY_ERRORS) {
      this.api.addGatewayResponse(type.responseType, {
        type,
        ...(status && { statusCode: status }),
        responseHeaders: {
          'X-Request-Id': 'context.requestId',
          'Cache-Control': "'no-store'",
          ...(retryAfter && { 'Retry-After': `'${retryAfter}'` }),
        },
        templates: { 'application/json': errorBody(code) },
      });
    }
  }
}

/** A route's pattern and never its path, so that no id or token of a request comes to stand in a log. */
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

/** An answer that the gateway gives without a function. */
export const fixedAnswer = (code: ErrorCode, headers: Record<string, string> = {}): IntegrationResponse => ({
  statusCode: String(ERRORS[code][0]),
  responseParameters: Object.fromEntries(
    Object.entries({ 'X-Request-Id': 'context.requestId', 'Cache-Control': "'no-store'", ...headers }).map(
      ([name, value]) => [`method.response.header.${name}`, value],
    ),
  ),
  responseTemplates: { 'application/json': errorBody(code) },
});
