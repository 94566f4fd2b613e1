import { readFileSync } from 'node:fs';
import { FUNCTIONS } from '../../../infra/functions.ts';
import { ENDPOINTS } from '../../../shared/contract/endpoints.ts';
import { ERRORS, isErrorCode } from '../../../shared/contract/errors.ts';
import { LIMITS } from '../../../shared/contract/limits.ts';
import { ORIGIN_SECRET_HEADER } from '../../../shared/http/trusted-edge.ts';
import { DOMAIN, deployedText, Match, OPTIONS, only, resources, template, withId } from './template.ts';

const prod = template();

interface Method {
  HttpMethod: string;
  AuthorizationType: string;
  ResourceId: { Ref: string };
  Integration: {
    Type: string;
    Uri: unknown;
    ResponseTransferMode?: string;
    TimeoutInMillis?: number;
    RequestTemplates?: Record<string, string>;
    IntegrationResponses?: {
      StatusCode: string;
      ResponseParameters: Record<string, string>;
      ResponseTemplates: Record<string, unknown>;
    }[];
  };
}

/** The full path of a resource. */
function pathOf(id: string): string {
  const { PathPart, ParentId } = withId<{ PathPart: string; ParentId: { Ref?: string } }>(prod, id);
  return `${ParentId.Ref ? pathOf(ParentId.Ref) : ''}/${PathPart}`;
}

const methods = Object.values(resources(prod, 'AWS::ApiGateway::Method')).map(
  ({ Properties }) => Properties as unknown as Method,
);
const routes = new Map(
  methods.map((method) => [`${method.HttpMethod} ${pathOf(method.ResourceId.Ref)}`, method]),
);

/** A body as the gateway reads it from its template. */
const bodyOf = (templates: Record<string, unknown> | undefined) =>
  JSON.parse(deployedText(templates?.['application/json'] ?? '{}')) as {
    error: string;
    message: string;
    request_id: string;
    docs: string;
  };

const fixedAnswer = (route: string) => {
  const [answer] = routes.get(route)?.Integration.IntegrationResponses ?? [];
  return {
    status: Number(answer?.StatusCode),
    allow: answer?.ResponseParameters['method.response.header.Allow'],
    requestId: answer?.ResponseParameters['method.response.header.X-Request-Id'],
    body: bodyOf(answer?.ResponseTemplates),
  };
};

const OWN = ENDPOINTS.filter((endpoint) => endpoint.function === undefined);

describe('the routes', () => {
  it.each(OWN.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    'the route %s calls its own function',
    (route, { name, answer }) => {
      const method = routes.get(route);
      const functionId = Object.entries(resources(prod, 'AWS::Lambda::Function')).find(
        ([, { Properties }]) => Properties.FunctionName === `signature-requests-${name}`,
      )?.[0];
      expect(method?.Integration.Type).toBe('AWS_PROXY');
      expect(JSON.stringify(method?.Integration.Uri)).toContain(`"${functionId}"`);
      expect(method?.Integration.ResponseTransferMode ?? 'BUFFERED').toBe(
        typeof answer === 'string' ? 'STREAM' : 'BUFFERED',
      );
    },
  );

  it('functions time out before the gateway does', () => {
    for (const { method, path, name } of OWN) {
      const { TimeoutInMillis = 29_000 } = routes.get(`${method} ${path}`)?.Integration ?? {};
      expect(1_000 * (FUNCTIONS[name]?.seconds ?? 0)).toBeLessThanOrEqual(TimeoutInMillis);
    }
    for (const name of ['app-sign-in', 'app-account'])
      expect(FUNCTIONS[name]?.seconds).toBeLessThanOrEqual(29);
  });

  it.each(OWN.filter(({ answer }) => answer === 'application/pdf').map(({ name }) => name))(
    'the largest document of %s arrives over a line of 64 KB a second',
    (name) => {
      expect(FUNCTIONS[name]?.seconds).toBeGreaterThan(LIMITS.documentBytes / (64 * 1024));
    },
  );

  it('every other method on a known path is refused with the list of allowed ones', () => {
    for (const path of new Set(OWN.map((endpoint) => endpoint.path))) {
      const allowed = OWN.filter((endpoint) => endpoint.path === path).map(({ method }) => method);
      expect(fixedAnswer(`ANY ${path}`)).toMatchObject({
        status: 405,
        allow: `'${allowed.sort().join(', ')}'`,
        requestId: 'context.requestId',
        body: { error: 'method_not_allowed', docs: `https://${DOMAIN}/docs/errors#method_not_allowed` },
      });
    }
  });

  it('the dashboard’s calls go to a function for those without a session and one for those with one', () => {
    const nameOf = (path: string) =>
      JSON.stringify(routes.get(`ANY ${path}`)?.Integration.Uri).match(/Functions(\w+?)Function/)?.[1];
    for (const path of ['/api/app/v1/sign-in', '/api/app/v1/sign-in/verify'])
      expect(nameOf(path)).toBe('AppSignIn');
    expect(nameOf('/api/app/v1/{call+}')).toBe('AppAccount');
    for (const { path, function: shared } of ENDPOINTS.filter(({ area }) => area === 'app'))
      expect([path, shared]).toEqual([path, path.includes('/sign-in') ? 'app-sign-in' : 'app-account']);
  });

  it('the template stays below CloudFormation’s limit of 500 resources, and CONTRIBUTING.md says how many it has', () => {
    const [usual, most] = [prod, template(OPTIONS)].map((each) => Object.keys(resources(each)).length);
    expect(most).toBeLessThanOrEqual(500);
    expect(readFileSync('CONTRIBUTING.md', 'utf8').replaceAll(/\s+/g, ' ')).toContain(
      `the template has ${usual}, with every option ${most}.`,
    );
  });

  it('an unknown path is answered with 404, with any key', () => {
    expect(fixedAnswer('ANY /api/{other+}')).toMatchObject({ status: 404, body: { error: 'not_found' } });
  });

  it('the routes are exactly those of the contract', () => {
    const shared = ['sign-in', 'sign-in/verify', '{call+}'].map((path) => `ANY /api/app/v1/${path}`);
    const expected = [...OWN.map(({ method, path }) => `${method} ${path}`), ...shared];
    const called = [...routes].filter(([, { Integration }]) => Integration.Type === 'AWS_PROXY');
    expect(called.map(([route]) => route).sort()).toEqual(expected.sort());
  });
});

