/**
 * Replaces `@aws-sdk/credential-provider-node` in the bundles. Lambda passes credentials in the environment; the other
 * providers (profiles, single sign-on, instance metadata) would be a third of a bundle.
 */
export const defaultProvider = () => async () => ({
  accessKeyId: process.env.AWS_ACCESS_KEY_ID,
  secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY,
  sessionToken: process.env.AWS_SESSION_TOKEN,
});
