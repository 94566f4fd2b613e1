import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Annotations, RemovalPolicy } from 'aws-cdk-lib';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { ROOT } from './bundles.ts';

export const PAGE_FILES = join(ROOT, 'build', 'web');
const HASHED = 'assets/*';

/** The bucket of the signing page, which only the distribution reads. */
export class Page extends Construct {
  readonly bucket: IBucket;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    // The CDK's types are not exact about optional properties, hence the `as`.
    this.bucket = new Bucket(this, 'Bucket', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      // All of it is made again by the next deployment.
      removalPolicy: RemovalPolicy.DESTROY,
      autoDeleteObjects: true,
    }) as IBucket;
  }

  deploy(distribution: Distribution): void {
    if (!existsSync(join(PAGE_FILES, 'index.html'))) {
      Annotations.of(this).addWarningV2(
        'signing-page',
        'build/web is missing: the stack has no signing page.',
      );
      return;
    }
    const source = Source.asset(PAGE_FILES);
    // A page that was opened before a deployment still finds its files: old ones stay.
    const hashed = new BucketDeployment(this, 'Hashed', {
      sources: [source],
      destinationBucket: this.bucket,
      exclude: ['*'],
      include: [HASHED],
      prune: false,
      cacheControl: [CacheControl.fromString('public, max-age=31536000, immutable')],
    });
    const entry = new BucketDeployment(this, 'Entry', {
      sources: [source],
      destinationBucket: this.bucket,
      exclude: [HASHED],
      cacheControl: [CacheControl.fromString('no-cache')],
      distribution,
      distributionPaths: ['/*'],
    });
    entry.node.addDependency(hashed);
  }
}
