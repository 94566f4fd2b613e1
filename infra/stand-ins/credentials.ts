/**
 * Stands in for `@aws-sdk/credential-provider-node` in the bundles. A function has its credentials in its environment;
 * the other ways to come by some (profiles, single sign-on, instance metadata) make a third of a bundle.
 */
export const defaultProvider = () => async () => ({
  accessKeyId: process.env.AWS_ACCESS_KEY_ID,
  secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY,
  sessionToken: process.env.AWS_SESSION_TOKEN,
});
