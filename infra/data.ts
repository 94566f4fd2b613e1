import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AttributeType, Billing, ProjectionType, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { accept } from './exceptions.ts';
import type { Options } from './options.ts';

const text = (name: string) => ({ name, type: AttributeType.STRING });

/** What a list shows of a request or of a delivery, so that a list reads its index and nothing else. */
export const LISTED = [
  'id',
  'status',
  'title',
  'signerCount',
  'createdAt',
  'sentAt',
  'signedAt',
  'cancelledAt',
  'expiresAt',
  'mode',
  'eventId',
  'eventType',
  'requestId',
  'attemptedAt',
  'outcome',
  'httpStatus',
  'durationMs',
  'error',
];
export const DUE = ['id', 'position', 'kind'];

/** The table, and the buckets for documents and for bodies on their way in. */
export class Data extends Construct {
  readonly table: TableV2;
  readonly documents: Bucket;
  readonly staging: Bucket;

  constructor(scope: Construct, id: string, { stage }: Pick<Options, 'stage'>) {
    super(scope, id);

    this.table = new TableV2(this, 'Table', {
      partitionKey: text('pk'),
      sortKey: text('sk'),
      globalSecondaryIndexes: [
        {
          indexName: 'byOwner',
          partitionKey: text('owner_pk'),
          sortKey: text('created_sk'),
          projectionType: ProjectionType.INCLUDE,
          nonKeyAttributes: LISTED,
        },
        {
          indexName: 'byStatus',
          partitionKey: text('status_pk'),
          sortKey: text('created_sk'),
          projectionType: ProjectionType.INCLUDE,
          nonKeyAttributes: LISTED,
        },
        {
          indexName: 'byDue',
          partitionKey: text('due_pk'),
          sortKey: text('due_sk'),
          projectionType: ProjectionType.INCLUDE,
          nonKeyAttributes: DUE,
        },
      ],
      billing: Billing.onDemand(),
      timeToLiveAttribute: 'ttl',
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      // The account's own aws/dynamodb key: its use shows in CloudTrail and it has no monthly fee, as a key of one's own would.
      encryption: TableEncryptionV2.awsManagedKey(),
      deletionProtection: stage === 'prod',
      removalPolicy: RemovalPolicy.RETAIN,
    });

    // S3's own encryption: a KMS key would add a fee for each call and a rate limit on every download,
    // and guard against nobody whom the bucket policy lets in.
    const closed = {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
    };

    // Who read which document. Object names hold nothing but ids.
    // (The CDK's types are not exact about optional properties, hence the `as`.)
    const logs = new Bucket(this, 'AccessLogs', {
      ...closed,
      removalPolicy: RemovalPolicy.RETAIN,
      lifecycleRules: [
        { expiration: Duration.days(365), abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
    }) as IBucket;

    this.documents = new Bucket(this, 'Documents', {
      ...closed,
      serverAccessLogsBucket: logs,
      serverAccessLogsPrefix: 'documents/',
      versioned: true,
      removalPolicy: RemovalPolicy.RETAIN,
      lifecycleRules: [
        {
          // A purge removes every version itself; this keeps what an overwrite left behind from staying for ever.
          noncurrentVersionExpiration: Duration.days(30),
          expiredObjectDeleteMarker: true,
        },
        { abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
    });

    this.staging = new Bucket(this, 'Staging', {
      ...closed,
      removalPolicy: RemovalPolicy.DESTROY,
      autoDeleteObjects: true,
      lifecycleRules: [
        { expiration: Duration.days(1), abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
    });

    accept(this.staging, {
      S1: 'A body stays for a day at most, and each is logged by the function that takes it.',
    });
    for (const bucket of [this.documents, this.staging]) refuseForeigners(bucket);
  }
}

/** Nobody outside the account gets in, whatever another statement may come to allow. AWS's own services are not meant. */
function refuseForeigners(bucket: Bucket): void {
  bucket.addToResourcePolicy(
    new PolicyStatement({
      sid: 'OnlyThisAccount',
      effect: Effect.DENY,
      principals: [new AnyPrincipal()],
      actions: ['s3:*'],
      resources: [bucket.bucketArn, bucket.arnForObjects('*')],
      conditions: {
        StringNotEquals: { 'aws:PrincipalAccount': Stack.of(bucket).account },
        BoolIfExists: { 'aws:PrincipalIsAWSService': 'false' },
      },
    }),
  );
}
