import { CfnGuardValidator } from '@cdklabs/cdk-validator-cfnguard';
import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';

/** Rules of the Control Tower set that are not followed, and why. */
export const NOT_FOLLOWED = {
  'ct-apigateway-pr-2':
    'X-Ray needs a `*` in every role; the request id in each log line ties them together.',
  'ct-cloudfront-pr-1': 'There is no page at the root: the function at the edge answers 404 there.',
  'ct-cloudfront-pr-4': 'An API that stands once has no second origin to fail over to.',
  'ct-cloudfront-pr-5':
    'Logs of CloudFront hold whole paths, tokens with them. infra/access-log.ts has another way.',
  'ct-cloudfront-pr-6': 'A certificate of one’s own comes with a domain of one’s own, which is an option.',
  'ct-cloudfront-pr-7': 'As the one before: the setting goes with an own certificate.',
  'ct-cloudfront-pr-9': 'As the one before: the setting goes with an own certificate.',
  'ct-cloudwatch-pr-3':
    'CloudWatch encrypts logs by itself; no log line holds a token, code, key or document.',
  'ct-lambda-pr-2': 'Each permission names its route as a joined ARN, which the rule cannot read.',
  'ct-lambda-pr-3': 'The functions reach nothing in a VPC, which would cost a NAT gateway.',
  'ct-s3-pr-2':
    'The documents’ accesses are logged; staging lives a day, the page is public, and logs would log themselves.',
  'ct-s3-pr-4': 'Nothing waits for objects to appear.',
  'ct-s3-pr-9': 'What is purged must be gone: a lock would keep it.',
  'ct-s3-pr-10': 'Encrypted by S3’s own keys; infra/data.ts says why.',
  'ct-s3-pr-11': 'Documents are versioned; uploads of a day, the built page and logs need no versions.',
} as const;

/** The rule packs that look at the template; what they find ends the synthesis. */
export function addChecks(app: App): void {
  Validations.of(app).addPlugins(
    new AwsSolutionsChecks(app),
    new CfnGuardValidator({ disabledRules: Object.keys(NOT_FOLLOWED), maxBuffer: 64 * 1024 * 1024 }),
  );
}
