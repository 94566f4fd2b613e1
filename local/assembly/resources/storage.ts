/** DynamoDB tables, S3 buckets. */
import * as z from 'zod';
import type { TableSettings } from '../../ports.ts';
import {
  arn,
  ignored,
  number,
  optional,
  partOfStack,
  physicalName,
  policyDocument,
  type ResourceType,
  resourceType,
} from '../resource-type.ts';

const keySchema = z.array(z.strictObject({ AttributeName: z.string(), KeyType: z.string() }));

const table = z.strictObject({
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
      }),
    ),
  ),
  TimeToLiveSpecification: optional(z.strictObject({ AttributeName: z.string(), Enabled: z.literal(true) })),
  ...ignored('BillingMode', 'Replicas', 'SSESpecification'),
});

const planTable = resourceType(table, (properties, place) => {
  const ttl = properties.TimeToLiveSpecification;
  const settings: TableSettings = {
    name: physicalName(place, 255),
    attributeDefinitions: properties.AttributeDefinitions,
    keySchema: properties.KeySchema,
    globalSecondaryIndexes: properties.GlobalSecondaryIndexes ?? [],
    ...(ttl && { ttlAttribute: ttl.AttributeName }),
  };
  place.plan.tables.push(settings);
  return { ref: settings.name, Arn: arn('dynamodb', `table/${settings.name}`, place) };
});

const bucket = z.strictObject({
  BucketName: optional(z.string()),
  VersioningConfiguration: optional(z.strictObject({ Status: z.literal('Enabled') })),
  LifecycleConfiguration: optional(
    z.strictObject({
      Rules: z.array(
        z.strictObject({
          Status: z.literal('Enabled'),
          ExpirationInDays: optional(number),
          NoncurrentVersionExpiration: optional(z.strictObject({ NoncurrentDays: number })),
          ...ignored('AbortIncompleteMultipartUpload', 'ExpiredObjectDeleteMarker'),
        }),
      ),
    }),
  ),
  CorsConfiguration: optional(
    z.strictObject({
      CorsRules: z.array(
        z.strictObject({
          AllowedOrigins: z.tuple([z.literal('*')], { error: 'only rules for any origin are implemented' }),
          AllowedMethods: z.array(z.string()),
          MaxAge: optional(number),
        }),
      ),
    }),
  ),
  ...ignored(
    'BucketEncryption',
    'PublicAccessBlockConfiguration',
    'OwnershipControls',
    'LoggingConfiguration',
    'Tags',
  ),
});

const planBucket = resourceType(bucket, (properties, place) => {
  const name = properties.BucketName ?? physicalName(place, 63).toLowerCase();
  place.plan.buckets.set(name, {
    name,
    versioned: properties.VersioningConfiguration !== undefined,
    lifecycle: (properties.LifecycleConfiguration?.Rules ?? []).map((rule) => ({
      expireAfterDays: rule.ExpirationInDays,
      noncurrentExpireAfterDays: rule.NoncurrentVersionExpiration?.NoncurrentDays,
    })),
    policy: [],
    cors: (properties.CorsConfiguration?.CorsRules ?? []).map((rule) => ({
      methods: rule.AllowedMethods,
      maxAgeSeconds: rule.MaxAge,
    })),
  });
  return {
    ref: name,
    Arn: arn('s3', name, place),
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
  Include: optional(z.array(z.string())),
  Exclude: optional(z.array(z.string())),
  SystemMetadata: z.strictObject({ 'cache-control': z.string() }),
  ...ignored('ServiceToken', 'Prune', 'WaitForDistributionInvalidation', 'OutputObjectKeys'),
});

const planFileDeployment = resourceType(fileDeployment, (properties, place) => {
  place.plan.fileDeployments.push({
    bucketName: properties.DestinationBucketName,
    sourceFolders: properties.SourceObjectKeys.map(place.asset),
    include: properties.Include ?? [],
    exclude: properties.Exclude ?? [],
    cacheControl: properties.SystemMetadata['cache-control'],
  });
  return { ref: place.id };
});

export const STORAGE_TYPES: Record<string, ResourceType> = {
  'AWS::DynamoDB::GlobalTable': planTable,
  'AWS::S3::Bucket': planBucket,
  'AWS::S3::BucketPolicy': planBucketPolicy,
  'Custom::CDKBucketDeployment': planFileDeployment,
};
