import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudFrontClient, ListFunctionsCommand } from '@aws-sdk/client-cloudfront';
import {
  DescribeAvailabilityZonesCommand,
  DescribeManagedPrefixListsCommand,
  DescribeVpcsCommand,
  EC2Client,
} from '@aws-sdk/client-ec2';
import { KMSClient, ListAliasesCommand } from '@aws-sdk/client-kms';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetServiceQuotaCommand, ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import {
  GetAccountSendingEnabledCommand,
  GetIdentityDkimAttributesCommand,
  GetIdentityVerificationAttributesCommand,
  GetSendQuotaCommand,
  SESClient,
} from '@aws-sdk/client-ses';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { ListWebACLsCommand, WAFV2Client } from '@aws-sdk/client-wafv2';
import { mockClient } from 'aws-sdk-client-mock';
import { RootConstruct } from 'constructs';
import { readOptions } from '../../../infra/options.ts';
import { ACTIONS, preflight } from '../../../infra/preflight/preflight.ts';

// Conformance tests have the same calls over moto; here are the rules, and the calls that moto does not know.

const stacks = mockClient(CloudFormationClient);
const ses = mockClient(SESClient);
const lambda = mockClient(LambdaClient);
const quotas = mockClient(ServiceQuotasClient);
const ec2 = mockClient(EC2Client);
const others = [STSClient, CloudFrontClient, KMSClient, SQSClient, WAFV2Client].map((client) =>
  mockClient(client as typeof STSClient),
);

const BOOTSTRAP = {
  StackName: 'CDKToolkit',
  CreationTime: new Date(0),
  StackStatus: 'CREATE_COMPLETE' as const,
  Outputs: [{ OutputKey: 'BootstrapVersion', OutputValue: '21' }],
};
const noStack = Object.assign(new Error('Stack does not exist'), { name: 'ValidationError' });

/** An account in which nothing is in the way. */
beforeEach(() => {
  const [sts, cloudFront, kms, sqs, waf] = others;
  for (const mock of [stacks, ses, lambda, quotas, ec2, ...others]) mock.reset();
  sts?.on(GetCallerIdentityCommand as never).resolves({ Account: '123456789012', Arn: 'arn:me' } as never);
  cloudFront?.on(ListFunctionsCommand as never).resolves({});
  kms?.on(ListAliasesCommand as never).resolves({});
  sqs?.on(ListQueuesCommand as never).resolves({});
  waf?.on(ListWebACLsCommand as never).resolves({});
  stacks
    .on(DescribeStacksCommand)
    .rejects(noStack)
    .on(DescribeStacksCommand, { StackName: 'CDKToolkit' })
    .resolves({ Stacks: [BOOTSTRAP] });
  ses
    .on(GetAccountSendingEnabledCommand)
    .resolves({ Enabled: true })
    .on(GetSendQuotaCommand)
    .resolves({ Max24HourSend: 50_000, MaxSendRate: 14 })
    .on(GetIdentityVerificationAttributesCommand)
    .resolves({ VerificationAttributes: { 'example.org': { VerificationStatus: 'Success' } } })
    .on(GetIdentityDkimAttributesCommand)
    .resolves({
      DkimAttributes: { 'example.org': { DkimEnabled: true, DkimVerificationStatus: 'Success' } },
    });
  lambda
    .on(GetAccountSettingsCommand)
    .resolves({ AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 1_000 } });
  quotas.on(GetServiceQuotaCommand).resolves({ Quota: { Value: 5 } });
  ec2
    .on(DescribeAvailabilityZonesCommand)
    .resolves({
      AvailabilityZones: [
        { ZoneId: 'use1-az3', ZoneName: 'us-east-1a' },
        { ZoneId: 'use1-az2', ZoneName: 'us-east-1b' },
        { ZoneId: 'use1-az1', ZoneName: 'us-east-1c' },
      ],
    })
    .on(DescribeManagedPrefixListsCommand)
    .resolves({ PrefixLists: [{ PrefixListId: 'pl-1' }] })
    .on(DescribeVpcsCommand)
    .resolves({ Vpcs: [{}] });
});

async function report(options: Record<string, string> = {}) {
  const { node } = new RootConstruct();
  for (const [name, value] of Object.entries({ mailFrom: 'sign@example.org', ...options }))
    node.setContext(name, value);
  const settings = (region = 'us-east-1') => ({ region, requestHandler: {} });
  const { lines, ready } = await preflight({ options: readOptions(node), region: 'us-east-1', settings });
  return { ready, text: lines.join('\n') };
}

it('an account with everything in place is ready, and the zones are those that the deployment takes', async () => {
  const { ready, text } = await report();
  expect(ready).toBe(true);
  expect(text).toContain('Availability zones: us-east-1c and us-east-1b.');
  expect(text).toMatch(/Ready to deploy; 0 to note\.$/);
});

it('a new account is told that it runs ten functions at a time, and that it cannot reserve any', async () => {
  lambda
    .on(GetAccountSettingsCommand)
    .resolves({ AccountLimit: { ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 10 } });
  const without = await report();
  expect(without.ready).toBe(true);
  expect(without.text).toContain('note      Lambda concurrency: The account runs 10 functions at a time');
  expect(without.text).toContain('--quota-code L-B99A9384 --desired-value 1000 --region us-east-1');
  const reserving = await report({ reservedConcurrency: 'create-signature:5' });
  expect(reserving.ready).toBe(false);
  expect(reserving.text).toContain('reservedConcurrency takes 5; of the account’s 10, 0 can be reserved.');
});

