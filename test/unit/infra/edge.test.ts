import { readFileSync } from 'node:fs';
import { S3Client } from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { LOGGED_FIELDS } from '../../../infra/access-log.ts';
import {
  API_POLICY,
  appPolicy,
  DOCS_POLICY,
  PAGE_POLICY,
  VERIFY_POLICY,
} from '../../../infra/edge/policies.ts';
import { ORIGIN_SECRET_HEADER, VIEWER_ADDRESS_HEADER } from '../../../shared/http/trusted-edge.ts';
import { Match, OPTIONS, resources, type Statement, template } from './template.ts';

const prod = template();

interface Behaviour {
  PathPattern?: string;
  TargetOriginId: string;
  Compress?: boolean;
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
    CustomOriginConfig?: unknown;
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
const verify = config.CacheBehaviors.find(({ PathPattern }) => PathPattern === '/verify*') as Behaviour;
const app = config.CacheBehaviors.find(({ PathPattern }) => PathPattern === '/app*') as Behaviour;
const page = config.DefaultCacheBehavior;
const originOf = ({ TargetOriginId }: Behaviour) => config.Origins.find(({ Id }) => Id === TargetOriginId);

const headersOf = (behaviour: Behaviour) =>
  resources(prod)[behaviour.ResponseHeadersPolicyId.Ref]?.Properties.ResponseHeadersPolicyConfig as {
    SecurityHeadersConfig: { ContentSecurityPolicy: { ContentSecurityPolicy: string } };
    CustomHeadersConfig: { Items: { Header: string; Value: string; Override: boolean }[] };
  };

describe('the distribution', () => {
  it('the distribution supports HTTP/2 and HTTP/3', () => {
    expect(config.HttpVersion).toBe('http2and3');
  });

  it('the distribution forwards every API call unchanged and caches no response', () => {
    expect(api).toMatchObject({
      CachePolicyId: CACHING_DISABLED,
      OriginRequestPolicyId: ALL_VIEWER_EXCEPT_HOST,
      ViewerProtocolPolicy: 'https-only',
    });
    expect(api.AllowedMethods?.sort()).toEqual(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);
    expect(originOf(api)?.OriginPath).toBe('/live');
  });

  it('no answer travels unencrypted: pages redirect, and the API is called over TLS, for as long as a call may take', () => {
    for (const behaviour of [page, verify, app])
      expect(behaviour.ViewerProtocolPolicy).toBe('redirect-to-https');
    expect(originOf(api)?.CustomOriginConfig).toEqual({
      OriginProtocolPolicy: 'https-only',
      OriginReadTimeout: 60,
      OriginSSLProtocols: ['TLSv1.2'],
    });
  });

  it('the distribution sends the API a secret that is generated at deployment', () => {
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

  it('the distribution is the only reader of the page bucket', () => {
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

  it('the distribution passes API errors through unchanged, and keeps none for the next caller', () => {
    expect(config.CustomErrorResponses).toEqual(
      [404, 414, 500, 501, 502, 503, 504].map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })),
    );
  });

  it('the distribution runs the edge function for every request', () => {
    for (const behaviour of [api, page, verify])
      expect(behaviour.FunctionAssociations.map(({ EventType }) => EventType)).toEqual(['viewer-request']);
    prod.hasResourceProperties('AWS::CloudFront::Function', {
      FunctionCode: Match.stringLikeRegexp(VIEWER_ADDRESS_HEADER),
      FunctionConfig: { Runtime: 'cloudfront-js-2.0' },
    });
  });

  it('the distribution does not depend on functions, so that functions can depend on its address', () => {
    expect(JSON.stringify(distribution)).not.toMatch(/Lambda|ApiDeployment/);
    prod.hasOutput('BaseUrl', {
      Value: { 'Fn::Join': ['', ['https://', { 'Fn::GetAtt': [Match.anyValue(), 'DomainName'] }]] },
    });
  });
});

describe('the headers', () => {
  it.each([
    ['page', page, PAGE_POLICY],
    ['verify page', verify, VERIFY_POLICY],
    ['API', api, API_POLICY],
  ])('the %s has strict security headers', (_, behaviour, policy) => {
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

  it('the dashboard is as strict, and may send documents to the bucket of uploads alone', async () => {
    const { ContentSecurityPolicy: policy } = headersOf(app).SecurityHeadersConfig.ContentSecurityPolicy;
    const [before, bucket, after] = (policy as unknown as { 'Fn::Join': [string, unknown[]] })['Fn::Join'][1];
    expect(bucket).toEqual({
      'Fn::GetAtt': [expect.stringMatching(/^DataStaging/), 'RegionalDomainName'],
    });
    const domain = 'staging.s3.eu-north-1.amazonaws.com';
    expect(`${before}${domain}${after}`).toBe(appPolicy(`https://${domain}`));
    const s3 = new S3Client({
      region: 'eu-north-1',
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    });
    const { url } = await createPresignedPost(s3, { Bucket: 'staging', Key: 'uploads/1' });
    expect(new URL(url).host).toBe(domain);
  });

  it('only API responses name the authentication scheme', () => {
    const challenge = { Header: 'WWW-Authenticate', Value: 'Bearer', Override: true };
    expect(headersOf(api).CustomHeadersConfig.Items).toContainEqual(challenge);
    expect(headersOf(page).CustomHeadersConfig.Items).not.toContainEqual(challenge);
  });

  it.each([
    ['signing page', PAGE_POLICY],
    ['verify page', VERIFY_POLICY],
    ['documentation', DOCS_POLICY],
    ['dashboard', appPolicy('')],
  ])(
    'the policy of the %s allows no inline code, no other origins, no forms, no frames and no other base',
    (_, policy) => {
      expect(policy.split('; ')).toEqual(
        expect.arrayContaining(
          ['default-src', 'base-uri', 'form-action', 'frame-ancestors'].map((name) => `${name} 'none'`),
        ),
      );
      expect(policy).toMatch(/script-src 'self'( 'wasm-unsafe-eval')?;/);
      expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval|data:|https?:|\*/);
    },
  );

  it('a browser that opens an answer of the API runs and frames nothing', () => {
    expect(API_POLICY).toBe("default-src 'none'; frame-ancestors 'none'");
  });

  it('the verify page may not connect to anything, not even to its own origin', () => {
    expect(VERIFY_POLICY).toContain("connect-src 'none'");
  });
});

describe('the page’s files', () => {
  const deployments = Object.values(resources(prod, 'Custom::CDKBucketDeployment')).map(
    ({ Properties }) => Properties,
  );

  it('every page travels compressed', () => {
    const pages = [page, ...config.CacheBehaviors].filter(
      ({ TargetOriginId }) => TargetOriginId === page.TargetOriginId,
    );
    expect(pages.map(({ PathPattern, Compress }) => [PathPattern, Compress])).toEqual([
      [undefined, true],
      ['/verify*', true],
      ['/app*', true],
      ['/docs*', true],
    ]);
  });

  it('files of the page with a hash in their name are cached forever, others are revalidated', () => {
    expect(
      deployments.map(({ Include, Exclude, Prune, SystemMetadata }) => ({
        Include,
        Exclude,
        Prune,
        SystemMetadata,
      })),
    ).toEqual([
      {
        Include: ['sign/assets/*', 'verify/assets/*', 'docs/assets/*', 'app/assets/*'],
        Exclude: ['*'],
        Prune: false,
        SystemMetadata: { 'cache-control': 'public, max-age=31536000, immutable' },
      },
      {
        Include: undefined,
        Exclude: ['sign/assets/*', 'verify/assets/*', 'docs/assets/*', 'app/assets/*'],
        Prune: true,
        SystemMetadata: { 'cache-control': 'no-cache' },
      },
    ]);
  });

  it('a deployment shows a new page once every route leads to its new function', () => {
    const all = resources(prod);
    const [entry = ''] = Object.keys(all).filter((id) => /^PageEntryCustomResource/.test(id));
    const before = new Set([entry]);
    // A set's iteration also visits what is added meanwhile.
    for (const id of before)
      for (const [, name = ''] of JSON.stringify(all[id]).matchAll(/"([A-Za-z0-9]+)"/g))
        if (name in all) before.add(name);
    const routes = Object.keys(resources(prod, 'AWS::ApiGateway::Method'));
    const functions = routes.flatMap(
      (id) => JSON.stringify(all[id]?.Properties.Integration).match(/Functions\w+Function[0-9A-F]{8}/g) ?? [],
    );
    expect(functions.length).toBeGreaterThan(30);
    expect([...routes, ...functions].filter((id) => !before.has(id))).toEqual([]);
  });
});

describe('a custom domain', () => {
  const custom = template(OPTIONS);

  it('a custom domain is an alias of the distribution, with TLS 1.2 or newer', () => {
    custom.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: Match.objectLike({
        Aliases: [OPTIONS.domain],
        ViewerCertificate: {
          AcmCertificateArn: OPTIONS.certificateArn,
          MinimumProtocolVersion: 'TLSv1.2_2021',
          SslSupportMethod: 'sni-only',
        },
      }),
    });
    custom.hasOutput('BaseUrl', { Value: `https://${OPTIONS.domain}` });
  });

  it('the outputs name the distribution’s own domain, at which a custom one is pointed by hand', () => {
    const [id] = Object.keys(resources(custom, 'AWS::CloudFront::Distribution'));
    custom.hasOutput('DistributionDomain', { Value: { 'Fn::GetAtt': [id, 'DomainName'] } });
    expect(readFileSync('docs/deploy.md', 'utf8')).toContain('the output `DistributionDomain`');
  });

  it('a custom domain gets DNS records for IPv4 and IPv6', () => {
    for (const Type of ['A', 'AAAA'])
      custom.hasResourceProperties('AWS::Route53::RecordSet', {
        Type,
        Name: `${OPTIONS.domain}.`,
        HostedZoneId: OPTIONS.hostedZoneId,
      });
  });
});

describe('the access log', () => {
  it('the access log contains no field with the token of a signing link', () => {
    expect(config.Logging).toBeUndefined();
    prod.hasResourceProperties('AWS::Logs::Delivery', { RecordFields: LOGGED_FIELDS });
    for (const field of LOGGED_FIELDS)
      expect(field).not.toMatch(/uri|query|referer|cookie|host|x-forwarded|headers/i);
  });

  it('the access log is created only in us-east-1, where CloudFront can deliver it', () => {
    prod.hasCondition('*', { 'Fn::Equals': [{ Ref: 'AWS::Region' }, 'us-east-1'] });
    for (const type of ['AWS::Logs::Delivery', 'AWS::Logs::DeliverySource', 'AWS::Logs::DeliveryDestination'])
      prod.hasResource(type, { Condition: Match.stringLikeRegexp('InUsEast1') });
  });
});

describe('names', () => {
  it('a name that must be unique in the whole account contains the region and fits', () => {
    const names: [type: string, path: string[], longest: number][] = [
      ['AWS::CloudFront::Function', ['Name'], 64],
      ['AWS::CloudFront::ResponseHeadersPolicy', ['ResponseHeadersPolicyConfig', 'Name'], 128],
      ['AWS::CloudFront::OriginAccessControl', ['OriginAccessControlConfig', 'Name'], 64],
      ['AWS::CloudFront::VpcOrigin', ['VpcOriginEndpointConfig', 'Name'], 64],
      ['AWS::CloudWatch::Dashboard', ['DashboardName'], 255],
    ];
    const longest = template({ stackName: 'a'.repeat(40) });
    for (const [type, path, length] of names) {
      const named = Object.values(resources(longest, type));
      expect([type, named.length]).not.toEqual([type, 0]);
      for (const { Properties } of named) {
        const name = path.reduce<unknown>((value, key) => (value as typeof Properties)[key], Properties);
        const parts = (name as { 'Fn::Join'?: [string, unknown[]] })['Fn::Join']?.[1] ?? [];
        expect([type, parts]).toEqual([type, expect.arrayContaining([{ Ref: 'AWS::Region' }])]);
        // The longest name of a region has 14 characters.
        const text = parts.map((part) => (typeof part === 'string' ? part : 'ap-southeast-1')).join('');
        expect(text.length).toBeLessThanOrEqual(length);
      }
    }
  });

  it('the stack names no role and no bucket, whose names are unique in an account or in the world', () => {
    for (const [type, property] of [
      ['AWS::IAM::Role', 'RoleName'],
      ['AWS::S3::Bucket', 'BucketName'],
    ] as const)
      for (const { Properties } of Object.values(resources(prod, type)))
        expect(Properties).not.toHaveProperty(property);
  });
});
