/** Refuses headers that CloudFront does not allow in a response headers policy, so the error shows before a deployment. */
import { StackError } from '../template.ts';

const NOT_REMOVABLE =
  /^(connection|content-(encoding|length)|expect|host|keep-alive|proxy-(authenticate|authorization|connection)|trailer|transfer-encoding|upgrade|via|warning|x-accel-(buffering|charset|limit-rate|redirect)|x-amz-cf-.*|x-amzn-(auth|cf-billing|cf-id|cf-xff|errortype|fle-profile|header-count|header-order|lambda-integration-tag|requestid)|x-cache|x-edge-.*|x-forwarded-proto|x-real-ip)$/i;

/** Headers that have settings of their own. */
const NOT_CUSTOM =
  /^(access-control-.*|content-security-policy|referrer-policy|strict-transport-security|x-content-type-options|x-frame-options|x-xss-protection)$/i;

export function assertRemovable(names: string[]): void {
  const refused = names.find((name) => NOT_REMOVABLE.test(name));
  if (refused !== undefined)
    throw new StackError(`A response headers policy cannot remove the header ${refused}.`);
}

export function assertCustom(names: string[]): void {
  const refused = names.find((name) => NOT_CUSTOM.test(name));
  if (refused !== undefined)
    throw new StackError(`${refused} must be set by its own setting, not as a custom header.`);
}
