/** CloudFront distributions. */
import * as z from 'zod';
import type { BehaviourPlan, ForwardingPlan, NameSelection, Plan, ResponseHeadersPlan } from '../plan.ts';
import {
  arn,
  boolean,
  number,
  optional,
  passedOver,
  type ResourceType,
  resourceType,
  shortHash,
  text,
  uuidOf,
} from '../resourceType.ts';
import { StackError } from '../template.ts';
import {
  managedCachePolicies,
  managedOriginRequestPolicies,
  managedResponseHeadersPolicies,
} from './cloudFrontManaged.ts';
import { assertCustom, assertRemovable } from './policyHeaders.ts';

const association = z.strictObject({
  EventType: z.enum(['viewer-request', 'viewer-response']),
  FunctionARN: z.string(),
});

const behaviour = {
  TargetOriginId: z.string(),
  AllowedMethods: optional(z.array(z.string())),
  Compress: optional(boolean),
  CachePolicyId: z.string({ error: 'a cache policy is needed; forwarded values are not implemented' }),
  OriginRequestPolicyId: optional(z.string()),
  ResponseHeadersPolicyId: optional(z.string()),
  FunctionAssociations: optional(z.array(association)),
  // Here everything is plain HTTP on the loopback address, and nothing is cached.
  ...passedOver('ViewerProtocolPolicy', 'CachedMethods', 'RealtimeLogConfigArn', 'GrpcConfig'),
};

const originTimes = { OriginReadTimeout: optional(number), ...passedOver('OriginKeepaliveTimeout') };

const origin = z.strictObject({
  Id: z.string(),
  DomainName: z.string(),
  OriginPath: optional(z.string()),
  OriginCustomHeaders: optional(z.array(z.strictObject({ HeaderName: z.string(), HeaderValue: text }))),
  CustomOriginConfig: optional(
    z.strictObject({
      ...originTimes,
      ...passedOver('OriginProtocolPolicy', 'OriginSSLProtocols', 'HTTPPort', 'HTTPSPort', 'IpAddressType'),
    }),
  ),
  VpcOriginConfig: optional(
    z.strictObject({ VpcOriginId: z.string(), ...originTimes, ...passedOver('OwnerAccountId') }),
  ),
  S3OriginConfig: optional(
    z.strictObject({ OriginAccessIdentity: optional(z.literal('')), ...passedOver('OriginReadTimeout') }),
  ),
  OriginAccessControlId: optional(z.string()),
  ...passedOver('ConnectionAttempts', 'ConnectionTimeout', 'OriginShield', 'ResponseCompletionTimeout'),
});

const distribution = z.strictObject({
  DistributionConfig: z.strictObject({
    Enabled: boolean,
    Aliases: optional(z.array(z.string())),
    DefaultRootObject: optional(z.string()),
    Origins: z.array(origin),
    DefaultCacheBehavior: z.strictObject(behaviour),
    CacheBehaviors: optional(z.array(z.strictObject({ ...behaviour, PathPattern: z.string() }))),
    CustomErrorResponses: optional(
      z.array(
        z.strictObject({
          ErrorCode: number,
          ResponseCode: optional(number),
          ResponsePagePath: optional(z.string()),
          ...passedOver('ErrorCachingMinTTL'),
        }),
      ),
    ),
    Restrictions: optional(
      z.strictObject({ GeoRestriction: z.strictObject({ RestrictionType: z.literal('none') }) }),
    ),
    ...passedOver(
      'Comment',
      'HttpVersion',
      'IPV6Enabled',
      'Logging',
      'PriceClass',
      'ViewerCertificate',
      'WebACLId',
    ),
  }),
  ...passedOver('Tags'),
});