it('what is reserved for signing counts for each function of the signers', async () => {
  expect((await report({ reservedConcurrency: 'signing:10' })).ready).toBe(true);
  expect((await report({ reservedConcurrency: 'signing:200' })).ready).toBe(false);
});

it('an account that may not send cannot go on, one in the sandbox can', async () => {
  ses.on(GetSendQuotaCommand).resolves({ Max24HourSend: 200, MaxSendRate: 1 });
  const sandbox = await report();
  expect(sandbox.ready).toBe(true);
  expect(sandbox.text).toContain('note      SES sandbox: The account is in it: 200 mails a day');
  ses.on(GetAccountSendingEnabledCommand).resolves({ Enabled: false });
  expect((await report()).ready).toBe(false);
});

it('a domain whose DKIM records are missing is told them', async () => {
  ses.on(GetIdentityDkimAttributesCommand).resolves({
    DkimAttributes: {
      'example.org': { DkimEnabled: true, DkimVerificationStatus: 'Pending', DkimTokens: ['abc'] },
    },
  });
  const { text } = await report();
  expect(text).toContain('abc._domainkey.example.org CNAME abc.dkim.amazonses.com');
});

it('the sender must be named', async () => {
  expect((await report({ mailFrom: '' })).text).toContain('STOP      Sender: There is no sender.');
});

it.each([
  ['ROLLBACK_COMPLETE', 'aws cloudformation delete-stack --stack-name signature-requests --region us-east-1'],
  ['UPDATE_ROLLBACK_FAILED', 'aws cloudformation continue-update-rollback'],
  ['UPDATE_IN_PROGRESS', 'Wait until CloudFormation has ended.'],
] as const)('a stack in %s is told how to get on', async (StackStatus, advice) => {
  stacks
    .on(DescribeStacksCommand, { StackName: 'signature-requests' })
    .resolves({ Stacks: [{ ...BOOTSTRAP, StackStatus }] });
  const { ready, text } = await report();
  expect(ready).toBe(false);
  expect(text).toContain(advice);
});

it.each([
  ['signature-requests-dev-seal', true],
  ['signature-requests-seal', false],
  ['signature-requests-seal-dead-letters', false],
  ['signature-requests-schedules-dead-letters', false],
])('a queue %s leaves the names free: %s', async (queue, free) => {
  const [, , , sqs] = others;
  sqs
    ?.on(ListQueuesCommand as never)
    .resolves({ QueueUrls: [`https://sqs.us-east-1.amazonaws.com/123456789012/${queue}`] } as never);
  const { ready, text } = await report();
  expect(ready).toBe(free);
  expect(text).toContain(
    free
      ? 'ok        Names: Nothing else is named signature-requests.'
      : `STOP      Names: Taken by something outside of the stack: queue ${queue}.`,
  );
});

it.each([
  [{}, false],
  [{ sealKey: 'rsa' }, true],
])('a stack that seals with a key in KMS is ready with the options %j: %s', async (options, expected) => {
  const Outputs = [{ OutputKey: 'SealKeyArn', OutputValue: 'arn:aws:kms:us-east-1:123456789012:key/1' }];
  stacks
    .on(DescribeStacksCommand, { StackName: 'signature-requests' })
    .resolves({ Stacks: [{ ...BOOTSTRAP, StackStatus: 'UPDATE_COMPLETE', Outputs }] });
  const { ready, text } = await report(options);
  expect(ready).toBe(expected);
  if (!expected) {
    expect(text).toContain('STOP      Stack: signature-requests seals with a key in KMS');
    expect(text).toContain('Pass -c sealKey as before.');
    expect(text).toContain('admin seal-key import-p12');
  }
});

it('a stack that is there needs no further VPC', async () => {
  quotas.on(GetServiceQuotaCommand).resolves({ Quota: { Value: 1 } });
  expect((await report()).ready).toBe(false);
  stacks
    .on(DescribeStacksCommand, { StackName: 'signature-requests' })
    .resolves({ Stacks: [{ ...BOOTSTRAP, StackStatus: 'UPDATE_ROLLBACK_COMPLETE' }] });
  const { ready, text } = await report();
  expect(ready).toBe(true);
  expect(text).toContain('note      Fargate: The account has 1 processors');
});

it('a call that is refused leaves its check open, names the permission, and lets the others go on', async () => {
  const refused = Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' });
  lambda.on(GetAccountSettingsCommand).rejects(refused);
  const { ready, text } = await report();
  expect(ready).toBe(false);
  expect(text).toContain('UNCHECKED Lambda concurrency: AccessDeniedException: not authorized');
  expect(text).toContain('allow lambda:GetAccountSettings.');
  expect(text).toMatch(/Not ready: 0 to mend, 1 unchecked, 0 to note\.$/);
});

it('it only reads, and docs/deploy.md has its policy', () => {
  expect(ACTIONS.filter((action) => !/^\w+:(Get|List|Describe)/.test(action))).toEqual([]);
  const page = readFileSync(join(import.meta.dirname, '../../../docs/deploy.md'), 'utf8');
  const policy = JSON.parse(/```json\n(\{[^`]*"Statement"[^`]*)```/.exec(page)?.[1] ?? '{}');
  expect(policy).toEqual({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ACTIONS, Resource: '*' }],
  });
});
