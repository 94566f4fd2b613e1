/** DynamoDB tables, S3 buckets. */
import * as z from 'zod';
import type { TableSettings } from '../../ports.ts';
import {
  arn,
  boolean,
  ignored,
  number,
  optional,
  type Place,
  partOfStack,
  physicalName,
  policyDocument,
  type ResourceType,
  resourceType,
} from '../resource-type.ts';

const keySchema = z.array(z.strictObject({ AttributeName: z.string(), KeyType: z.string() }));

const table = {
  TableName: optional(z.string()),
  AttributeDefinitions: z.array(z.strictObject({ AttributeName: z.string(), AttributeType: z.string() })),
  KeySchema: keySchema,
  GlobalSecondaryIndexes: optional(
    z.array(
      z.strictObject({
        IndexName: z.string(),
        KeySchema: keySchema,
        Projection: z.strictObject({
          ProjectionType: z.string(),
          NonKeyAttributes: optional(
            z.array(z.string()).max(20, 'an index projects at most 20 other attributes'),
          ),
        }),
        ...ignored(
          'ProvisionedThroughput',
          'ContributorInsightsSpecification',
          'WriteProvisionedThroughputSettings',
          'ReadProvisionedThroughputSettings',
          'OnDemandThroughput',
          'WriteOnDemandThroughputSettings',
          'ReadOnDemandThroughputSettings',
          'WarmThroughput',
        ),
      }),
    ),
  ),
  TimeToLiveSpecification: optional(
    z.strictObject({ AttributeName: optional(z.string()), Enabled: boolean }),
  ),
  // A stream has no effect: an event source mapping that reads one is refused.
  ...ignored(
    'BillingMode',
    'SSESpecification',
    'StreamSpecification',
    'WriteProvisionedThroughputSettings',
    'WriteOnDemandThroughputSettings',
    'WarmThroughput',
    'Tags',
  ),
};

const planTable = (properties: z.output<z.ZodObject<typeof table>>, place: Place) => {
  const ttl = properties.TimeToLiveSpecification;
  const settings: TableSettings = {
    name: properties.TableName ?? physicalName(place, 255),
    attributeDefinitions: properties.AttributeDefinitions,
    keySchema: properties.KeySchema,
    globalSecondaryIndexes: (properties.GlobalSecondaryIndexes ?? []).map(
      ({ IndexName, KeySchema, Projection }) => ({ IndexName, KeySchema, Projection }),
    ),
    ...(ttl?.Enabled && ttl.AttributeName ? { ttlAttribute: ttl.AttributeName } : {}),
  };
  place.plan.tables.push(settings);
  const tableArn = arn('dynamodb', `table/${settings.name}`, place);
  return { ref: settings.name, Arn: tableArn, StreamArn: `${tableArn}/stream/none`, TableId: place.id };
};

const bucket = z.strictObject({
  BucketName: optional(z.string()),
  VersioningConfiguration: optional(z.strictObject({ Status: z.enum(['Enabled', 'Suspended']) })),
  LifecycleConfiguration: optional(
    z.strictObject({
      Rules: z.array(
        z.strictObject({
          Status: z.enum(['Enabled', 'Disabled']),
          Prefix: optional(z.string()),
          ExpirationInDays: optional(number),
          NoncurrentVersionExpiration: optional(
            z.strictObject({ NoncurrentDays: number, ...ignored('NewerNoncurrentVersions') }),
          ),
          NoncurrentVersionExpirationInDays: optional(number),
          ...ignored('Id', 'AbortIncompleteMultipartUpload', 'ExpiredObjectDeleteMarker', 'Transitions'),
        }),
      ),
      ...ignored('TransitionDefaultMinimumObjectSize'),
    }),
  ),
  CorsConfiguration: optional(
    z.strictObject({
      CorsRules: z.array(
        z.strictObject({
          AllowedOrigins: z.array(z.string()),
          AllowedMethods: z.array(z.string()),
          AllowedHeaders: optional(z.array(z.string())),
          ExposedHeaders: optional(z.array(z.string())),
          MaxAge: optional(number),
          ...ignored('Id'),
        }),
      ),
    }),
  ),
  ...ignored(
    'BucketEncryption',
    'PublicAccessBlockConfiguration',
    'OwnershipControls',
    'LoggingConfiguration',
    'IntelligentTieringConfigurations',
    'MetricsConfigurations',
    'AccessControl',
    'Tags',
  ),
});