const planDistribution = resourceType(distribution, ({ DistributionConfig: config }, place) => {
  const id = `E${shortHash(place).slice(0, 13).toUpperCase()}`;
  const domain = `d${shortHash(place).slice(0, 13)}.cloudfront.net`;
  const errorCodes = config.CustomErrorResponses ?? [];
  place.plan.distributions.push({
    id,
    domain,
    aliases: config.Aliases ?? [],
    defaultRootObject: config.DefaultRootObject ?? '',
    origins: config.Origins.map((origin) => ({
      id: origin.Id,
      domain: origin.DomainName,
      path: origin.OriginPath ?? '',
      headers: Object.fromEntries(
        (origin.OriginCustomHeaders ?? []).map((header) => [header.HeaderName, header.HeaderValue]),
      ),
      readTimeoutMs: 1000 * ((origin.VpcOriginConfig ?? origin.CustomOriginConfig)?.OriginReadTimeout ?? 30),
      usesAccessControl: Boolean(origin.OriginAccessControlId),
      vpcOriginId: origin.VpcOriginConfig?.VpcOriginId,
    })),
    defaultBehaviour: planBehaviour('*', config.DefaultCacheBehavior, place.plan),
    behaviours: (config.CacheBehaviors ?? []).map((one) => planBehaviour(one.PathPattern, one, place.plan)),
    errorResponses: errorCodes.map((error) => ({
      errorCode: error.ErrorCode,
      responseCode: error.ResponseCode,
      pagePath: error.ResponsePagePath,
    })),
  });
  return { ref: id, Id: id, DomainName: domain };
});

function planBehaviour(
  pattern: string,
  config: z.output<z.ZodObject<typeof behaviour>>,
  plan: Plan,
): BehaviourPlan {
  const functionFor = (type: string): string | undefined => {
    const functionArn = config.FunctionAssociations?.find(({ EventType }) => EventType === type)?.FunctionARN;
    if (functionArn === undefined) return undefined;
    return known(plan.edgeFunctions.get(functionArn), `The CloudFront function ${functionArn}`);
  };
  return {
    pattern,
    originId: config.TargetOriginId,
    allowedMethods: config.AllowedMethods ?? ['GET', 'HEAD'],
    compress: config.Compress ?? false,
    cachePolicy: known(
      plan.cachePolicies.get(config.CachePolicyId) ?? managedCachePolicies[config.CachePolicyId],
      `The cache policy ${config.CachePolicyId}`,
    ),
    originRequestPolicy:
      config.OriginRequestPolicyId === undefined
        ? undefined
        : known(
            plan.originRequestPolicies.get(config.OriginRequestPolicyId) ??
              managedOriginRequestPolicies[config.OriginRequestPolicyId],
            `The origin request policy ${config.OriginRequestPolicyId}`,
          ),
    responseHeaders:
      config.ResponseHeadersPolicyId === undefined
        ? undefined
        : known(
            plan.responseHeadersPolicies.get(config.ResponseHeadersPolicyId) ??
              managedResponseHeadersPolicies[config.ResponseHeadersPolicyId],
            `The response headers policy ${config.ResponseHeadersPolicyId}`,
          ),
    viewerRequest: functionFor('viewer-request'),
    viewerResponse: functionFor('viewer-response'),
  };
}

function known<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new StackError(`${what} is not known to the local cloud.`);
  return value;
}

const planEdgeFunction = resourceType(
  z.strictObject({
    Name: z.string(),
    FunctionCode: z.string(),
    FunctionConfig: z.strictObject({ Runtime: z.string(), ...passedOver('Comment') }),
    ...passedOver('AutoPublish', 'FunctionMetadata', 'Tags'),
  }),
  (properties, place) => {
    const functionArn = arn('cloudfront', `function/${properties.Name}`, place);
    place.plan.edgeFunctions.set(functionArn, properties.FunctionCode);
    return { ref: functionArn, FunctionARN: functionArn, 'FunctionMetadata.FunctionARN': functionArn };
  },
);

const behaviourKinds: Record<string, NameSelection['mode']> = {
  none: 'none',
  whitelist: 'listed',
  all: 'all',
  allViewer: 'all',
  allExcept: 'allExcept',
  allViewerAndWhitelistCloudFront: 'allAndListed',
};

