/** Which headers CloudFront refuses in a response headers policy, so that a stack that could not be deployed does not run. */
import { StackError } from '../template.ts';

const staying =
  /^(connection|content-(encoding|length)|expect|host|keep-alive|proxy-(authenticate|authorization|connection)|trailer|transfer-encoding|upgrade|via|warning|x-accel-(buffering|charset|limit-rate|redirect)|x-amz-cf-.*|x-amzn-(auth|cf-billing|cf-id|cf-xff|errortype|fle-profile|header-count|header-order|lambda-integration-tag|requestid)|x-cache|x-edge-.*|x-forwarded-proto|x-real-ip)$/i;

/** They have settings of their own. */
const notCustom =
  /^(access-control-.*|content-security-policy|referrer-policy|strict-transport-security|x-content-type-options|x-frame-options|x-xss-protection)$/i;

export function assertRemovable(names: string[]): void {
  const refused = names.find((name) => staying.test(name));
  if (refused !== undefined)
    throw new StackError(`CloudFront lets no response headers policy remove the header ${refused}.`);
}

export function assertCustom(names: string[]): void {
  const refused = names.find((name) => notCustom.test(name));
  if (refused !== undefined)
    throw new StackError(`CloudFront takes ${refused} by its own setting, not as a custom header.`);
}
