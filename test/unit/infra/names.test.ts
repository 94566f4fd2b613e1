import { readFileSync } from 'node:fs';
import { FUNCTIONS, SCHEDULED } from '../../../infra/functions.ts';
import { pascalCase } from '../../../infra/pascal-case.ts';
import { QUEUE_NAMES } from '../../../shared/store/stack-names.ts';
import { OPTIONS, type Resource, resources, synthesizedFiles, template } from './template.ts';

const STACK = 'signature-requests';

/** The members that name a resource in CloudFormation. Without a name it makes one that is free. */
const NAME_OF: Record<string, string> = {
  'AWS::CloudFront::Function': 'Name',
  'AWS::CloudFront::OriginAccessControl': 'OriginAccessControlConfig.Name',
  'AWS::CloudFront::ResponseHeadersPolicy': 'ResponseHeadersPolicyConfig.Name',
  'AWS::CloudFront::VpcOrigin': 'VpcOriginEndpointConfig.Name',
  'AWS::CloudWatch::Dashboard': 'DashboardName',
  'AWS::KMS::Alias': 'AliasName',
  'AWS::Lambda::Function': 'FunctionName',
  'AWS::Logs::DeliveryDestination': 'Name',
  'AWS::Logs::DeliverySource': 'Name',
  'AWS::Logs::LogGroup': 'LogGroupName',
  'AWS::SES::ConfigurationSet': 'Name',
  'AWS::SNS::Topic': 'TopicName',
  'AWS::SQS::Queue': 'QueueName',
  'AWS::Scheduler::Schedule': 'Name',
  'AWS::WAFv2::RegexPatternSet': 'Name',
  'AWS::WAFv2::WebACL': 'Name',
};

function nameOf({ Type, Properties }: Resource): string | undefined {
  const found = NAME_OF[Type]?.split('.').reduce<unknown>((part, key) => part?.[key as never], Properties);
  if (found === undefined || typeof found === 'string') return found;
  const [separator, parts] = (found as { 'Fn::Join': [string, unknown[]] })['Fn::Join'];
  return parts.map((part) => (typeof part === 'string' ? part : '…')).join(separator);
}

const withoutHash = (id: string) => id.replace(/[0-9A-F]{8}$/, '');

const EXPECTED = {
  ...Object.fromEntries(
    Object.keys(FUNCTIONS).flatMap((name) => [
      [`Functions${pascalCase(name)}Function`, `${STACK}-${name}`],
      [`Functions${pascalCase(name)}Log`, `/aws/lambda/${STACK}-${name}`],
    ]),
  ),
  ...Object.fromEntries(
    Object.keys(SCHEDULED).map((name) => [`Jobs${pascalCase(name)}Schedule`, `${STACK}-${name}`]),
  ),
  ...Object.fromEntries(QUEUE_NAMES.map((name) => [`Queues${pascalCase(name)}`, `${STACK}-${name}`])),
  ...Object.fromEntries(
    [...QUEUE_NAMES, 'schedules'].map((name) => [
      `Queues${pascalCase(name)}DeadLetters`,
      `${STACK}-${name}-dead-letters`,
    ]),
  ),
  AccessLogDestination: `${STACK}-distribution`,
  AccessLogGroup: `/aws/vendedlogs/cloudfront/${STACK}`,
  AccessLogSource: `${STACK}-distribution`,
  AlarmsTopic: `${STACK}-alarms`,
  EdgeApiHeaders: `${STACK}-…-api`,
  EdgeAppHeaders: `${STACK}-…-app`,
  EdgeDistributionOrigin3VpcOrigin: `${STACK}-…-ingest`,
  EdgeDocsHeaders: `${STACK}-…-docs`,
  EdgePageAccess: `${STACK}-…-page`,
  EdgePageHeaders: `${STACK}-…-page`,
  EdgeVerifyHeaders: `${STACK}-…-verify`,
  EdgeViewerRequest: `${STACK}-…-viewer`,
  FirewallAcl: STACK,
  FirewallOriginValues: `${STACK}-origin-values`,
  GatewayAccessLog: `/aws/apigateway/${STACK}`,
  GatewayOwnLog: 'API-Gateway-Execution-Logs_…/live',
  IngestEntranceLookUpFunction: `${STACK}-network-look-up`,
  IngestEntranceLookUpLog: `/aws/lambda/${STACK}-network-look-up`,
  MailBounces: `${STACK}-bounces`,
  MailSet: STACK,
  OperationsDashboard: `${STACK}-…`,
  SecretsSealKeyAlias: `alias/${STACK}/seal`,
  SecretsWebhookKeyAlias: `alias/${STACK}/webhook-secrets`,
};

it('a resource with a name keeps its logical id: CloudFormation would make the new one while the old one has the name, and roll the upgrade back', () => {
  const named = Object.entries(resources(template(OPTIONS))).flatMap(([id, made]) => {
    const name = nameOf(made);
    return name === undefined ? [] : [[withoutHash(id), name]];
  });
  expect(Object.fromEntries(named)).toEqual(EXPECTED);
});

it('docs/deploy.md says how many of an account’s roles a stack takes', () => {
  const count = Object.keys(resources(template(), 'AWS::IAM::Role')).length;
  expect(readFileSync('docs/deploy.md', 'utf8')).toContain(`1,000 roles, and a stack takes ${count}.`);
});

it('the template is ASCII: CloudFormation gives a question mark back for any other character, and `cdk import` fails', () => {
  const written = JSON.stringify(template(OPTIONS).toJSON());
  expect(written.match(/.{0,40}[^\x20-\x7e].{0,40}/g)).toBeNull();
});

// The rule packs, which a deployment runs and these tests do not, stop what is not acknowledged by its exact name.
it('a bootstrap with a qualifier of its own is named in template, assets and acknowledged rules', () => {
  for (const text of Object.values(synthesizedFiles({ '@aws-cdk/core:bootstrapQualifier': 'acme' }))) {
    expect(text).toContain('cdk-acme-assets');
    expect(text).not.toContain('hnb659fds');
  }
});
