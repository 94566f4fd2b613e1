import { Match } from 'aws-cdk-lib/assertions';
import { ENDPOINTS } from '../../../shared/contract/endpoints.ts';
import { ERRORS, isErrorCode } from '../../../shared/contract/errors.ts';
import { only, resources, template, withId } from './template.ts';

const prod = template();

interface Method {
  HttpMethod: string;
  AuthorizationType: string;
  ResourceId: { Ref: string };
  Integration: {
    Type: string;
    Uri: unknown;
    ResponseTransferMode?: string;
    RequestTemplates?: Record<string, string>;
    IntegrationResponses?: {
      StatusCode: string;
      ResponseParameters: Record<string, string>;
      ResponseTemplates: Record<string, string>;
    }[];
  };
}

/** The path of a resource, from its part up to the root. */
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

const fixed = (route: string) => {
  const [answer] = routes.get(route)?.Integration.IntegrationResponses ?? [];
  return {
    status: Number(answer?.StatusCode),
    allow: answer?.ResponseParameters['method.response.header.Allow'],
    requestId: answer?.ResponseParameters['method.response.header.X-Request-Id'],
    body: JSON.parse(answer?.ResponseTemplates['application/json'] ?? '{}') as {
      error: string;
      message: string;
    },
  };
};

describe('the routes', () => {
  it.each(ENDPOINTS.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    'lead %s to its own function',
    (route, { name, answer }) => {
      const method = routes.get(route);
      const functionId = Object.entries(resources(prod, 'AWS::Lambda::Function')).find(
        ([, { Properties }]) => Properties.FunctionName === `signature-requests-${name}`,
      )?.[0];
      expect(method?.Integration.Type).toBe('AWS_PROXY');
      expect(JSON.stringify(method?.Integration.Uri)).toContain(`"${functionId}"`);
      expect(method?.Integration.ResponseTransferMode ?? 'BUFFERED').toBe(
        answer === 'application/pdf' ? 'STREAM' : 'BUFFERED',
      );
    },
  );

  it('refuse every other method on a known path and name those that it has', () => {
    for (const path of new Set(ENDPOINTS.map((endpoint) => endpoint.path))) {
      const has = ENDPOINTS.filter((endpoint) => endpoint.path === path).map(({ method }) => method);
      expect(fixed(`ANY ${path}`)).toMatchObject({
        status: 405,
        allow: `'${has.sort().join(', ')}'`,
        requestId: 'context.requestId',
        body: { error: 'method_not_allowed' },
      });
    }
  });

  it('answer an unknown path with 404, whatever key comes with it', () => {
    expect(fixed('ANY /api/{other+}')).toMatchObject({ status: 404, body: { error: 'not_found' } });
  });

  it('are those of the contract and no others', () => {
    const expected = ENDPOINTS.map(({ method, path }) => `${method} ${path}`);
    const called = [...routes].filter(([, { Integration }]) => Integration.Type === 'AWS_PROXY');
    expect(called.map(([route]) => route).sort()).toEqual(expected.sort());
  });
});

describe('what the gateway answers by itself', () => {
  const answers = Object.values(resources(prod, 'AWS::ApiGateway::GatewayResponse')).map(
    ({ Properties }) => ({
      type: String(Properties.ResponseType),
      status: Properties.StatusCode as string | undefined,
      headers: Properties.ResponseParameters as Record<string, string>,
      body: JSON.parse(
        (Properties.ResponseTemplates as Record<string, string>)['application/json'] ?? '{}',
      ) as {
        error: string;
        message: string;
      },
    }),
  );

  it('is an error of the contract, as JSON, with the request’s id, and kept by nobody', () => {
    expect(answers.length).toBeGreaterThan(10);
    for (const { type, status, headers, body } of answers) {
      expect(Object.keys(body)).toEqual(['error', 'message']);
      expect(isErrorCode(body.error)).toBe(true);
      expect(headers['gatewayresponse.header.X-Request-Id']).toBe('context.requestId');
      expect(headers['gatewayresponse.header.Cache-Control']).toBe("'no-store'");
      // One status of the gateway's differs from the service's own: a body that is refused before it is read.
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
  ])('is for %s %s %s', (type, status, error) => {
    expect(answers.find((answer) => answer.type === type)).toMatchObject({ status, body: { error } });
  });

  it('says when to try again where that helps', () => {
    const waiting = answers.filter(({ headers }) => headers['gatewayresponse.header.Retry-After']);
    expect(waiting.map(({ type }) => type).sort()).toEqual([
      'INTEGRATION_FAILURE',
      'QUOTA_EXCEEDED',
      'THROTTLED',
    ]);
  });

  it('names the other way in where a body is too large', () => {
    expect(answers.find(({ type }) => type === 'REQUEST_TOO_LARGE')?.body.message).toContain(
      '/api/v1/uploads',
    );
  });
});

describe('the gateway', () => {
  it('is regional, throttled, measured, and logs without paths, headers or bodies', () => {
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

  it('keeps bodies as text: PDFs stream and JSON is never base64', () => {
    for (const { Properties } of Object.values(resources(prod, 'AWS::ApiGateway::RestApi')))
      expect(Properties.BinaryMediaTypes).toBeUndefined();
  });
});

describe('the firewall', () => {
  interface Acl {
    Rules: {
      Name: string;
      Statement: {
        ManagedRuleGroupStatement?: { RuleActionOverrides: { Name: string; ActionToUse: object }[] };
      };
      Action?: unknown;
    }[];
    CustomResponseBodies: Record<string, { Content: string; ContentType: string }>;
  }
  const acl = only<Acl>(prod, 'AWS::WAFv2::WebACL');
  const rule = (name: string) => acl.Rules.find(({ Name }) => Name === name);

  it('stands before the API in production, and costs nothing in a stack for trying', () => {
    prod.hasResourceProperties('AWS::WAFv2::WebACLAssociation', {
      ResourceArn: { 'Fn::Join': ['', Match.arrayWith([':apigateway:'])] },
    });
    prod.hasResourceProperties('AWS::WAFv2::WebACL', { Scope: 'REGIONAL', DefaultAction: { Allow: {} } });
    template({ stage: 'dev' }).resourceCountIs('AWS::WAFv2::WebACL', 0);
  });

  it('answers an address that calls too often with 429, JSON and Retry-After', () => {
    expect(rule('rate-per-address')).toMatchObject({
      Statement: {
        RateBasedStatement: {
          AggregateKeyType: 'FORWARDED_IP',
          ForwardedIPConfig: { HeaderName: 'x-viewer-address' },
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
    expect(JSON.parse(tooMany?.Content ?? '')).toMatchObject({ error: 'too_many_requests' });
  });

  it('only counts what it finds in bodies, large ones among them', () => {
    const overrides =
      rule('AWSManagedRulesCommonRuleSet')?.Statement.ManagedRuleGroupStatement?.RuleActionOverrides ?? [];
    expect(overrides).toContainEqual({ Name: 'SizeRestrictions_BODY', ActionToUse: { Count: {} } });
    for (const { ActionToUse } of overrides) expect(ActionToUse).toEqual({ Count: {} });
  });

  it('keeps no samples of requests, which would show keys and tokens', () => {
    expect(JSON.stringify(acl)).not.toContain('"SampledRequestsEnabled":true');
  });
});
