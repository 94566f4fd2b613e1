import { Match } from 'aws-cdk-lib/assertions';
import { LOGGED } from '../../../infra/access-log.ts';
import { API_POLICY, PAGE_POLICY } from '../../../infra/edge/policies.ts';
import { ORIGIN_SECRET_HEADER, VIEWER_ADDRESS_HEADER } from '../../../shared/http/trusted-edge.ts';
import { resources, type Statement, template } from './template.ts';

const prod = template();
const DOMAIN = {
  domain: 'sign.example.org',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1a2b-3c',
  hostedZoneId: 'Z0123456789',
};

interface Behaviour {
  PathPattern?: string;
  TargetOriginId: string;
  AllowedMethods?: string[];
  CachePolicyId: string;
  OriginRequestPolicyId?: string;
  ViewerProtocolPolicy: string;
  ResponseHeadersPolicyId: { Ref: string };
  FunctionAssociations: { EventType: string; FunctionARN: unknown }[];
}
interface Config {
  Origins: {
    Id: string;
    OriginPath?: string;
    OriginCustomHeaders?: { HeaderName: string; HeaderValue: unknown }[];
    OriginAccessControlId?: unknown;
  }[];
  DefaultCacheBehavior: Behaviour;
  CacheBehaviors: Behaviour[];
  CustomErrorResponses?: unknown;
  HttpVersion: string;
  Logging?: unknown;
}

const CACHING_DISABLED = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
const ALL_VIEWER_EXCEPT_HOST = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';

const [distribution] = Object.values(resources(prod, 'AWS::CloudFront::Distribution'));
const config = distribution?.Properties.DistributionConfig as Config;
const api = config.CacheBehaviors.find(({ PathPattern }) => PathPattern === '/api/*') as Behaviour;
const page = config.DefaultCacheBehavior;
const originOf = ({ TargetOriginId }: Behaviour) => config.Origins.find(({ Id }) => Id === TargetOriginId);

const headersOf = (behaviour: Behaviour) =>
  resources(prod)[behaviour.ResponseHeadersPolicyId.Ref]?.Properties.ResponseHeadersPolicyConfig as {
    SecurityHeadersConfig: { ContentSecurityPolicy: { ContentSecurityPolicy: string } };
    CustomHeadersConfig: { Items: { Header: string; Value: string; Override: boolean }[] };
  };

describe('the distribution', () => {
  it('speaks HTTP/2 and 3', () => {
    expect(config.HttpVersion).toBe('http2and3');
  });

  it('hands every call of the API on whole and keeps no answer', () => {
    expect(api).toMatchObject({
      CachePolicyId: CACHING_DISABLED,
      OriginRequestPolicyId: ALL_VIEWER_EXCEPT_HOST,
      ViewerProtocolPolicy: 'https-only',
    });
    expect(api.AllowedMethods?.sort()).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);
    expect(originOf(api)?.OriginPath).toBe('/live');
  });

  it('proves itself to the API with a secret made at deployment', () => {
    expect(originOf(api)?.OriginCustomHeaders).toEqual([
      {
        HeaderName: ORIGIN_SECRET_HEADER,
        HeaderValue: {
          'Fn::Join': [
            '',
            [
              '{{resolve:secretsmanager:',
              { Ref: expect.stringMatching(/^SecretsOrigin/) },
              ':SecretString:::}}',
            ],
          ],
        },
      },
    ]);
  });

  it('alone reads the bucket of the page', () => {
    expect(originOf(page)?.OriginAccessControlId).toBeDefined();
    const allowed = Object.values(resources(prod, 'AWS::S3::BucketPolicy'))
      .flatMap(({ Properties }) => (Properties.PolicyDocument as { Statement: Statement[] }).Statement)
      .filter(
        ({ Effect, Principal }) => Effect === 'Allow' && JSON.stringify(Principal).includes('cloudfront'),
      );
    expect(allowed).toHaveLength(1);
    expect(allowed[0]).toMatchObject({
      Action: 's3:GetObject',
      Condition: { StringEquals: { 'AWS:SourceArn': expect.anything() } },
    });
  });

  it('leaves the API’s errors as they are', () => {
    expect(config.CustomErrorResponses).toBeUndefined();
  });

  it('runs the function at the edge for everything', () => {
    for (const behaviour of [api, page])
      expect(behaviour.FunctionAssociations.map(({ EventType }) => EventType)).toEqual(['viewer-request']);
    prod.hasResourceProperties('AWS::CloudFront::Function', {
      FunctionCode: Match.stringLikeRegexp(VIEWER_ADDRESS_HEADER),
      FunctionConfig: { Runtime: 'cloudfront-js-2.0' },
    });
  });

  it('waits for no function, so that functions can know its address', () => {
    expect(JSON.stringify(distribution)).not.toMatch(/Lambda|ApiDeployment/);
    prod.hasOutput('BaseUrl', {
      Value: { 'Fn::Join': ['', ['https://', { 'Fn::GetAtt': [Match.anyValue(), 'DomainName'] }]] },
    });
  });
});

