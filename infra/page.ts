import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Annotations, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Bucket, type CfnBucket, type IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct, type IDependable } from 'constructs';
import { PRIVATE_BUCKET } from './data.ts';
import { accept } from './exceptions.ts';
import type { Options } from './options.ts';
import { newLogGroup } from './service-functions.ts';

/** Files whose names contain a hash of their content. */
const HASHED = ['sign/assets/*', 'verify/assets/*', 'docs/assets/*', 'app/assets/*'];

/** The addresses of the documentation's pages in the folder of the built pages. */
export const docsIn = (folder: string): string[] =>
  globSync('docs/**/index.html', { cwd: folder })
    .map((file) => `/${dirname(file).replaceAll('\\', '/')}`)
    .toSorted();

/** The bucket of the pages, which only the distribution reads. */
export class Page extends Construct {
  readonly bucket: IBucket;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    // (The `as` is needed because the CDK's types are not exact about optional properties.)
    this.bucket = new Bucket(this, 'Bucket', {
      ...PRIVATE_BUCKET,
      // The next deployment creates all of it again.
      removalPolicy: RemovalPolicy.DESTROY,
      autoDeleteObjects: true,
      lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(1) }],
    }) as IBucket;
    accept(this.bucket, { S1: 'Its files are public, and only the distribution can read them.' });
  }

  /** `folder` contains the built pages, and `service` is what they call. */
  deploy(folder: string, service: IDependable, { stage }: Pick<Options, 'stage'>): void {
    if (!existsSync(join(folder, 'sign', 'index.html'))) {
      Annotations.of(this).addWarningV2(
        'signing-page',
        `There is no page in ${folder}, so the stack has none.`,
      );
      return;
    }
    const logGroup = newLogGroup(this, 'CopierLog', stage);
    const common = { sources: [Source.asset(folder)], destinationBucket: this.bucket, logGroup };
    // Old files stay, so that a page opened before a deployment still finds its own.
    const hashed = new BucketDeployment(this, 'Hashed', {
      ...common,
      exclude: ['*'],
      include: HASHED,
      prune: false,
      cacheControl: [CacheControl.fromString('public, max-age=31536000, immutable')],
    });
    const entry = new BucketDeployment(this, 'Entry', {
      ...common,
      exclude: HASHED,
      // Always revalidated, so that a deployment need not invalidate the cache.
      cacheControl: [CacheControl.fromString('no-cache')],
    });
    // After the service: an old function would ignore a field that only the new page sends.
    entry.node.addDependency(hashed, service);

    // Both deployments share one function, whose code and permissions the CDK chooses.
    const copier = hashed.handlerRole.node.scope;
    if (!copier) throw new Error('The role of a bucket deployment is not a child of its function.');
    const why =
      'The CDK’s function copies the page during a deployment; it can reach only the page’s bucket and the CDK’s.';
    const { bootstrapQualifier } = Stack.of(this).synthesizer;
    const assets = `cdk-${bootstrapQualifier}-assets-<AWS::AccountId>-<AWS::Region>`;
    const page = Stack.of(this).getLogicalId(this.bucket.node.defaultChild as CfnBucket);
    accept(copier, {
      L1: 'The CDK chooses the runtime of its function.',
      'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]': why,
      ...Object.fromEntries(
        ['GetBucket', 'GetObject', 'List', 'Abort', 'DeleteObject'].map((s) => [
          `IAM5[Action::s3:${s}*]`,
          why,
        ]),
      ),
      [`IAM5[Resource::arn:<AWS::Partition>:s3:::${assets}/*]`]: why,
      [`IAM5[Resource::<${page}.Arn>/*]`]: why,
    });
  }
}
