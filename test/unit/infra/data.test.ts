import { Match } from 'aws-cdk-lib/assertions';
import { resources, type Statement, template } from './template.ts';

const prod = template();
const dev = template({ stage: 'dev' });

/** The statements of a bucket's policy. */
function bucketPolicy(logicalId: string): Statement[] {
  const found = Object.values(resources(prod, 'AWS::S3::BucketPolicy')).find(
    ({ Properties }) => JSON.stringify(Properties.Bucket) === JSON.stringify({ Ref: logicalId }),
  );
  return (found?.Properties.PolicyDocument as { Statement: Statement[] } | undefined)?.Statement ?? [];
}

const bucket = (name: RegExp) => {
  const [found] = Object.entries(resources(prod, 'AWS::S3::Bucket')).filter(([id]) => name.test(id));
  if (!found) throw new Error(`There is no bucket ${name}.`);
  return found;
};

describe('the table', () => {
  it('costs by use, can be restored to any second, and forgets what has a time to live', () => {
    prod.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      BillingMode: 'PAY_PER_REQUEST',
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
      Replicas: [
        Match.objectLike({
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          DeletionProtectionEnabled: true,
        }),
      ],
    });
  });

  it('has the keys and indexes of the data model', () => {
    const index = (name: string, pk: string, sk: string) =>
      Match.objectLike({
        IndexName: name,
        KeySchema: [
          { AttributeName: pk, KeyType: 'HASH' },
          { AttributeName: sk, KeyType: 'RANGE' },
        ],
        Projection: Match.objectLike({ ProjectionType: 'INCLUDE' }),
      });
    prod.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [
        index('byOwner', 'owner_pk', 'created_sk'),
        index('byStatus', 'status_pk', 'created_sk'),
        index('byDue', 'due_pk', 'due_sk'),
      ],
    });
  });

  it('outlives its stack, and is guarded against deletion in production alone', () => {
    for (const stack of [prod, dev])
      stack.hasResource('AWS::DynamoDB::GlobalTable', {
        DeletionPolicy: 'Retain',
        UpdateReplacePolicy: 'Retain',
      });
    dev.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      Replicas: [Match.objectLike({ DeletionProtectionEnabled: false })],
    });
  });
});

describe('the buckets', () => {
  it('are private, encrypted and owned by the account, each of them', () => {
    for (const [, { Properties }] of Object.entries(resources(prod, 'AWS::S3::Bucket'))) {
      expect(Properties).toMatchObject({
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
        },
        OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
      });
    }
  });

  it('refuse what comes unencrypted or over an old TLS, each of them', () => {
    const deny = (condition: object) =>
      expect.objectContaining({
        Effect: 'Deny',
        Principal: { AWS: '*' },
        Action: 's3:*',
        Condition: condition,
      });
    for (const id of Object.keys(resources(prod, 'AWS::S3::Bucket'))) {
      const policy = bucketPolicy(id);
      expect(policy).toContainEqual(deny({ Bool: { 'aws:SecureTransport': 'false' } }));
      expect(policy).toContainEqual(deny({ NumericLessThan: { 's3:TlsVersion': 1.2 } }));
    }
  });

  it.each([/^DataDocuments/, /^DataStaging/])('refuse everyone outside the account (%s)', (name) => {
    expect(bucketPolicy(bucket(name)[0])).toContainEqual(
      expect.objectContaining({
        Effect: 'Deny',
        Principal: { AWS: '*' },
        Action: 's3:*',
        Condition: {
          StringNotEquals: { 'aws:PrincipalAccount': { Ref: 'AWS::AccountId' } },
          BoolIfExists: { 'aws:PrincipalIsAWSService': 'false' },
        },
      }),
    );
  });

  it('keep documents in versions, beyond the life of the stack, and log who reads them', () => {
    const [, documents] = bucket(/^DataDocuments/);
    expect(documents).toMatchObject({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        VersioningConfiguration: { Status: 'Enabled' },
        LoggingConfiguration: { LogFilePrefix: 'documents/' },
      },
    });
  });

  it('forget what is staged after a day, and go with the stack', () => {
    const [, staging] = bucket(/^DataStaging/);
    expect(staging).toMatchObject({
      DeletionPolicy: 'Delete',
      Properties: {
        LifecycleConfiguration: {
          Rules: [
            {
              ExpirationInDays: 1,
              AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
              Status: 'Enabled',
            },
          ],
        },
      },
    });
  });
});

describe('keys and secrets', () => {
  it('turn the key of webhook secrets every year and keep it beyond the stack', () => {
    prod.hasResource('AWS::KMS::Key', {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: { EnableKeyRotation: true },
    });
  });

  it('let nobody use a key unencrypted, from outside the account, or by a grant of one’s own making', () => {
    for (const stack of [prod, template({ sealKey: 'rsa' })])
      for (const { Properties } of Object.values(resources(stack, 'AWS::KMS::Key'))) {
        const { Statement } = Properties.KeyPolicy as { Statement: Statement[] };
        const denied = Statement.filter(({ Effect }) => Effect === 'Deny').map(({ Action, Condition }) => [
          Action,
          Condition,
        ]);
        expect(denied).toEqual([
          ['kms:*', { Bool: { 'aws:SecureTransport': 'false' } }],
          [
            'kms:CreateGrant',
            { BoolIfExists: { 'kms:GrantIsForAWSResource': 'false', 'aws:PrincipalIsAWSService': 'false' } },
          ],
          [
            'kms:*',
            {
              StringNotEquals: { 'aws:PrincipalAccount': { Ref: 'AWS::AccountId' } },
              BoolIfExists: { 'aws:PrincipalIsAWSService': 'false' },
            },
          ],
        ]);
      }
  });

  it.each([
    ['rsa', 'RSA_3072'],
    ['ec', 'ECC_NIST_P256'],
  ])('hold the seal’s own key in KMS where asked for (%s)', (sealKey, spec) => {
    template({ sealKey }).hasResource('AWS::KMS::Key', {
      DeletionPolicy: 'Retain',
      Properties: { KeySpec: spec, KeyUsage: 'SIGN_VERIFY' },
    });
  });

  it('make random secrets at deployment and keep those that data hangs on', () => {
    prod.hasResource('AWS::SecretsManager::Secret', {
      DeletionPolicy: 'Retain',
      Properties: {
        GenerateSecretString: {
          GenerateStringKey: 'root',
          SecretStringTemplate: '{}',
          PasswordLength: 64,
          ExcludePunctuation: true,
        },
      },
    });
    const filledLater = Object.values(resources(prod, 'AWS::SecretsManager::Secret')).filter(
      ({ Properties }) => Properties.SecretString === '{}',
    );
    expect(filledLater.map(({ DeletionPolicy }) => DeletionPolicy)).toEqual(['Retain', 'Retain', 'Retain']);
  });
});
