import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  type ITableV2,
  ProjectionType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { AnyPrincipal, Effect, PolicyStatement, type PolicyStatementProps } from 'aws-cdk-lib/aws-iam';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  HttpMethods,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { INDEXES } from '../shared/store/indexes.ts';
import { accept } from './exceptions.ts';
import { WRITTEN_ONCE } from './functions.ts';
import type { Options } from './options.ts';

const text = (name: string) => ({ name, type: AttributeType.STRING });

/**
 * S3's own encryption: a KMS key would add a fee and a rate limit to every download, and would not keep out anyone whom the
 * bucket policy admits.
 */
export const PRIVATE_BUCKET = {
  encryption: BucketEncryption.S3_MANAGED,
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
  enforceSSL: true,
  minimumTLSVersion: 1.2,
};

/** The table, the bucket of documents, and the staging bucket for large request bodies. */
export class Data extends Construct {
  readonly table: Pick<ITableV2, 'tableArn' | 'tableName'>;
  readonly documents: Bucket;
  readonly staging: Bucket;

  constructor(scope: Construct, id: string, { stage, table }: Pick<Options, 'stage' | 'table'>) {
    super(scope, id);
    this.table = table ? TableV2.fromTableName(this, 'Restored', table) : this.#makeTable(stage);

    // Shows who read which document. Object names contain only ids.
    // (The `as` is needed because the CDK's types are not exact about optional properties.)
    const logs = new Bucket(this, 'AccessLogs', {
      ...PRIVATE_BUCKET,
      removalPolicy: RemovalPolicy.RETAIN,
      lifecycleRules: [
        { expiration: Duration.days(365), abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
    }) as IBucket;

    this.documents = new Bucket(this, 'Documents', {
      ...PRIVATE_BUCKET,
      serverAccessLogsBucket: logs,
      serverAccessLogsPrefix: 'documents/',
      versioned: true,
      removalPolicy: RemovalPolicy.RETAIN,
      lifecycleRules: [
        {
          // A purge removes every version itself. This rule removes versions that were overwritten.
          noncurrentVersionExpiration: Duration.days(30),
          expiredObjectDeleteMarker: true,
        },
        { abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
    });

    this.staging = new Bucket(this, 'Staging', {
      ...PRIVATE_BUCKET,
      removalPolicy: RemovalPolicy.DESTROY,
      autoDeleteObjects: true,
      // The dashboard uploads from its own page. An upload is let in by its signed form and carries no cookie, so a rule
      // by origin would protect nothing; it would also make a circle with the distribution, which names this bucket.
      cors: [{ allowedOrigins: ['*'], allowedMethods: [HttpMethods.POST], maxAge: 3600 }],
      lifecycleRules: [
        { expiration: Duration.days(1), abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
    });

    accept(this.staging, {
      S1: 'Bodies stay for two days at most, and the function that reads one logs it.',
    });
    for (const bucket of [this.documents, this.staging]) denyOtherAccounts(bucket);
    denyOverwriting(this.documents, WRITTEN_ONCE);
  }

  #makeTable(stage: Options['stage']): TableV2 {
    return new TableV2(this, 'Table', {
      partitionKey: text('pk'),
      sortKey: text('sk'),
      globalSecondaryIndexes: INDEXES.map(({ name, pk, sk, attributes }) => ({
        indexName: name,
        partitionKey: text(pk),
        sortKey: text(sk),
        projectionType: ProjectionType.INCLUDE,
        nonKeyAttributes: attributes,
      })),
      billing: Billing.onDemand(),
      timeToLiveAttribute: 'ttl',
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      // The AWS managed key aws/dynamodb: CloudTrail shows its use, and unlike a customer key it has no monthly fee.
      encryption: TableEncryptionV2.awsManagedKey(),
      deletionProtection: stage === 'prod',
      removalPolicy: RemovalPolicy.RETAIN,
    });
  }
}

/** Denies it to everyone, whatever other statements allow. */
const deny = (bucket: Bucket, statement: PolicyStatementProps) =>
  bucket.addToResourcePolicy(
    new PolicyStatement({ effect: Effect.DENY, principals: [new AnyPrincipal()], ...statement }),
  );

/** AWS services are exempt. */
const denyOtherAccounts = (bucket: Bucket) =>
  deny(bucket, {
    sid: 'OnlyThisAccount',
    actions: ['s3:*'],
    resources: [bucket.bucketArn, bucket.arnForObjects('*')],
    conditions: {
      StringNotEquals: { 'aws:PrincipalAccount': Stack.of(bucket).account },
      BoolIfExists: { 'aws:PrincipalIsAWSService': 'false' },
    },
  });

/** Denies puts without If-None-Match: such a put stores an object, but never over another one. */
const denyOverwriting = (bucket: Bucket, patterns: readonly string[]) =>
  deny(bucket, {
    sid: 'WriteOnce',
    actions: ['s3:PutObject'],
    resources: patterns.map((pattern) => bucket.arnForObjects(pattern)),
    conditions: { Null: { 's3:if-none-match': 'true' } },
  });
