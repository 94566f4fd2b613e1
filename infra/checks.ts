import { CfnGuardValidator } from '@cdklabs/cdk-validator-cfnguard';
import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';

/** Rules of the Control Tower set that are disabled, with the reason. */
export const DISABLED_RULES = {
  'ct-apigateway-pr-2':
    'X-Ray needs a `*` in every role. The request id in every log line connects them instead.',
  'ct-cloudfront-pr-1': 'There is no page at the root: the edge function leads to the dashboard.',
  'ct-cloudfront-pr-4': 'The API is deployed once, so there is no origin to fail over to.',
  'ct-cloudfront-pr-5':
    'Standard CloudFront logs contain whole paths and thus tokens. infra/access-log.ts selects fields.',
  'ct-cloudfront-pr-6': 'A custom certificate needs a custom domain, which is an option.',
  'ct-cloudfront-pr-7': 'Applies only with a custom certificate, like ct-cloudfront-pr-6.',
  'ct-cloudfront-pr-9': 'Applies only with a custom certificate, like ct-cloudfront-pr-6.',
  'ct-cloudwatch-pr-3':
    'CloudWatch encrypts logs itself. No log line contains a token, code, key or document.',
  'ct-lambda-pr-3': 'The functions need nothing in a VPC, which would cost a NAT gateway.',
  'ct-s3-pr-2':
    'Access to documents is logged. Staging keeps objects for two days at most, the page is public, logs would log themselves.',
  'ct-s3-pr-4': 'Nothing reacts to new objects.',
  'ct-s3-pr-9': 'Purged documents must be gone; an object lock would keep them.',
  'ct-s3-pr-10': 'Encrypted with S3’s own keys; infra/data.ts says why.',
  'ct-s3-pr-11': 'Documents are versioned. Staged uploads, the page and logs need no versions.',
} as const;

/** Adds the rule packs that check the template; a finding fails the synthesis. */
export function addChecks(app: App): void {
  Validations.of(app).addPlugins(
    new AwsSolutionsChecks(app),
    new CfnGuardValidator({ disabledRules: Object.keys(DISABLED_RULES), maxBuffer: 64 * 1024 * 1024 }),
  );
}
