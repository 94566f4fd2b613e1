import { App } from 'aws-cdk-lib';
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { BUNDLES, bundleFunctions } from './bundles.ts';
import { OptionError, readOptions } from './options.ts';
import { SignatureRequests } from './stack.ts';

try {
  // Flags here and not in cdk.json, so that the app makes the same template however it is started.
  const app = new App({ context: recommendedFlags, analyticsReporting: false });
  const options = readOptions(app.node);
  new SignatureRequests(app, 'SignatureRequests', {
    options,
    bundles: BUNDLES,
    functionNames: bundleFunctions(BUNDLES),
  });
  app.synth();
} catch (error) {
  if (!(error instanceof OptionError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
