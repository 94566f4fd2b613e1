/** CloudFront's cache, origin request and response headers policies. */
import * as z from 'zod';
import type { ForwardingPlan, NameSelection, ResponseHeadersPlan } from '../plan.ts';
import {
  boolean,
  ignored,
  number,
  optional,
  type ResourceType,
  resourceType,
  text,
  uuidOf,
} from '../resource-type.ts';
import { assertCustom, assertRemovable } from './policy-headers.ts';

const BEHAVIOUR_KINDS: Record<string, NameSelection['mode']> = {
  none: 'none',
  whitelist: 'listed',
  all: 'all',
  allViewer: 'all',
  allExcept: 'allExcept',
  allViewerAndWhitelistCloudFront: 'allAndListed',
};

const kind = z.string().transform((value, context) => {
  const mode = BEHAVIOUR_KINDS[value];
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
      ...ignored('Name', 'Comment', 'MinTTL', 'MaxTTL', 'DefaultTTL'),
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
    OriginRequestPolicyConfig: z.strictObject({ ...forwarding, ...ignored('Name', 'Comment') }),
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
  ...ignored('Name', 'Comment', 'ServerTimingHeadersConfig'),
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

export const CLOUDFRONT_POLICY_TYPES: Record<string, ResourceType> = {
  'AWS::CloudFront::CachePolicy': planCachePolicy,
  'AWS::CloudFront::OriginRequestPolicy': planOriginRequestPolicy,
  'AWS::CloudFront::ResponseHeadersPolicy': planResponseHeadersPolicy,
};
