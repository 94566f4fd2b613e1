import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DescribeStacksCommand, ListStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { DescribeFunctionCommand, ListResponseHeadersPoliciesCommand } from '@aws-sdk/client-cloudfront';
import { DescribeResourcePoliciesCommand } from '@aws-sdk/client-cloudwatch-logs';
import { GetAccountSummaryCommand } from '@aws-sdk/client-iam';
import { DescribeKeyCommand, ListAliasesCommand } from '@aws-sdk/client-kms';
import { GetAccountSettingsCommand, GetFunctionConcurrencyCommand } from '@aws-sdk/client-lambda';
import { GetServiceQuotaCommand } from '@aws-sdk/client-service-quotas';
import {
  GetAccountSendingEnabledCommand,
  GetIdentityDkimAttributesCommand,
  GetIdentityVerificationAttributesCommand,
  GetSendQuotaCommand,
} from '@aws-sdk/client-ses';
import { ListQueuesCommand } from '@aws-sdk/client-sqs';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import { ListRegexPatternSetsCommand, ListWebACLsCommand } from '@aws-sdk/client-wafv2';
import { ACTIONS } from '../../../infra/preflight/preflight.ts';
import { COUNTED, ROLES } from '../../../infra/preflight/quotas.ts';
import {
  BOOTSTRAP,
  deployed,
  iam,
  lambda,
  logs,
  others,
  quotas,
  readyAccount,
  report,
  ses,
  stacks,
} from './ready-account.ts';
import { OPTIONS, template } from './template.ts';

// Conformance tests have the same calls over moto; here are the rules, and the calls that moto does not know.

beforeEach(readyAccount);

it('an account with everything in place is ready, and the zones are those that the deployment takes', async () => {
  const { ready, text } = await report();
  expect(ready).toBe(true);
  expect(text).toContain('Availability zones: us-east-1c and us-east-1b.');
  expect(text).toMatch(/Ready to deploy; 0 to note\.$/);
});

it('the bootstrap is found by its qualifier, whatever its stack is called', async () => {
  const { ready, text } = await report({}, 'us-east-1', 'acme');
  expect(ready).toBe(false);
  expect(text).toContain('STOP      CDK bootstrap: The region has no bootstrap of the qualifier acme.');
  expect(text).toContain('--qualifier acme --toolkit-stack-name CDKToolkit-acme');
  const own = {
    ...BOOTSTRAP,
    StackName: 'toolkit',
    Parameters: [{ ParameterKey: 'Qualifier', ParameterValue: 'acme' }],
  };
  stacks.on(DescribeStacksCommand, { NextToken: 'next' }).resolves({ Stacks: [own] });
  stacks
    .on(DescribeStacksCommand, { StackName: undefined, NextToken: undefined })
    .resolves({ Stacks: [BOOTSTRAP], NextToken: 'next' });
  expect((await report({}, 'us-east-1', 'acme')).ready).toBe(true);
});

it('a new account is told its limit of ten concurrent functions, and that it cannot reserve any', async () => {
  lambda
    .on(GetAccountSettingsCommand)
    .resolves({ AccountLimit: { ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 10 } });
  const without = await report();
  expect(without.ready).toBe(true);
  expect(without.text).toContain('note      Lambda concurrency: The account runs 10 functions at a time');
  expect(without.text).toContain('--quota-code L-B99A9384 --desired-value 1000 --region us-east-1');
  expect(without.text).toContain('Until then, -c sealConcurrency=2 leaves some of them to calls');
  expect((await report({ sealConcurrency: '2' })).text).not.toContain('Until then');
  const reserving = await report({ reservedConcurrency: 'create-signature:5' });
  expect(reserving.ready).toBe(false);
  expect(reserving.text).toContain('reservedConcurrency takes 5; of the account’s 10, 0 can be reserved.');
});

it('what is reserved for signing counts for each function of the signers', async () => {
  expect((await report({ reservedConcurrency: 'signing:10' })).ready).toBe(true);
  expect((await report({ reservedConcurrency: 'signing:200' })).ready).toBe(false);
});

