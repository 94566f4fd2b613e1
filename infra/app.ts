import { App } from 'aws-cdk-lib';
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { BUNDLES, bundleFunctions, bundleIngest, INGEST_BUNDLE, PAGE } from './bundles.ts';
import { OptionError, readOptions } from './options.ts';
import { SignatureRequests } from './stack.ts';

/** Sources that cannot be bundled; the bundler has said where. */
const isBuildFailure = (error: unknown) => error instanceof Error && 'errors' in error;

try {
  // Flags here and not in cdk.json, so that the app makes the same template however it is started.
  const app = new App({ context: recommendedFlags, analyticsReporting: false });
  const options = readOptions(app.node);
  // The CDK's own switch, which `cdk --no-validation` sets, turns the rule packs off with the CDK's validation.
  if (process.env.CDK_VALIDATION !== 'false') (await import('./checks.ts')).addChecks(app);
  bundleFunctions();
  if (options.largeUploads) bundleIngest();
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