describe('errors of the gateway', () => {
  const answers = Object.values(resources(prod, 'AWS::ApiGateway::GatewayResponse')).map(
    ({ Properties }) => ({
      type: String(Properties.ResponseType),
      status: Properties.StatusCode as string | undefined,
      headers: Properties.ResponseParameters as Record<string, string>,
      body: bodyOf(Properties.ResponseTemplates as Record<string, unknown>),
    }),
  );

  it('a gateway error is an error of the contract as JSON, with the request id and the address of its entry, and is not cached', () => {
    expect(answers.length).toBeGreaterThan(10);
    for (const { type, status, headers, body } of answers) {
      expect(Object.keys(body)).toEqual(['error', 'message', 'request_id', 'docs']);
      expect(body.docs).toBe(`https://${DOMAIN}/docs/errors#${body.error}`);
      expect(body.request_id).toBe('$context.requestId');
      expect(isErrorCode(body.error)).toBe(true);
      expect(headers['gatewayresponse.header.X-Request-Id']).toBe('context.requestId');
      expect(headers['gatewayresponse.header.Cache-Control']).toBe("'no-store'");
      // The gateway refuses a large body with 413; the service uses another status for the same code.
      if (status && isErrorCode(body.error) && type !== 'REQUEST_TOO_LARGE')
        expect(Number(status)).toBe(ERRORS[body.error][0]);
    }
  });

  it.each([
    ['DEFAULT_4XX', undefined, 'invalid_request'],
    ['DEFAULT_5XX', undefined, 'internal_error'],
    ['THROTTLED', '429', 'too_many_requests'],
    ['REQUEST_TOO_LARGE', '413', 'document_too_large'],
    ['MISSING_AUTHENTICATION_TOKEN', '404', 'not_found'],
    ['INVALID_SIGNATURE', '404', 'not_found'],
    ['INTEGRATION_TIMEOUT', '504', 'timed_out'],
    ['INTEGRATION_FAILURE', '503', 'service_unavailable'],
    ['WAF_FILTERED', '403', 'forbidden'],
  ])('the gateway error %s has status %s and code %s', (type, status, error) => {
    expect(answers.find((answer) => answer.type === type)).toMatchObject({ status, body: { error } });
  });

  it('no template of the gateway has a character that could begin a directive of its template language', () => {
    const fixed = methods.flatMap(({ Integration }) => Integration.IntegrationResponses ?? []);
    const templates = fixed.map(({ ResponseTemplates }) =>
      deployedText(ResponseTemplates['application/json']),
    );
    expect(templates.length).toBeGreaterThan(5);
    for (const text of templates) expect(text.replace('$context.requestId', '')).not.toMatch(/[#$]/);
  });

  it('a temporary gateway error says when to retry', () => {
    const retryable = answers.filter(({ headers }) => headers['gatewayresponse.header.Retry-After']);
    expect(retryable.map(({ type }) => type).sort()).toEqual([
      'INTEGRATION_FAILURE',
      'QUOTA_EXCEEDED',
      'THROTTLED',
    ]);
  });

  it('the gateway error for a large body names the upload endpoint', () => {
    expect(answers.find(({ type }) => type === 'REQUEST_TOO_LARGE')?.body.message).toContain(
      '/api/v1/uploads',
    );
  });
});

describe('the gateway', () => {
  it('the gateway is regional, throttled, has metrics, and logs no paths, headers or bodies', () => {
    prod.hasResourceProperties('AWS::ApiGateway::RestApi', {
      EndpointConfiguration: { Types: ['REGIONAL'] },
    });
    prod.hasResourceProperties('AWS::ApiGateway::Stage', {
      StageName: 'live',
      MethodSettings: [
        Match.objectLike({
          DataTraceEnabled: false,
          LoggingLevel: 'ERROR',
          MetricsEnabled: true,
          ThrottlingRateLimit: 500,
          ThrottlingBurstLimit: 1000,
        }),
      ],
    });
    const { AccessLogSetting } = only<{ AccessLogSetting: { Format: string } }>(
      prod,
      'AWS::ApiGateway::Stage',
    );
    const { Format } = AccessLogSetting;
    expect(Object.keys(JSON.parse(Format))).toContain('request_id');
    expect(Format).toContain('$context.resourcePath');
    expect(Format).not.toMatch(/\$context\.path|\$input|header|authorizer|identity/);
  });

  it('the execution log of the gateway expires like the other logs, instead of never', () => {
    const [id] =
      Object.entries(resources(prod, 'AWS::Logs::LogGroup')).find(([, { Properties }]) =>
        JSON.stringify(Properties).includes('API-Gateway-Execution-Logs_'),
      ) ?? [];
    prod.hasResource('AWS::Logs::LogGroup', {
      Properties: {
        LogGroupName: {
          'Fn::Join': ['', ['API-Gateway-Execution-Logs_', { Ref: Match.stringLikeRegexp('Api') }, '/live']],
        },
        RetentionInDays: 365,
      },
    });
    // The gateway makes the group at the first error of a stage, so it must be there before.
    prod.hasResource('AWS::ApiGateway::Stage', { DependsOn: Match.arrayWith([id]) });
  });

  it('the gateway treats every body as text, so that JSON never becomes base64', () => {
    for (const { Properties } of Object.values(resources(prod, 'AWS::ApiGateway::RestApi')))
      expect(Properties.BinaryMediaTypes).toBeUndefined();
  });
});

describe('the firewall', () => {
  interface Acl {
    Rules: {
      Name: string;
      Priority: number;
      Statement: {
        ManagedRuleGroupStatement?: {
          VendorName: string;
          Name: string;
          RuleActionOverrides: { Name: string; ActionToUse: object }[];
        };
      };
      Action?: unknown;
      OverrideAction?: unknown;
    }[];
    CustomResponseBodies: Record<string, { Content: unknown; ContentType: string }>;
  }
  const acl = only<Acl>(prod, 'AWS::WAFv2::WebACL');
  const rule = (name: string) => acl.Rules.find(({ Name }) => Name === name);

  it('the firewall protects the API in stage prod and is left out in stage dev', () => {
    prod.hasResourceProperties('AWS::WAFv2::WebACLAssociation', {
      ResourceArn: { 'Fn::Join': ['', Match.arrayWith([':apigateway:'])] },
    });
    prod.hasResourceProperties('AWS::WAFv2::WebACL', { Scope: 'REGIONAL', DefaultAction: { Allow: {} } });
    template({ stage: 'dev' }).resourceCountIs('AWS::WAFv2::WebACL', 0);
  });

  it('the first rule of the firewall blocks what lacks the origin secret, so that the others see true addresses only', () => {
    expect(acl.Rules.map(({ Name, Priority }) => [Priority, Name])).toEqual([
      [0, 'through-the-distribution'],
      [1, 'rate-per-address'],
      [2, 'AWSManagedRulesCommonRuleSet'],
      [3, 'AWSManagedRulesKnownBadInputsRuleSet'],
    ]);
    expect(rule('through-the-distribution')).toMatchObject({
      Statement: {
        NotStatement: {
          Statement: {
            RegexPatternSetReferenceStatement: {
              Arn: { 'Fn::GetAtt': [expect.stringMatching(/^FirewallOriginValues/), 'Arn'] },
              FieldToMatch: { SingleHeader: { Name: ORIGIN_SECRET_HEADER } },
              TextTransformations: [{ Priority: 0, Type: 'NONE' }],
            },
          },
        },
      },
      Action: { Block: {} },
    });
    // No value of the secret is in the template, and a changed value is not a changed template.
    expect(only<Record<string, unknown>>(prod, 'AWS::WAFv2::RegexPatternSet').RegularExpressionList).toEqual([
      {
        'Fn::Join': [
          '',
          [
            '^{{resolve:secretsmanager:',
            { Ref: expect.stringMatching(/^SecretsOrigin/) },
            ':SecretString:::}}$',
          ],
        ],
      },
    ]);
  });

  it('the firewall answers an address over the rate limit with 429, JSON and Retry-After', () => {
    expect(rule('rate-per-address')).toMatchObject({
      Statement: {
        RateBasedStatement: {
          Limit: 1_200,
          EvaluationWindowSec: 60,
          AggregateKeyType: 'FORWARDED_IP',
          ForwardedIPConfig: { HeaderName: 'x-viewer-network', FallbackBehavior: 'MATCH' },
        },
      },
      Action: {
        Block: {
          CustomResponse: {
            ResponseCode: 429,
            CustomResponseBodyKey: 'tooMany',
            ResponseHeaders: [{ Name: 'Retry-After', Value: '60' }],
          },
        },
      },
    });
    const { tooMany } = acl.CustomResponseBodies;
    expect(tooMany?.ContentType).toBe('APPLICATION_JSON');
    expect(JSON.parse(deployedText(tooMany?.Content))).toEqual({
      error: 'too_many_requests',
      message: ERRORS.too_many_requests[1],
      docs: `https://${DOMAIN}/docs/errors#too_many_requests`,
    });
  });

  it('AWS’s managed rules block what they find, except for those that only count', () => {
    for (const name of ['AWSManagedRulesCommonRuleSet', 'AWSManagedRulesKnownBadInputsRuleSet'])
      expect(rule(name)).toMatchObject({
        Statement: { ManagedRuleGroupStatement: { VendorName: 'AWS', Name: name } },
        OverrideAction: { None: {} },
      });
  });

  it('clients without a User-Agent may call', () => {
    expect(
      rule('AWSManagedRulesCommonRuleSet')?.Statement.ManagedRuleGroupStatement?.RuleActionOverrides,
    ).toContainEqual({ Name: 'NoUserAgent_HEADER', ActionToUse: { Count: {} } });
  });

  it('the firewall only counts large bodies and findings in bodies, which hold free text and PDFs as base64', () => {
    const overrides = ['AWSManagedRulesCommonRuleSet', 'AWSManagedRulesKnownBadInputsRuleSet'].flatMap(
      (name) => rule(name)?.Statement.ManagedRuleGroupStatement?.RuleActionOverrides ?? [],
    );
    expect(overrides.map(({ Name }) => Name)).toEqual(
      expect.arrayContaining([
        'SizeRestrictions_BODY',
        'CrossSiteScripting_BODY',
        'EC2MetaDataSSRF_BODY',
        'GenericLFI_BODY',
        'GenericRFI_BODY',
        'JavaDeserializationRCE_BODY',
      ]),
    );
    for (const { ActionToUse } of overrides) expect(ActionToUse).toEqual({ Count: {} });
  });

  it('the firewall only counts findings in queries, which hold references and titles of any text', () => {
    const overrides =
      rule('AWSManagedRulesCommonRuleSet')?.Statement.ManagedRuleGroupStatement?.RuleActionOverrides ?? [];
    expect(overrides.map(({ Name }) => Name)).toEqual(
      expect.arrayContaining([
        'SizeRestrictions_QUERYSTRING',
        'CrossSiteScripting_QUERYARGUMENTS',
        'EC2MetaDataSSRF_QUERYARGUMENTS',
        'GenericLFI_QUERYARGUMENTS',
        'GenericRFI_QUERYARGUMENTS',
        'RestrictedExtensions_QUERYARGUMENTS',
      ]),
    );
  });

  it('the firewall keeps no samples of requests, since they would contain keys and tokens', () => {
    expect(JSON.stringify(acl)).not.toContain('"SampledRequestsEnabled":true');
    prod.resourceCountIs('AWS::WAFv2::LoggingConfiguration', 0);
  });
});