it('an account that may not send mail is stopped, one in the SES sandbox is not', async () => {
  ses.on(GetSendQuotaCommand).resolves({ Max24HourSend: 200, MaxSendRate: 1 });
  const sandbox = await report();
  expect(sandbox.ready).toBe(true);
  expect(sandbox.text).toContain('note      SES sandbox: The account is in it: 200 mails a day');
  ses.on(GetAccountSendingEnabledCommand).resolves({ Enabled: false });
  expect((await report()).ready).toBe(false);
});

it('an account whose quota of mails has no limit, which SES writes as -1, is not in the sandbox', async () => {
  ses.on(GetSendQuotaCommand).resolves({ Max24HourSend: -1, MaxSendRate: 500 });
  const { text } = await report();
  expect(text).toContain(
    'ok        SES sandbox: The account has left it: any number of mails a day, 500 a second.',
  );
});

it('the missing DKIM records of a domain are listed, and lead where SES has its keys in the region', async () => {
  ses.on(GetIdentityDkimAttributesCommand).resolves({
    DkimAttributes: {
      'example.org': { DkimEnabled: true, DkimVerificationStatus: 'Pending', DkimTokens: ['abc'] },
    },
  });
  const { text } = await report();
  expect(text).toContain('abc._domainkey.example.org CNAME abc.dkim.amazonses.com');
  expect((await report({}, 'eu-south-1')).text).toContain('CNAME abc.dkim.eu-south-1.amazonses.com');
});

it.each<[string, Record<string, { VerificationStatus: 'Pending' }>, string, RegExp]>([
  ['is unknown', {}, 'create-email-identity --email-identity example.org', /set the three CNAME records/],
  [
    'waits for its records',
    { 'example.org': { VerificationStatus: 'Pending' } },
    'get-email-identity --email-identity example.org',
    /set the three CNAME records/,
  ],
  [
    'waits, as a single address',
    { 'sign@example.org': { VerificationStatus: 'Pending' } },
    'get-email-identity --email-identity sign@example.org',
    /follow the link/,
  ],
])('a sender that %s is told what to do next', async (_what, VerificationAttributes, command, next) => {
  ses.on(GetIdentityVerificationAttributesCommand).resolves({ VerificationAttributes });
  const { ready, text } = await report();
  expect(ready).toBe(false);
  expect(text).toContain('STOP      Sender: SES has not verified sign@example.org in us-east-1.');
  expect(text).toContain(`aws sesv2 ${command} --region us-east-1`);
  expect(text).toMatch(next);
});

it('a deployment with the option of the local run is stopped: webhooks could reach the functions’ own machine', async () => {
  const { ready, text } = await report({ localWebhooks: 'on' });
  expect(ready).toBe(false);
  expect(text).toContain('STOP      Webhooks: They could reach the functions’ own machine.');
  expect(text).toContain('Leave out -c localWebhooks');
  expect((await report()).text).not.toContain('Webhooks:');
});

it('the sender must be named', async () => {
  expect((await report({ mailFrom: undefined })).text).toContain('STOP      Sender: There is no sender.');
});

it('the advice to delete a stack begins with removing its termination protection', async () => {
  deployed({ status: 'ROLLBACK_COMPLETE', isProtected: true });
  const commands = (await report()).text.match(/aws cloudformation \S+/g);
  expect(commands).toEqual([
    'aws cloudformation update-termination-protection',
    'aws cloudformation delete-stack',
  ]);
});

it('the advice for a failed rollback names how to skip the resources that fail', async () => {
  deployed({ status: 'UPDATE_ROLLBACK_FAILED' });
  const { text } = await report();
  const command =
    'aws cloudformation continue-update-rollback --stack-name signature-requests --region us-east-1';
  expect(text).toContain(`${command}\n`);
  expect(text).toContain(`${command} --resources-to-skip LOGICAL_ID`);
});

