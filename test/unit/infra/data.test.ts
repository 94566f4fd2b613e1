import { readFileSync } from 'node:fs';
import { Match, OPTIONS, resources, type Statement, template } from './template.ts';

const prod = template();
const dev = template({ stage: 'dev' });
const RESTORED = { table: 'signatures-restored', sealKey: 'ec' };

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
  it('the table is billed on demand, has point-in-time recovery, and expires items by time to live', () => {
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

  it('the table has the keys and indexes of the data model', () => {
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

  it('the table outlives its stack, and has deletion protection only in stage prod', () => {
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
  it('every bucket is private, encrypted and owned by the account', () => {
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

  it('every bucket refuses unencrypted calls and TLS older than 1.2', () => {
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

  it.each([/^DataDocuments/, /^DataStaging/])('the bucket %s refuses other accounts', (name) => {
    const [id] = bucket(name);
    const arn = { 'Fn::GetAtt': [id, 'Arn'] };
    expect(bucketPolicy(id)).toContainEqual(
      expect.objectContaining({
        Effect: 'Deny',
        Principal: { AWS: '*' },
        Action: 's3:*',
        Resource: [arn, { 'Fn::Join': ['', [arn, '/*']] }],
        Condition: {
          StringNotEquals: { 'aws:PrincipalAccount': { Ref: 'AWS::AccountId' } },
          BoolIfExists: { 'aws:PrincipalIsAWSService': 'false' },
        },
      }),
    );
  });

  it('originals, drawings, sealed, evidence and renewed files are put once: the bucket denies a put without If-None-Match', () => {
    const [id] = bucket(/^DataDocuments/);
    const objects = (pattern: string) => ({
      'Fn::Join': ['', [{ 'Fn::GetAtt': [id, 'Arn'] }, `/requests/*/${pattern}`]],
    });
    expect(bucketPolicy(id)).toContainEqual(
      expect.objectContaining({
        Effect: 'Deny',
        Principal: { AWS: '*' },
        Action: 's3:PutObject',
        Resource: expect.arrayContaining(
          ['original.pdf', 'signatures/*', 'sealed.pdf', 'evidence.pdf', 'renewed/*'].map(objects),
        ),
        Condition: { Null: { 's3:if-none-match': 'true' } },
      }),
    );
  });

  it('documents are versioned, outlive the stack, and their readers are logged for a year', () => {
    const [, documents] = bucket(/^DataDocuments/);
    const [logsId, logs] = bucket(/^DataAccessLogs/);
    expect(documents).toMatchObject({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        VersioningConfiguration: { Status: 'Enabled' },
        LoggingConfiguration: { DestinationBucketName: { Ref: logsId }, LogFilePrefix: 'documents/' },
      },
    });
    expect(logs).toMatchObject({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: { LifecycleConfiguration: { Rules: [{ ExpirationInDays: 365, Status: 'Enabled' }] } },
    });
  });

  it('lifecycle rules expire only noncurrent versions and incomplete uploads, never a document', () => {
    const [, { Properties }] = bucket(/^DataDocuments/);
    expect(Properties.LifecycleConfiguration).toEqual({
      Rules: [
        {
          NoncurrentVersionExpiration: { NoncurrentDays: 30 },
          ExpiredObjectDeleteMarker: true,
          Status: 'Enabled',
        },
        { AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 }, Status: 'Enabled' },
      ],
    });
  });

  it('staged objects are deleted after a day, and their bucket with the stack', () => {
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

  it('a browser may only post to the staging bucket', () => {
    const [, { Properties }] = bucket(/^DataStaging/);
    expect(Properties.CorsConfiguration).toEqual({
      CorsRules: [{ AllowedOrigins: ['*'], AllowedMethods: ['POST'], MaxAge: 3600 }],
    });
    for (const name of [/^DataDocuments/, /^DataAccessLogs/, /^PageBucket/])
      expect(bucket(name)[1].Properties).not.toHaveProperty('CorsConfiguration');
  });
});

describe('keys and secrets', () => {
  it('the webhook key is rotated yearly and outlives the stack', () => {
    prod.hasResource('AWS::KMS::Key', {
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
      Properties: { EnableKeyRotation: true },
    });
  });

  it('a key is used by the policies of the account, and denies unencrypted use, other accounts, and grants except for AWS services', () => {
    for (const stack of [prod, template(OPTIONS)])
      for (const { Properties } of Object.values(resources(stack, 'AWS::KMS::Key'))) {
        const { Statement } = Properties.KeyPolicy as { Statement: Statement[] };
        const allowed = Statement.filter(({ Effect }) => Effect === 'Allow');
        expect(allowed.map(({ Principal }) => JSON.stringify(Principal))).toEqual([
          expect.stringMatching(/^\{"AWS":.+\{"Ref":"AWS::AccountId"\},":root"\]/),
        ]);
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
    { options: OPTIONS, spec: 'RSA_3072' },
    { options: RESTORED, spec: 'ECC_NIST_P256' },
  ])('the option sealKey=$options.sealKey creates a seal key in KMS', ({ options, spec }) => {
    template(options).hasResource('AWS::KMS::Key', {
      DeletionPolicy: 'RetainExceptOnCreate',
      Properties: { KeySpec: spec, KeyUsage: 'SIGN_VERIFY' },
    });
  });

  it('secrets are generated at deployment, and those that stored data depends on outlive the stack', () => {
    prod.hasResource('AWS::SecretsManager::Secret', {
      DeletionPolicy: 'RetainExceptOnCreate',
      Properties: {
        GenerateSecretString: {
          GenerateStringKey: 'root',
          SecretStringTemplate: '{}',
          PasswordLength: 64,
          ExcludePunctuation: true,
        },
      },
    });
    prod.hasResourceProperties('AWS::SecretsManager::Secret', {
      // The firewall takes it for a regular expression.
      GenerateSecretString: { PasswordLength: 48, ExcludePunctuation: true },
    });
    const filledLater = Object.values(resources(prod, 'AWS::SecretsManager::Secret')).filter(
      ({ Properties }) => Properties.SecretString === '{}',
    );
    expect(filledLater.map(({ DeletionPolicy }) => DeletionPolicy)).toEqual(
      Array(3).fill('RetainExceptOnCreate'),
    );
  });
});

it('an operator finds every secret and key among the outputs that the runbook names', () => {
  const stack = template(OPTIONS);
  const ids = Object.entries(resources(stack)).flatMap(([id, { Type }]) =>
    ['AWS::SecretsManager::Secret', 'AWS::KMS::Key'].includes(Type) ? [id] : [],
  );
  expect(ids).toHaveLength(7);
  const outputs = Object.entries(stack.findOutputs('*'));
  const runbook = readFileSync('docs/runbook.md', 'utf8');
  for (const id of ids) {
    const [name] = outputs.find(([, { Value }]) => JSON.stringify(Value).includes(`"${id}"`)) ?? [];
    expect({ id, name, isInRunbook: runbook.includes(`\`${name}\``) }).toMatchObject({ isInRunbook: true });
  }
});

describe('a restored table', () => {
  const restored = template(RESTORED);

  it('the option table replaces the table of the stack, which CloudFormation then keeps', () => {
    restored.resourceCountIs('AWS::DynamoDB::GlobalTable', 0);
    prod.hasResource('AWS::DynamoDB::GlobalTable', { DeletionPolicy: 'Retain' });
    restored.hasOutput('TableName', { Value: RESTORED.table });
  });

  it('every function uses the restored table and its indexes, and no other', () => {
    const tables = Object.values(resources(restored, 'AWS::Lambda::Function')).flatMap(
      ({ Properties }) =>
        (Properties.Environment as { Variables?: { TABLE_NAME?: string } } | undefined)?.Variables
          ?.TABLE_NAME ?? [],
    );
    expect(tables.length).toBeGreaterThan(20);
    expect(new Set(tables)).toEqual(new Set([RESTORED.table]));
    const roles = JSON.stringify(resources(restored, 'AWS::IAM::Role'));
    expect(roles).toContain(`:table/${RESTORED.table}"`);
    expect(roles).toContain('/index/byOwner');
    expect(roles).not.toContain('DataTable');
  });
});

it('resources with data or an address keep their logical ids: a new id would replace them by empty ones', () => {
  const kept = Object.entries(resources(template(OPTIONS)))
    .filter(([, { DeletionPolicy = '', Type }]) =>
      DeletionPolicy.startsWith('Retain') ? !Type.startsWith('AWS::IAM') : Type.endsWith('::Distribution'),
    )
    .map(([id]) => id);
  expect(kept.toSorted()).toEqual([
    'DataAccessLogsC0C25EE4',
    'DataDocumentsDACEAC53',
    'DataTableFDBAD0F2',
    'EdgeDistribution0060737B',
    'GatewayApiAccountCFAE5B8A',
    'SecretsSealCEC8A7F9',
    'SecretsSealKeyA67B6178',
    'SecretsSigning47855BBC',
    'SecretsTestSeal72D3AE4F',
    'SecretsTimestamp856719F0',
    'SecretsWebhookKey8B5A7480',
  ]);
});