const planBucket = resourceType(bucket, (properties, place) => {
  const name = properties.BucketName ?? physicalName(place, 63).toLowerCase();
  const rules = properties.LifecycleConfiguration?.Rules ?? [];
  place.plan.buckets.set(name, {
    name,
    versioned: properties.VersioningConfiguration?.Status === 'Enabled',
    lifecycle: rules
      .filter((rule) => rule.Status === 'Enabled')
      .map((rule) => ({
        prefix: rule.Prefix,
        expireAfterDays: rule.ExpirationInDays,
        noncurrentExpireAfterDays:
          rule.NoncurrentVersionExpiration?.NoncurrentDays ?? rule.NoncurrentVersionExpirationInDays,
      })),
    policy: [],
    cors: (properties.CorsConfiguration?.CorsRules ?? []).map((rule) => ({
      origins: rule.AllowedOrigins,
      methods: rule.AllowedMethods,
      headers: rule.AllowedHeaders ?? [],
      expose: rule.ExposedHeaders ?? [],
      maxAgeSeconds: rule.MaxAge,
    })),
  });
  return {
    ref: name,
    Arn: arn('s3', name, place),
    DomainName: `${name}.s3.amazonaws.com`,
    RegionalDomainName: `${name}.s3.${place.region}.amazonaws.com`,
  };
});

const planBucketPolicy = resourceType(
  z.strictObject({ Bucket: z.string(), PolicyDocument: policyDocument }),
  ({ Bucket, PolicyDocument }, place) => {
    const settings = partOfStack(place.plan.buckets.get(Bucket), `The bucket ${Bucket} of a bucket policy`);
    settings.policy.push(...PolicyDocument.Statement);
    return { ref: Bucket };
  },
);

const fileDeployment = z.strictObject({
  SourceBucketNames: z.array(z.string()),
  SourceObjectKeys: z.array(z.string()),
  DestinationBucketName: z.string(),
  DestinationBucketKeyPrefix: optional(z.string()),
  Include: optional(z.array(z.string())),
  Exclude: optional(z.array(z.string())),
  SystemMetadata: optional(
    z.strictObject({ 'cache-control': optional(z.string()), 'content-type': optional(z.string()) }),
  ),
  SourceMarkers: optional(z.array(z.record(z.string(), z.never())).or(z.array(z.strictObject({})))),
  ...ignored(
    'ServiceToken',
    'ServiceTimeout',
    'Prune',
    'RetainOnDelete',
    'DistributionId',
    'DistributionPaths',
    'WaitForDistributionInvalidation',
    'OutputObjectKeys',
    'DestinationBucketArn',
  ),
});

const planFileDeployment = resourceType(fileDeployment, (properties, place) => {
  place.plan.fileDeployments.push({
    bucketName: properties.DestinationBucketName,
    sourceFolders: properties.SourceObjectKeys.map(place.asset),
    prefix: properties.DestinationBucketKeyPrefix ?? '',
    include: properties.Include ?? [],
    exclude: properties.Exclude ?? [],
    cacheControl: properties.SystemMetadata?.['cache-control'],
    contentType: properties.SystemMetadata?.['content-type'],
  });
  const destination = arn('s3', properties.DestinationBucketName, place);
  return { ref: place.id, DestinationBucketArn: destination, SourceObjectKeys: properties.SourceObjectKeys };
});

export const STORAGE_TYPES: Record<string, ResourceType> = {
  'AWS::DynamoDB::Table': resourceType(
    z.strictObject({
      ...table,
      ...ignored(
        'DeletionProtectionEnabled',
        'PointInTimeRecoverySpecification',
        'ProvisionedThroughput',
        'ContributorInsightsSpecification',
        'OnDemandThroughput',
        'TableClass',
      ),
    }),
    planTable,
  ),
  'AWS::DynamoDB::GlobalTable': resourceType(z.strictObject({ ...table, ...ignored('Replicas') }), planTable),
  'AWS::S3::Bucket': planBucket,
  'AWS::S3::BucketPolicy': planBucketPolicy,
  'Custom::CDKBucketDeployment': planFileDeployment,
};