it.each([
  ['ROLLBACK_COMPLETE', 'aws cloudformation delete-stack --stack-name signature-requests --region us-east-1'],
  ['UPDATE_ROLLBACK_FAILED', 'aws cloudformation continue-update-rollback'],
  ['UPDATE_IN_PROGRESS', 'Wait until CloudFormation has ended.'],
] as const)('a stack in %s stops the deployment with advice', async (status, advice) => {
  deployed({ status });
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

it('a stack whose first change set was never executed counts as not deployed', async () => {
  deployed({ status: 'REVIEW_IN_PROGRESS' });
  const [, , , sqs] = others;
  sqs
    ?.on(ListQueuesCommand as never)
    .resolves({ QueueUrls: ['https://sqs.test/123456789012/signature-requests-seal'] } as never);
  const { text } = await report();
  expect(text).toContain('ok        Stack: signature-requests does not exist yet');
  expect(text).toContain('STOP      Names: Taken by something outside of the stack: queue');
});

it('names are free if the stack itself has them, and taken if something else does', async () => {
  const [, cloudFront, kms, sqs, waf] = others;
  const queue = 'https://sqs.us-east-1.amazonaws.com/123456789012/signature-requests-seal';
  const AliasName = 'alias/signature-requests/webhook-secrets';
  const former = 'alias/signature-requests/seal-2026';
  const resources = {
    'AWS::SQS::Queue': [queue],
    'AWS::KMS::Alias': [AliasName],
    'AWS::WAFv2::WebACL': ['signature-requests|id|REGIONAL'],
    'AWS::CloudFront::Function': ['arn:aws:cloudfront::123456789012:function/x'],
  };
  sqs?.on(ListQueuesCommand as never).resolves({ QueueUrls: [queue] } as never);
  kms?.on(ListAliasesCommand as never).resolves({ Aliases: [{ AliasName }, { AliasName: former }] } as never);
  waf?.on(ListWebACLsCommand as never).resolves({ WebACLs: [{ Name: 'signature-requests' }] } as never);
  cloudFront?.on(DescribeFunctionCommand as never).resolves({});
  deployed({ resources });
  expect((await report()).text).toContain('ok        Names: Nothing else is named signature-requests.');
  deployed({ resources: { ...resources, 'AWS::SQS::Queue': [], 'AWS::WAFv2::WebACL': [] } });
  expect((await report()).text).toContain(
    'STOP      Names: Taken by something outside of the stack: queue signature-requests-seal, web ACL signature-requests.',
  );
});

it('taken names are found however many others the account has', async () => {
  const [, cloudFront, , sqs, waf] = others;
  const queue = (name: string) => ({ QueueUrls: [`https://sqs.test/123456789012/${name}`] });
  sqs
    ?.on(ListQueuesCommand as never)
    .resolves({ ...queue('signature-requests-dev-seal'), NextToken: 'second' } as never)
    .on(ListQueuesCommand as never, { NextToken: 'second' } as never)
    .resolves(queue('signature-requests-seal') as never);
  waf
    ?.on(ListWebACLsCommand as never)
    .resolves({ WebACLs: [{ Name: 'another' }], NextMarker: 'second' } as never)
    .on(ListWebACLsCommand as never, { NextMarker: 'second' } as never)
    .resolves({ WebACLs: [{ Name: 'signature-requests' }], NextMarker: 'third' } as never)
    .on(ListWebACLsCommand as never, { NextMarker: 'third' } as never)
    .resolves({ WebACLs: [], NextMarker: 'third' } as never);
  cloudFront
    ?.on(DescribeFunctionCommand as never, { Name: 'signature-requests-us-east-1-viewer' } as never)
    .resolves({});
  const { text } = await report();
  expect(text).toContain(
    'STOP      Names: Taken by something outside of the stack: queue signature-requests-seal, web ACL signature-requests, CloudFront function signature-requests-us-east-1-viewer.',
  );
  expect(text).toContain('The account has web ACLs for distributions: another, signature-requests.');
});

it.each([
  [
    {},
    'STOP      Seal key: signature-requests seals with a key in KMS, which this deployment would take away.',
  ],
  [{ sealKey: 'rsa' }, 'ok        Seal key: In KMS (RSA_3072).'],
  [
    { sealKey: 'ec' },
    'STOP      Seal key: signature-requests seals with a key RSA_3072, and AWS refuses to change the kind of a key.',
  ],
])('a stack that seals with an RSA key in KMS is told of the options %j: %s', async (options, line) => {
  const SealKeyArn = 'arn:aws:kms:us-east-1:123456789012:key/1';
  deployed({ outputs: { SealKeyArn } });
  const [, , kms] = others;
  kms
    ?.on(DescribeKeyCommand as never, { KeyId: SealKeyArn } as never)
    .resolves({ KeyMetadata: { KeySpec: 'RSA_3072' } } as never);
  const { ready, text } = await report(options);
  expect(ready).toBe(line.startsWith('ok'));
  expect(text).toContain(line);
  if (line.startsWith('STOP')) expect(text).toContain('Pass -c sealKey as before.');
});

it.each([
  [
    'B-LTA',
    {},
    'STOP      Seal level: signature-requests seals at B-LTA, and this deployment would seal at B-T',
  ],
  ['B-LTA', { sealLevel: 'B-LT' }, 'STOP      Seal level: signature-requests seals at B-LTA'],
  ['B-LTA', { sealLevel: 'B-LTA' }, 'ok        Seal level: B-LTA.'],
  ['B-T', { sealLevel: 'B-LT' }, 'ok        Seal level: B-LT.'],
])('a stack that seals at %s is told of the options %j: %s', async (SealLevel, options, line) => {
  deployed({ outputs: { SealLevel } });
  const { ready, text } = await report(options);
  expect(ready).toBe(line.startsWith('ok'));
  expect(text).toContain(line);
});

it('the level that the preflight compares with is an output of the stack', () => {
  template(OPTIONS).hasOutput('SealLevel', { Value: OPTIONS.sealLevel });
});

it('a deployment whose alarms reach nobody gets a note, unless it has no alarms', async () => {
  const silent = await report({ alarmMail: undefined });
  expect(silent.ready).toBe(true);
  expect(silent.text).toContain('note      Alarms: They are mailed to nobody.');
  expect((await report()).text).toContain('ok        Alarms: Mailed to ops@example.org');
  expect((await report({ alarmMail: undefined, stage: 'dev' })).text).not.toContain('Alarms:');
});

it('a deployment that makes a production stack a trial one is stopped: firewall, alarms and old logs would go', async () => {
  const dev = { stage: 'dev', stackName: 'signature-requests' };
  deployed({
    outputs: { OriginValuesArn: 'arn:aws:wafv2:us-east-1:123456789012:regional/regexpatternset/a/b' },
  });
  const { ready, text } = await report(dev);
  expect(ready).toBe(false);
  expect(text).toContain('STOP      Stack: signature-requests is in stage prod; this deployment would take');
  expect((await report()).ready).toBe(true);
  deployed({});
  expect((await report(dev)).ready).toBe(true);
});

it('only a stack in stage prod has the output by which the preflight knows it', () => {
  template().hasOutput('OriginValuesArn', {});
  expect(template({ stage: 'dev' }).findOutputs('OriginValuesArn')).toEqual({});
});

it('a stack of another service that has the name is not updated', async () => {
  stacks
    .on(DescribeStacksCommand, { StackName: 'signature-requests' })
    .resolves({ Stacks: [{ ...BOOTSTRAP, StackStatus: 'UPDATE_COMPLETE' }] });
  const { ready, text } = await report();
  expect(ready).toBe(false);
  expect(text).toContain('and it is not a stack of this service.');
});

describe('what an account or a region may hold', () => {
  /** Custom headers policies of the account, in pages of one. */
  function headersPolicies(count: number): void {
    const [, cloudFront] = others;
    for (let page = 0; page < count; page++)
      cloudFront
        ?.on(
          ListResponseHeadersPoliciesCommand as never,
          { Type: 'custom', ...(page && { Marker: `${page}` }) } as never,
        )
        .resolves({
          ResponseHeadersPolicyList: {
            Items: [{ Type: 'custom' }],
            ...(page < count - 1 && { NextMarker: `${page + 1}` }),
          },
        } as never);
  }

  it('an account without room for the stack’s response headers policies is stopped before anything is made', async () => {
    quotas
      .on(GetServiceQuotaCommand, { ServiceCode: 'cloudfront', QuotaCode: 'L-CF0D4FC5' })
      .resolves({ Quota: { Value: 20 } });
    headersPolicies(15);
    expect((await report({}, 'eu-west-1')).text).toContain(
      'ok        Response headers policies: 15 of 20 in the account; the stack takes 5 more.',
    );
    headersPolicies(16);
    const { ready, text } = await report({}, 'eu-west-1');
    expect(ready).toBe(false);
    expect(text).toContain(
      'STOP      Response headers policies: The account has 16 of 20, and the stack takes 5 more.',
    );
    // Quotas of CloudFront are kept in us-east-1.
    expect(text).toContain('--quota-code L-CF0D4FC5 --desired-value 21 --region us-east-1');
  });

  it('the policies that a stack has already need no more room', async () => {
    quotas.on(GetServiceQuotaCommand).resolves({ Quota: { Value: 20 } });
    headersPolicies(20);
    deployed({ resources: { 'AWS::CloudFront::ResponseHeadersPolicy': ['1', '2', '3', '4'] } });
    expect((await report()).text).toContain('The account has 20 of 20, and the stack takes 1 more.');
    deployed({ resources: { 'AWS::CloudFront::ResponseHeadersPolicy': ['1', '2', '3', '4', '5'] } });
    expect((await report()).ready).toBe(true);
  });

  it('a region without room for the firewall’s set of patterns is stopped, unless the stack has no firewall', async () => {
    const [, , , , waf] = others;
    waf
      ?.on(ListRegexPatternSetsCommand as never)
      .resolves({ RegexPatternSets: [{}, {}, {}, {}, {}] } as never);
    const { ready, text } = await report();
    expect(ready).toBe(false);
    expect(text).toContain(
      'STOP      Regex pattern sets: The region has 5 of 5, and the stack takes 1 more.',
    );
    expect((await report({ stage: 'dev' })).text).not.toContain('Regex pattern sets');
  });

  it('an account without room for the stack’s roles is stopped, which has most of them in its first deployment', async () => {
    iam.on(GetAccountSummaryCommand).resolves({ SummaryMap: { Roles: 1_001 - ROLES, RolesQuota: 1_000 } });
    const { ready, text } = await report();
    expect(ready).toBe(false);
    expect(text).toContain(
      `STOP      IAM roles: The account has ${1_001 - ROLES} of 1000, and the stack takes ${ROLES} more.`,
    );
    expect(text).toContain('--quota-code L-FE177D64 --desired-value 1001 --region us-east-1');
    deployed({ resources: { 'AWS::IAM::Role': ['one'] } });
    expect((await report()).ready).toBe(true);
  });

  it('a region without room for the policy that lets the distribution write its log is stopped, if the stack has that log', async () => {
    const policies = (...names: string[]) =>
      logs
        .on(DescribeResourcePoliciesCommand)
        .resolves({ resourcePolicies: names.map((policyName) => ({ policyName })) });
    const nine = Array.from({ length: 9 }, (_, index) => `policy-${index}`);
    policies(...nine, 'tenth');
    const { ready, text } = await report();
    expect(ready).toBe(false);
    expect(text).toContain('STOP      Log policies: The region has 10, and AWS allows no more.');
    expect((await report({}, 'eu-west-1')).text).not.toContain('Log policies');
    expect((await report({ stage: 'dev' })).text).not.toContain('Log policies');
    policies(...nine, 'AWSLogDeliveryWrite20150319');
    expect((await report()).ready).toBe(true);
    policies(...nine);
    expect((await report()).ready).toBe(true);
  });

  it('the preflight counts with as many as the template has', () => {
    expect(Object.keys(template().findResources('AWS::IAM::Role'))).toHaveLength(ROLES);
    for (const { type, wanted } of COUNTED)
      expect({ type, count: Object.keys(template().findResources(type)).length }).toEqual({
        type,
        count: wanted,
      });
  });
});

it('concurrency that the stack already reserves is free for it', async () => {
  const options = { reservedConcurrency: 'create-signature:20,seal:20' };
  lambda
    .on(GetAccountSettingsCommand)
    .resolves({ AccountLimit: { ConcurrentExecutions: 160, UnreservedConcurrentExecutions: 120 } })
    .on(GetFunctionConcurrencyCommand)
    .resolves({ ReservedConcurrentExecutions: 20 });
  expect((await report(options)).ready).toBe(false);
  deployed({
    resources: {
      'AWS::Lambda::Function': [
        'signature-requests-create-signature',
        'signature-requests-seal',
        'signature-requests-sweep',
      ],
    },
  });
  expect((await report(options)).ready).toBe(true);
  const more = await report({ reservedConcurrency: 'create-signature:20,seal:41' });
  expect(more.ready).toBe(false);
  expect(more.text).toContain('reservedConcurrency takes 61; of the account’s 160, 60 can be reserved.');
});

it('a deployment that gives up what the stack reserves gets a note, as if the option was forgotten', async () => {
  lambda.on(GetFunctionConcurrencyCommand).resolves({ ReservedConcurrentExecutions: 20 });
  deployed({ resources: { 'AWS::Lambda::Function': ['signature-requests-seal'] } });
  const forgotten = await report();
  expect(forgotten.ready).toBe(true);
  expect(forgotten.text).toContain(
    'note      Lambda concurrency: The stack reserves 20 of them, this deployment 0.',
  );
  expect((await report({ reservedConcurrency: 'seal:20' })).text).not.toContain('The stack reserves');
});

it('the stack and its resources are read once for all checks: CloudFormation throttles whoever asks often', async () => {
  const throttled = Object.assign(new Error('Rate exceeded'), { name: 'Throttling' });
  const Outputs = [{ OutputKey: 'DocumentsBucket', OutputValue: 'documents' }];
  stacks
    .on(DescribeStacksCommand, { StackName: 'signature-requests' })
    .resolvesOnce({ Stacks: [{ ...BOOTSTRAP, StackStatus: 'UPDATE_COMPLETE', Outputs }] })
    .rejects(throttled)
    .on(ListStackResourcesCommand)
    .resolvesOnce({ StackResourceSummaries: [] })
    .rejects(throttled);
  expect(await report()).toMatchObject({ ready: true, text: expect.not.stringContaining('Rate exceeded') });
});

it('a call that is refused leaves its check open, names the permission, and lets the others go on', async () => {
  const refused = Object.assign(new Error('not authorized\n  hint'), { name: 'AccessDeniedException' });
  lambda.on(GetAccountSettingsCommand).rejects(refused);
  const { ready, text } = await report();
  expect(ready).toBe(false);
  expect(text).toContain(
    'UNCHECKED Lambda concurrency: AccessDeniedException: not authorized\n            It',
  );
  expect(text).toMatch(
    /needs working credentials that allow .*lambda:GetAccountSettings.*\. With them, try again/,
  );
  expect(text).toMatch(/Not ready: 0 to mend, 1 unchecked, 0 to note\.$/);
});

it('without working credentials it says so once, and makes no other call', async () => {
  const expired = Object.assign(new Error('The security token has expired'), { name: 'ExpiredToken' });
  others[0]?.on(GetCallerIdentityCommand as never).rejects(expired);
  const { ready, text } = await report();
  expect(ready).toBe(false);
  expect(text.match(/^(?:ok|note|STOP|UNCHECKED) .*/gm)).toEqual([
    'UNCHECKED Account: ExpiredToken: The security token has expired',
  ]);
  expect(text).toMatch(/Not ready: 0 to mend, 1 unchecked, 0 to note\.$/);
  expect(stacks.calls()).toEqual([]);
});

it('the template has the types of resources that the preflight looks for, and subnets in the order of their zones', () => {
  const stack = template(OPTIONS);
  for (const type of [
    'AWS::CloudFront::Function',
    'AWS::DynamoDB::GlobalTable',
    'AWS::EC2::VPC',
    'AWS::KMS::Alias',
    'AWS::Lambda::Function',
    'AWS::Route53::RecordSet',
    'AWS::SQS::Queue',
    'AWS::WAFv2::WebACL',
  ])
    expect({ type, ids: Object.keys(stack.findResources(type)) }).not.toEqual({ type, ids: [] });
  const zones = Object.entries(stack.findResources('AWS::EC2::Subnet'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { Properties }]) => Properties.AvailabilityZone);
  expect([...new Set(zones)]).toEqual(OPTIONS.availabilityZones.split(','));
});

it('the preflight only reads, and docs/deploy.md has its IAM policy', () => {
  expect(ACTIONS.filter((action) => !/^\w+:(Get|List|Describe)/.test(action))).toEqual([]);
  const page = readFileSync(join(import.meta.dirname, '../../../docs/deploy.md'), 'utf8');
  const policy = JSON.parse(/```json\n(\{[^`]*"Statement"[^`]*)```/.exec(page)?.[1] ?? '{}');
  expect(policy).toEqual({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ACTIONS, Resource: '*' }],
  });
});