const kind = z.string().transform((value, context) => {
  const mode = behaviourKinds[value];
  if (mode) return mode;
  context.addIssue(`${value} is not implemented`);
  return z.NEVER;
});

const headersConfig = z.strictObject({ HeaderBehavior: kind, Headers: optional(z.array(z.string())) });
const cookiesConfig = z.strictObject({ CookieBehavior: kind, Cookies: optional(z.array(z.string())) });
const queryConfig = z.strictObject({
  QueryStringBehavior: kind,
  QueryStrings: optional(z.array(z.string())),
});

const forwarding = {
  HeadersConfig: headersConfig,
  CookiesConfig: cookiesConfig,
  QueryStringsConfig: queryConfig,
};

function planForwarding(
  config: z.output<z.ZodObject<typeof forwarding>>,
  gzip = false,
  brotli = false,
): ForwardingPlan {
  return {
    headers: { mode: config.HeadersConfig.HeaderBehavior, names: config.HeadersConfig.Headers ?? [] },
    cookies: { mode: config.CookiesConfig.CookieBehavior, names: config.CookiesConfig.Cookies ?? [] },
    queryStrings: {
      mode: config.QueryStringsConfig.QueryStringBehavior,
      names: config.QueryStringsConfig.QueryStrings ?? [],
    },
    gzip,
    brotli,
  };
}

const planCachePolicy = resourceType(
  z.strictObject({
    CachePolicyConfig: z.strictObject({
      ParametersInCacheKeyAndForwardedToOrigin: z.strictObject({
        ...forwarding,
        EnableAcceptEncodingGzip: optional(boolean),
        EnableAcceptEncodingBrotli: optional(boolean),
      }),
      ...passedOver('Name', 'Comment', 'MinTTL', 'MaxTTL', 'DefaultTTL'),
    }),
  }),
  ({ CachePolicyConfig: { ParametersInCacheKeyAndForwardedToOrigin: config } }, place) => {
    const id = uuidOf(place);
    place.plan.cachePolicies.set(
      id,
      planForwarding(
        config,
        config.EnableAcceptEncodingGzip ?? false,
        config.EnableAcceptEncodingBrotli ?? false,
      ),
    );
    return { ref: id, Id: id };
  },
);

const planOriginRequestPolicy = resourceType(
  z.strictObject({
    OriginRequestPolicyConfig: z.strictObject({ ...forwarding, ...passedOver('Name', 'Comment') }),
  }),
  ({ OriginRequestPolicyConfig: config }, place) => {
    const id = uuidOf(place);
    place.plan.originRequestPolicies.set(id, planForwarding(config));
    return { ref: id, Id: id };
  },
);

const override = boolean;
const items = z.strictObject({ Items: z.array(z.string()) });

const responseHeaders = z.strictObject({
  SecurityHeadersConfig: optional(
    z.strictObject({
      ContentSecurityPolicy: optional(
        z.strictObject({ ContentSecurityPolicy: z.string(), Override: override }),
      ),
      ContentTypeOptions: optional(z.strictObject({ Override: override })),
      FrameOptions: optional(z.strictObject({ FrameOption: z.string(), Override: override })),
      ReferrerPolicy: optional(z.strictObject({ ReferrerPolicy: z.string(), Override: override })),
      StrictTransportSecurity: optional(
        z.strictObject({
          AccessControlMaxAgeSec: number,
          IncludeSubdomains: optional(boolean),
          Preload: optional(boolean),
          Override: override,
        }),
      ),
      XSSProtection: optional(
        z.strictObject({
          Protection: boolean,
          ModeBlock: optional(boolean),
          ReportUri: optional(z.string()),
          Override: override,
        }),
      ),
    }),
  ),
  CustomHeadersConfig: optional(
    z.strictObject({
      Items: z.array(z.strictObject({ Header: z.string(), Value: text, Override: override })),
    }),
  ),
  RemoveHeadersConfig: optional(z.strictObject({ Items: z.array(z.strictObject({ Header: z.string() })) })),
  CorsConfig: optional(
    z.strictObject({
      AccessControlAllowCredentials: boolean,
      AccessControlAllowHeaders: items,
      AccessControlAllowMethods: items,
      AccessControlAllowOrigins: items,
      AccessControlExposeHeaders: optional(items),
      AccessControlMaxAgeSec: optional(number),
      OriginOverride: override,
    }),
  ),
  ...passedOver('Name', 'Comment', 'ServerTimingHeadersConfig'),
});