describe('the headers', () => {
  it.each([
    ['page', page, PAGE_POLICY],
    ['API', api, API_POLICY],
  ])('of the %s are strict', (_, behaviour, policy) => {
    expect(headersOf(behaviour)).toMatchObject({
      SecurityHeadersConfig: {
        ContentSecurityPolicy: { ContentSecurityPolicy: policy, Override: true },
        ContentTypeOptions: { Override: true },
        FrameOptions: { FrameOption: 'DENY', Override: true },
        ReferrerPolicy: { ReferrerPolicy: 'no-referrer', Override: true },
        StrictTransportSecurity: {
          AccessControlMaxAgeSec: 63_072_000,
          IncludeSubdomains: true,
          Override: true,
        },
      },
      CustomHeadersConfig: {
        Items: expect.arrayContaining([expect.objectContaining({ Header: 'Permissions-Policy' })]),
      },
    });
  });

  it('of the API alone say how to authenticate', () => {
    const challenge = { Header: 'WWW-Authenticate', Value: 'Bearer', Override: true };
    expect(headersOf(api).CustomHeadersConfig.Items).toContainEqual(challenge);
    expect(headersOf(page).CustomHeadersConfig.Items).not.toContainEqual(challenge);
  });

  it('let the page run nothing inline and nothing from elsewhere', () => {
    expect(PAGE_POLICY).toMatch(/^default-src 'none'/);
    expect(PAGE_POLICY).toContain("frame-ancestors 'none'");
    expect(PAGE_POLICY).not.toMatch(/unsafe-inline|'unsafe-eval|data:|https?:|\*/);
  });
});

describe('the page’s files', () => {
  const deployments = Object.values(resources(prod, 'Custom::CDKBucketDeployment')).map(
    ({ Properties }) => Properties,
  );

  it('are kept for ever where their name holds their content, and asked for anew otherwise', () => {
    expect(
      deployments.map(({ Include, Exclude, Prune, SystemMetadata }) => ({
        Include,
        Exclude,
        Prune,
        SystemMetadata,
      })),
    ).toEqual([
      {
        Include: ['sign/assets/*'],
        Exclude: ['*'],
        Prune: false,
        SystemMetadata: { 'cache-control': 'public, max-age=31536000, immutable' },
      },
      {
        Include: undefined,
        Exclude: ['sign/assets/*'],
        Prune: true,
        SystemMetadata: { 'cache-control': 'no-cache' },
      },
    ]);
  });
});

describe('an own domain', () => {
  const own = template(DOMAIN);

  it('answers at its name, with TLS 1.2 at least', () => {
    own.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: Match.objectLike({
        Aliases: [DOMAIN.domain],
        ViewerCertificate: {
          AcmCertificateArn: DOMAIN.certificateArn,
          MinimumProtocolVersion: 'TLSv1.2_2021',
          SslSupportMethod: 'sni-only',
        },
      }),
    });
    own.hasOutput('BaseUrl', { Value: `https://${DOMAIN.domain}` });
  });

  it('is entered in its zone, for IPv4 and IPv6', () => {
    for (const Type of ['A', 'AAAA'])
      own.hasResourceProperties('AWS::Route53::RecordSet', {
        Type,
        Name: `${DOMAIN.domain}.`,
        HostedZoneId: DOMAIN.hostedZoneId,
      });
  });
});

describe('the access log', () => {
  it('holds nothing that a signing link’s token is part of', () => {
    expect(config.Logging).toBeUndefined();
    prod.hasResourceProperties('AWS::Logs::Delivery', { RecordFields: LOGGED });
    for (const field of LOGGED)
      expect(field).not.toMatch(/uri|query|referer|cookie|host|x-forwarded|headers/i);
  });

  it('is set up where CloudFront can deliver it and left out elsewhere', () => {
    prod.hasCondition('*', { 'Fn::Equals': [{ Ref: 'AWS::Region' }, 'us-east-1'] });
    for (const type of ['AWS::Logs::Delivery', 'AWS::Logs::DeliverySource', 'AWS::Logs::DeliveryDestination'])
      prod.hasResource(type, { Condition: Match.stringLikeRegexp('InUsEast1') });
  });
});
