/** CloudFront distributions. */
import * as z from 'zod';
import type { BehaviourPlan, Plan } from '../plan.ts';
import {
  arn,
  boolean,
  ignored,
  number,
  optional,
  type ResourceType,
  resourceType,
  shortHash,
  text,
} from '../resource-type.ts';
import { StackError } from '../template.ts';
import {
  MANAGED_CACHE_POLICIES,
  MANAGED_ORIGIN_REQUEST_POLICIES,
  MANAGED_RESPONSE_HEADERS_POLICIES,
} from './cloudfront-managed.ts';

const association = z.strictObject({
  EventType: z.enum(['viewer-request', 'viewer-response']),
  FunctionARN: z.string(),
});

const behaviour = {
  TargetOriginId: z.string(),
  AllowedMethods: optional(z.array(z.string())),
  Compress: optional(boolean),
  CachePolicyId: z.string({ error: 'a cache policy is required; forwarded values are not implemented' }),
  OriginRequestPolicyId: optional(z.string()),
  ResponseHeadersPolicyId: optional(z.string()),
  FunctionAssociations: optional(z.array(association)),
  // Everything is plain HTTP on the loopback address, and nothing is cached.
  ...ignored('ViewerProtocolPolicy', 'CachedMethods', 'RealtimeLogConfigArn', 'GrpcConfig'),
};

const originTimes = { OriginReadTimeout: optional(number), ...ignored('OriginKeepaliveTimeout') };

const origin = z.strictObject({
  Id: z.string(),
  DomainName: z.string(),
  OriginPath: optional(z.string()),
  OriginCustomHeaders: optional(z.array(z.strictObject({ HeaderName: z.string(), HeaderValue: text }))),
  CustomOriginConfig: optional(
    z.strictObject({
      ...originTimes,
      ...ignored('OriginProtocolPolicy', 'OriginSSLProtocols', 'HTTPPort', 'HTTPSPort', 'IpAddressType'),
    }),
  ),
  VpcOriginConfig: optional(
    z.strictObject({ VpcOriginId: z.string(), ...originTimes, ...ignored('OwnerAccountId') }),
  ),
  S3OriginConfig: optional(
    z.strictObject({ OriginAccessIdentity: optional(z.literal('')), ...ignored('OriginReadTimeout') }),
  ),
  OriginAccessControlId: optional(z.string()),
  ...ignored('ConnectionAttempts', 'ConnectionTimeout', 'OriginShield', 'ResponseCompletionTimeout'),
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
          ...ignored('ErrorCachingMinTTL'),
        }),
      ),
    ),
    Restrictions: optional(
      z.strictObject({ GeoRestriction: z.strictObject({ RestrictionType: z.literal('none') }) }),
    ),
    ...ignored(
      'Comment',
      'HttpVersion',
      'IPV6Enabled',
      'Logging',
      'PriceClass',
      'ViewerCertificate',
      'WebACLId',
    ),
  }),
  ...ignored('Tags'),
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
      plan.cachePolicies.get(config.CachePolicyId) ?? MANAGED_CACHE_POLICIES[config.CachePolicyId],
      `The cache policy ${config.CachePolicyId}`,
    ),
    originRequestPolicy:
      config.OriginRequestPolicyId === undefined
        ? undefined
        : known(
            plan.originRequestPolicies.get(config.OriginRequestPolicyId) ??
              MANAGED_ORIGIN_REQUEST_POLICIES[config.OriginRequestPolicyId],
            `The origin request policy ${config.OriginRequestPolicyId}`,
          ),
    responseHeaders:
      config.ResponseHeadersPolicyId === undefined
        ? undefined
        : known(
            plan.responseHeadersPolicies.get(config.ResponseHeadersPolicyId) ??
              MANAGED_RESPONSE_HEADERS_POLICIES[config.ResponseHeadersPolicyId],
            `The response headers policy ${config.ResponseHeadersPolicyId}`,
          ),
    viewerRequest: functionFor('viewer-request'),
    viewerResponse: functionFor('viewer-response'),
  };
}

function known<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new StackError(`${what} is unknown.`);
  return value;
}

const planEdgeFunction = resourceType(
  z.strictObject({
    Name: z.string(),
    FunctionCode: z.string(),
    FunctionConfig: z.strictObject({ Runtime: z.string(), ...ignored('Comment') }),
    ...ignored('AutoPublish', 'FunctionMetadata', 'Tags'),
  }),
  (properties, place) => {
    const functionArn = arn('cloudfront', `function/${properties.Name}`, place);
    place.plan.edgeFunctions.set(functionArn, properties.FunctionCode);
    return { ref: functionArn, FunctionARN: functionArn, 'FunctionMetadata.FunctionARN': functionArn };
  },
);

const planAccessControl = resourceType(z.looseObject({}), (_properties, place) => {
  const id = `E${shortHash(place).slice(0, 13).toUpperCase()}`;
  return { ref: id, Id: id };
});

export const CLOUDFRONT_TYPES: Record<string, ResourceType> = {
  'AWS::CloudFront::Distribution': planDistribution,
  'AWS::CloudFront::Function': planEdgeFunction,
  'AWS::CloudFront::OriginAccessControl': planAccessControl,
};
