/** CloudFront's response headers policies. */
import * as z from 'zod';
import type { ResponseHeadersPlan } from '../plan.ts';
import {
  ignored,
  number,
  optional,
  type ResourceType,
  resourceType,
  text,
  uuidOf,
} from '../resource-type.ts';
import { StackError } from '../template.ts';

const responseHeaders = z.strictObject({
  SecurityHeadersConfig: optional(
    z.strictObject({
      ContentSecurityPolicy: optional(
        z.strictObject({ ContentSecurityPolicy: z.string(), Override: z.boolean() }),
      ),
      ContentTypeOptions: optional(z.strictObject({ Override: z.boolean() })),
      FrameOptions: optional(z.strictObject({ FrameOption: z.string(), Override: z.boolean() })),
      ReferrerPolicy: optional(z.strictObject({ ReferrerPolicy: z.string(), Override: z.boolean() })),
      StrictTransportSecurity: optional(
        z.strictObject({
          AccessControlMaxAgeSec: number,
          IncludeSubdomains: optional(z.boolean()),
          Override: z.boolean(),
        }),
      ),
    }),
  ),
  CustomHeadersConfig: optional(
    z.strictObject({
      Items: z.array(z.strictObject({ Header: z.string(), Value: text, Override: z.boolean() })),
    }),
  ),
  RemoveHeadersConfig: optional(z.strictObject({ Items: z.array(z.strictObject({ Header: z.string() })) })),
  ...ignored('Name'),
});

const planResponseHeadersPolicy = resourceType(
  z.strictObject({ ResponseHeadersPolicyConfig: responseHeaders }),
  ({ ResponseHeadersPolicyConfig: config }, place) => {
    const id = uuidOf(place);
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
    });
    return { ref: id, Id: id };
  },
);

// Headers that CloudFront does not allow in a policy are refused, so the error shows before a deployment.
const NOT_REMOVABLE =
  /^(connection|content-(encoding|length)|expect|host|keep-alive|proxy-(authenticate|authorization|connection)|trailer|transfer-encoding|upgrade|via|warning|x-accel-(buffering|charset|limit-rate|redirect)|x-amz-cf-.*|x-amzn-(auth|cf-billing|cf-id|cf-xff|errortype|fle-profile|header-count|header-order|lambda-integration-tag|requestid)|x-cache|x-edge-.*|x-forwarded-proto|x-real-ip)$/i;

/** Headers that have settings of their own. */
const NOT_CUSTOM =
  /^(access-control-.*|content-security-policy|referrer-policy|strict-transport-security|x-content-type-options|x-frame-options|x-xss-protection)$/i;

function assertRemovable(names: string[]): void {
  const refused = names.find((name) => NOT_REMOVABLE.test(name));
  if (refused !== undefined)
    throw new StackError(`A response headers policy cannot remove the header ${refused}.`);
}

function assertCustom(names: string[]): void {
  const refused = names.find((name) => NOT_CUSTOM.test(name));
  if (refused !== undefined)
    throw new StackError(`${refused} must be set by its own setting, not as a custom header.`);
}

type SecurityHeaders = NonNullable<z.output<typeof responseHeaders>['SecurityHeadersConfig']>;

function securityHeaders(config: SecurityHeaders): ResponseHeadersPlan['set'] {
  const { ContentSecurityPolicy: csp, ContentTypeOptions: type, FrameOptions: frame } = config;
  const { ReferrerPolicy: referrer, StrictTransportSecurity: hsts } = config;
  const set: ResponseHeadersPlan['set'] = [];
  const add = (name: string, value: string, override: boolean) => set.push({ name, value, override });
  if (csp) add('Content-Security-Policy', csp.ContentSecurityPolicy, csp.Override);
  if (type) add('X-Content-Type-Options', 'nosniff', type.Override);
  if (frame) add('X-Frame-Options', frame.FrameOption, frame.Override);
  if (referrer) add('Referrer-Policy', referrer.ReferrerPolicy, referrer.Override);
  if (hsts) {
    const subdomains = hsts.IncludeSubdomains ? '; includeSubDomains' : '';
    add('Strict-Transport-Security', `max-age=${hsts.AccessControlMaxAgeSec}${subdomains}`, hsts.Override);
  }
  return set;
}

export const RESPONSE_HEADERS_TYPES: Record<string, ResourceType> = {
  'AWS::CloudFront::ResponseHeadersPolicy': planResponseHeadersPolicy,
};
