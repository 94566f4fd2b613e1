import { App } from 'aws-cdk-lib';
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { BUNDLES, bundleFunctions, bundleIngest, INGEST_BUNDLE, PAGE } from './bundles.ts';
import { OptionError, readOptions } from './options.ts';
import { SignatureRequests } from './stack.ts';

/** Thrown by esbuild, which has printed the cause already. */
const isBuildFailure = (error: unknown) => error instanceof Error && 'errors' in error;

try {
  // Feature flags are set here, not in cdk.json: the template must not depend on how the app is started.
  const app = new App({ context: recommendedFlags, analyticsReporting: false });
  const options = readOptions(app.node);
  // `cdk --no-validation` sets this variable; it turns the rule packs off along with the CDK's own validation.
  if (process.env.CDK_VALIDATION !== 'false') (await import('./checks.ts')).addChecks(app);
  await bundleFunctions();
  if (options.largeUploads) await bundleIngest();
  new SignatureRequests(app, 'SignatureRequests', {
    options,
    bundles: BUNDLES,
    ingestBundle: INGEST_BUNDLE,
    page: PAGE,
  });
  app.synth();
} catch (error) {
  if (error instanceof OptionError) console.error(error.message);
  else if (!isBuildFailure(error)) throw error;
  process.exitCode = 2;
}
