/** CloudFront distributions. */
import * as z from 'zod';
import type { BehaviourPlan, Plan } from '../plan.ts';
import {
  arn,
  ignored,
  number,
  optional,
  partOfStack,
  type ResourceType,
  resourceType,
  shortHash,
  text,
} from '../resource-type.ts';

/** The managed policies in use, by their published ids. */
const CACHING_DISABLED = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
const CACHING_OPTIMIZED = '658327ea-f89d-4fab-a63d-7e88639e58f6';
const ALL_VIEWER_EXCEPT_HOST_HEADER = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';

const association = z.strictObject({
  EventType: z.literal('viewer-request', { error: 'only functions on requests are implemented' }),
  FunctionARN: z.string(),
});

const behaviour = {
  TargetOriginId: z.string(),
  AllowedMethods: optional(z.array(z.string())),
  Compress: optional(z.boolean()),
  CachePolicyId: z.literal([CACHING_DISABLED, CACHING_OPTIMIZED], {
    error: 'only the managed cache policies CachingDisabled and CachingOptimized are implemented',
  }),
  OriginRequestPolicyId: optional(
    z.literal(ALL_VIEWER_EXCEPT_HOST_HEADER, {
      error: 'only the managed origin request policy AllViewerExceptHostHeader is implemented',
    }),
  ),
  ResponseHeadersPolicyId: optional(z.string()),
  FunctionAssociations: optional(z.array(association)),
  // Everything is plain HTTP on the loopback address, and nothing is cached.
  ...ignored('ViewerProtocolPolicy'),
};

const origin = z.strictObject({
  Id: z.string(),
  DomainName: z.string(),
  OriginPath: optional(z.string()),
  OriginCustomHeaders: optional(z.array(z.strictObject({ HeaderName: z.string(), HeaderValue: text }))),
  CustomOriginConfig: optional(
    z.strictObject({
      OriginReadTimeout: optional(number),
      ...ignored('OriginProtocolPolicy', 'OriginSSLProtocols'),
    }),
  ),
  VpcOriginConfig: optional(z.strictObject({ VpcOriginId: z.string(), OriginReadTimeout: optional(number) })),
  S3OriginConfig: optional(z.strictObject({ OriginAccessIdentity: optional(z.literal('')) })),
  OriginAccessControlId: optional(z.string()),
});

const distribution = z.strictObject({
  DistributionConfig: z.strictObject({
    Enabled: z.boolean(),
    Aliases: optional(z.array(z.string())),
    Origins: z.array(origin),
    DefaultCacheBehavior: z.strictObject(behaviour),
    CacheBehaviors: optional(z.array(z.strictObject({ ...behaviour, PathPattern: z.string() }))),
    // Errors are not cached, like everything else; a page in their place is not implemented.
    CustomErrorResponses: optional(
      z.array(z.strictObject({ ...ignored('ErrorCode', 'ErrorCachingMinTTL') })),
    ),
    ...ignored('Comment', 'HttpVersion', 'IPV6Enabled', 'PriceClass', 'ViewerCertificate'),
  }),
});

const planDistribution = resourceType(distribution, ({ DistributionConfig: config }, place) => {
  const id = `E${shortHash(place).slice(0, 13).toUpperCase()}`;
  const domain = `d${shortHash(place).slice(0, 13)}.cloudfront.net`;
  place.plan.distributions.push({
    id,
    domain,
    aliases: config.Aliases ?? [],
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
  });
  return { ref: id, Id: id, DomainName: domain };
});

function planBehaviour(
  pattern: string,
  config: z.output<z.ZodObject<typeof behaviour>>,
  plan: Plan,
): BehaviourPlan {
  const functionArn = config.FunctionAssociations?.[0]?.FunctionARN;
  const headersId = config.ResponseHeadersPolicyId;
  return {
    pattern,
    originId: config.TargetOriginId,
    allowedMethods: config.AllowedMethods ?? ['GET', 'HEAD'],
    // The other policy lets no encoding of the viewer through.
    compress: config.Compress === true && config.CachePolicyId === CACHING_OPTIMIZED,
    forwardsViewer: config.OriginRequestPolicyId !== undefined,
    responseHeaders:
      headersId === undefined
        ? undefined
        : partOfStack(
            plan.responseHeadersPolicies.get(headersId),
            `The response headers policy ${headersId}`,
          ),
    viewerRequest:
      functionArn === undefined
        ? undefined
        : partOfStack(plan.edgeFunctions.get(functionArn), `The CloudFront function ${functionArn}`),
  };
}

const MAX_FUNCTION_BYTES = 10 * 1024;

const planEdgeFunction = resourceType(
  z.strictObject({
    Name: z.string(),
    FunctionCode: z
      .string()
      .refine((code) => Buffer.byteLength(code) <= MAX_FUNCTION_BYTES, 'the function is larger than 10 KB'),
    FunctionConfig: z.strictObject({ Runtime: z.string(), ...ignored('Comment') }),
    ...ignored('AutoPublish'),
  }),
  (properties, place) => {
    const functionArn = arn('cloudfront', `function/${properties.Name}`, place);
    place.plan.edgeFunctions.set(functionArn, properties.FunctionCode);
    return { ref: functionArn, FunctionARN: functionArn };
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
