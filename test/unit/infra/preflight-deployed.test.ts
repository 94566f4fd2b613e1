import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import { DescribeSubnetsCommand } from '@aws-sdk/client-ec2';
import {
  GetAWSDefaultServiceQuotaCommand,
  GetServiceQuotaCommand,
  NoSuchResourceException,
} from '@aws-sdk/client-service-quotas';
import { INDEXES } from '../../../shared/store/indexes.ts';
import { deployed, dynamo, ec2, quotas, readyAccount, report } from './ready-account.ts';

beforeEach(readyAccount);

describe('the table', () => {
  const OWN = 'signature-requests-DataTable7A2-1X';
  const GOOD: TableDescription = {
    TableStatus: 'ACTIVE',
    GlobalSecondaryIndexes: INDEXES.map(({ name }) => ({ IndexName: name, IndexStatus: 'ACTIVE' })),
    DeletionProtectionEnabled: true,
  };
  /** A restored table, with the settings that a restore does not take over. */
  const restored = (table: TableDescription = GOOD): void => {
    dynamo
      .on(DescribeTableCommand)
      .rejects(Object.assign(new Error('not found'), { name: 'ResourceNotFoundException' }))
      .on(DescribeTableCommand, { TableName: 'restored' })
      .resolves({ Table: table })
      .on(DescribeContinuousBackupsCommand)
      .resolves({
        ContinuousBackupsDescription: {
          ContinuousBackupsStatus: 'ENABLED',
          PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'ENABLED' },
        },
      })
      .on(DescribeTimeToLiveCommand)
      .resolves({ TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED' } });
  };

  it('a stack with its own table keeps it', async () => {
    deployed({ outputs: { TableName: OWN }, resources: { 'AWS::DynamoDB::GlobalTable': [OWN] } });
    const { ready, text } = await report();
    expect(ready).toBe(true);
    expect(text).toContain(`ok        Table: ${OWN}, the stack’s own.`);
  });

  it('a deployment that names the stack’s own table is stopped: the stack would no longer have it', async () => {
    dynamo.on(DescribeTableCommand).resolves({ Table: GOOD });
    deployed({ outputs: { TableName: OWN }, resources: { 'AWS::DynamoDB::GlobalTable': [OWN] } });
    const { ready, text } = await report({ table: OWN });
    expect(ready).toBe(false);
    expect(text).toContain(`STOP      Table: ${OWN} is the stack’s own`);
    expect(text).toContain('Leave out -c table.');
  });

  it('a deployment that leaves the restored table out is stopped', async () => {
    deployed({ outputs: { TableName: 'restored' } });
    const { ready, text } = await report();
    expect(ready).toBe(false);
    expect(text).toContain('STOP      Table: The stack uses the restored table restored; this deployment');
    expect(text).toContain('Pass -c table=restored, as before.');
  });

  it('a deployment that names the restored table is ready', async () => {
    restored();
    deployed({ outputs: { TableName: 'restored' } });
    const { ready, text } = await report({ table: 'restored' });
    expect(ready).toBe(true);
    expect(text).toContain('ok        Table: restored.');
    expect(text).toMatch(/; 0 to note\.$/);
  });

  it('a mistyped table is stopped, and the one in use is named', async () => {
    restored();
    deployed({ outputs: { TableName: 'restored' } });
    const { ready, text } = await report({ table: 'restord' });
    expect(ready).toBe(false);
    expect(text).toContain('STOP      Table: restord does not exist in this account and region.');
    expect(text).toContain('The stack uses restored now.');
  });

  it.each<[TableDescription, string]>([
    [{ ...GOOD, TableStatus: 'CREATING' }, 'restored is CREATING.'],
    [{ ...GOOD, GlobalSecondaryIndexes: [] }, 'restored lacks the index '],
  ])('a table that cannot serve is stopped: %j', async (table, sentence) => {
    restored(table);
    const { ready, text } = await report({ table: 'restored' });
    expect(ready).toBe(false);
    expect(text).toContain(`STOP      Table: ${sentence}`);
  });

  it('a move to a restored table, and the settings that the table lacks, are noted', async () => {
    restored({ ...GOOD, DeletionProtectionEnabled: false });
    dynamo
      .on(DescribeContinuousBackupsCommand)
      .resolves({})
      .on(DescribeTimeToLiveCommand)
      .resolves({ TimeToLiveDescription: { TimeToLiveStatus: 'DISABLED' } });
    deployed({ outputs: { TableName: OWN }, resources: { 'AWS::DynamoDB::GlobalTable': [OWN] } });
    const { ready, text } = await report({ table: 'restored' });
    expect(ready).toBe(true);
    expect(text).toContain(`note      Table: The service moves from ${OWN} to restored.`);
    for (const setting of [
      'PointInTimeRecoveryEnabled=true',
      'Enabled=true,AttributeName=ttl',
      '--deletion-protection-enabled',
    ])
      expect(text).toContain(`${setting} --region us-east-1`);
  });
});

describe('the network of a stack that is there', () => {
  const NETWORK = { 'AWS::EC2::VPC': ['vpc-1'], 'AWS::EC2::Subnet': ['subnet-1', 'subnet-2'] };

  beforeEach(() => {
    ec2.on(DescribeSubnetsCommand).resolves({
      Subnets: [
        { SubnetId: 'subnet-2', AvailabilityZone: 'us-east-1b' },
        { SubnetId: 'subnet-1', AvailabilityZone: 'us-east-1c' },
      ],
    });
  });

  it('a stack with a VPC needs no further one, and a stack without takes one', async () => {
    quotas.on(GetServiceQuotaCommand).resolves({ Quota: { Value: 1 } });
    deployed({});
    const without = await report();
    expect(without.ready).toBe(false);
    expect(without.text).toContain('STOP      VPCs: The region has 1 of 1, and the stack takes 1 more.');
    deployed({ resources: NETWORK });
    const { text } = await report();
    expect(text).toContain('ok        VPCs: The stack has its own.');
    expect(text).toContain('note      Fargate: The account has 1 processors');
  });

  it('AWS’s default counts for a quota without a value in the account', async () => {
    const none = new NoSuchResourceException({ $metadata: {}, message: 'No value.' });
    quotas
      .on(GetServiceQuotaCommand)
      .rejects(none)
      .on(GetAWSDefaultServiceQuotaCommand)
      .resolves({ Quota: { Value: 1 } });
    deployed({});
    const { text } = await report();
    expect(text).toContain('STOP      VPCs: The region has 1 of 1, and the stack takes 1 more.');
    expect(text).toContain('note      Fargate: The account has 1 processors');
  });

  it('a VPC that an earlier deployment deleted does not count as the stack’s', async () => {
    quotas.on(GetServiceQuotaCommand).resolves({ Quota: { Value: 1 } });
    deployed({ resources: NETWORK, resourceStatus: 'DELETE_COMPLETE' });
    expect((await report()).text).toContain('STOP      VPCs: The region has 1 of 1');
  });

  it('a deployment into the zones of the deployed ingest is ready', async () => {
    deployed({ resources: NETWORK });
    expect((await report()).text).toContain('ok        Availability zones: us-east-1c and us-east-1b.');
    expect((await report({ availabilityZones: 'us-east-1c,us-east-1b' })).ready).toBe(true);
  });

  it('a deployment into other zones, or the same in another order, is stopped', async () => {
    deployed({ resources: NETWORK });
    const { ready, text } = await report({ availabilityZones: 'us-east-1b,us-east-1c' });
    expect(ready).toBe(false);
    expect(text).toContain(
      'STOP      Availability zones: The ingest is in us-east-1c and us-east-1b, and its subnets cannot move to us-east-1b and us-east-1c.',
    );
    expect(text).toContain('-c availabilityZones=us-east-1c,us-east-1b keeps them.');
  });

  it('a look-up that may choose other zones is stopped with advice on keeping them', async () => {
    deployed({ resources: { ...NETWORK, 'AWS::EC2::Subnet': ['subnet-2', 'subnet-1'] } });
    const { ready, text } = await report();
    expect(ready).toBe(false);
    expect(text).toContain('STOP      Availability zones: The ingest is in us-east-1b and us-east-1c');
    expect(text).toContain('-c availabilityZones=us-east-1b,us-east-1c keeps them.');
  });
});