const planResponseHeadersPolicy = resourceType(
  z.strictObject({ ResponseHeadersPolicyConfig: responseHeaders }),
  ({ ResponseHeadersPolicyConfig: config }, place) => {
    const id = uuidOf(place);
    const cors = config.CorsConfig;
    const custom = config.CustomHeadersConfig?.Items ?? [];
    const remove = (config.RemoveHeadersConfig?.Items ?? []).map(({ Header }) => Header);
    assertCustom(custom.map(({ Header }) => Header));
    assertRemovable(remove);
    place.plan.responseHeadersPolicies.set(id, {
      set: [
        ...securityHeaders(config.SecurityHeadersConfig ?? {}),
        ...custom.map(({ Header, Value, Override }) => ({ name: Header, value: Value, override: Override })),
      ],
      remove,
      cors: cors && {
        origins: cors.AccessControlAllowOrigins.Items,
        methods: cors.AccessControlAllowMethods.Items,
        headers: cors.AccessControlAllowHeaders.Items,
        expose: cors.AccessControlExposeHeaders?.Items ?? [],
        credentials: cors.AccessControlAllowCredentials,
        maxAgeSeconds: cors.AccessControlMaxAgeSec,
        override: cors.OriginOverride,
      },
    });
    return { ref: id, Id: id };
  },
);

type SecurityHeaders = NonNullable<z.output<typeof responseHeaders>['SecurityHeadersConfig']>;

function securityHeaders(config: SecurityHeaders): ResponseHeadersPlan['set'] {
  const { ContentSecurityPolicy: csp, ContentTypeOptions: type, FrameOptions: frame } = config;
  const { ReferrerPolicy: referrer, StrictTransportSecurity: hsts, XSSProtection: xss } = config;
  const set: ResponseHeadersPlan['set'] = [];
  const add = (name: string, value: string, override: boolean) => set.push({ name, value, override });
  if (csp) add('Content-Security-Policy', csp.ContentSecurityPolicy, csp.Override);
  if (type) add('X-Content-Type-Options', 'nosniff', type.Override);
  if (frame) add('X-Frame-Options', frame.FrameOption, frame.Override);
  if (referrer) add('Referrer-Policy', referrer.ReferrerPolicy, referrer.Override);
  if (hsts) {
    const subdomains = hsts.IncludeSubdomains ? '; includeSubDomains' : '';
    const preload = hsts.Preload ? '; preload' : '';
    add(
      'Strict-Transport-Security',
      `max-age=${hsts.AccessControlMaxAgeSec}${subdomains}${preload}`,
      hsts.Override,
    );
  }
  if (xss)
    add('X-XSS-Protection', xss.Protection ? `1${xss.ModeBlock ? '; mode=block' : ''}` : '0', xss.Override);
  return set;
}

const planAccessControl = resourceType(z.looseObject({}), (_properties, place) => {
  const id = `E${shortHash(place).slice(0, 13).toUpperCase()}`;
  return { ref: id, Id: id };
});

export const cloudFront: Record<string, ResourceType> = {
  'AWS::CloudFront::Distribution': planDistribution,
  'AWS::CloudFront::Function': planEdgeFunction,
  'AWS::CloudFront::CachePolicy': planCachePolicy,
  'AWS::CloudFront::OriginRequestPolicy': planOriginRequestPolicy,
  'AWS::CloudFront::ResponseHeadersPolicy': planResponseHeadersPolicy,
  'AWS::CloudFront::OriginAccessControl': planAccessControl,
};
