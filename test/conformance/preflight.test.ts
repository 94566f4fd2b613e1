import { CloudFormationClient, CreateStackCommand } from '@aws-sdk/client-cloudformation';
import { CloudFrontClient, CreateFunctionCommand } from '@aws-sdk/client-cloudfront';
import { CreateVpcCommand, EC2Client } from '@aws-sdk/client-ec2';
import { CreateAliasCommand, CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { SESClient, VerifyDomainDkimCommand, VerifyDomainIdentityCommand } from '@aws-sdk/client-ses';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { CreateWebACLCommand, WAFV2Client } from '@aws-sdk/client-wafv2';
import { root, run } from './judges.ts';
import { Moto } from './moto.ts';

/**
 * The preflight's calls before moto. It knows neither Lambda's account settings nor the quota of Fargate nor whether SES is
 * switched on, and lists neither response headers policies nor regex pattern sets: those five stay unchecked here, and
 * test/unit/infra/preflight.test.ts has them.
 */

let moto: Moto;

beforeAll(async () => {
  moto = await Moto.start();
}, 90_000);
afterAll(() => moto?.stop());

/** Moto loads a service at its first call. */
const MINUTES = 60_000;
const MAIL_FROM = 'mailFrom=Acme <sign@mail.example.com>';

const preflight = (region: string, ...context: string[]) =>
  run(
    process.execPath,
    ['infra/preflight/main.ts', '--region', region, ...context.flatMap((pair) => ['-c', pair])],
    60,
    root,
    { ...process.env, ...moto.environment },
  );

async function bootstrap(region: string, version: string) {
  await new CloudFormationClient(moto.settings(region)).send(
    new CreateStackCommand({
      StackName: 'CDKToolkit',
      TemplateBody: JSON.stringify({
        Parameters: { Qualifier: { Type: 'String', Default: 'hnb659fds' } },
        Resources: { Topic: { Type: 'AWS::SNS::Topic' } },
        Outputs: { BootstrapVersion: { Value: version } },
      }),
    }),
  );
}

async function verifyDomain(region: string, domain: string) {
  const ses = new SESClient(moto.settings(region));
  await ses.send(new VerifyDomainIdentityCommand({ Domain: domain }));
  await ses.send(new VerifyDomainDkimCommand({ Domain: domain }));
}

it(
  'an empty account lacks the bootstrap and a sender, and is in the sandbox',
  async () => {
    const { code, output } = await preflight('eu-west-1', MAIL_FROM);
    expect(code).toBe(1);
    expect(output).toContain('ok        Account: 000000000000 in eu-west-1');
    expect(output).toContain('STOP      CDK bootstrap: The region has no bootstrap.');
    expect(output).toContain('STOP      Sender: SES has not verified sign@mail.example.com in eu-west-1.');
    expect(output).toContain('note      SES sandbox: The account is in it: 200 mails a day');
    expect(output).toContain('ok        Names: Nothing else is named signature-requests.');
    expect(output).toMatch(/ok {8}Availability zones: eu-west-1[abc] and eu-west-1[abc]\./);
    expect(output).toMatch(/ok {8}CloudFront’s addresses: Prefix list pl-\w+\./);
    expect(output).toContain('ok        VPCs: 1 of 5');
    expect(output).toMatch(/Not ready: 2 to mend, 5 unchecked, 3 to note\.\n$/);
  },
  2 * MINUTES,
);

it(
  'a bootstrapped account with a verified domain above the sender’s needs nothing more that moto knows',
  async () => {
    await bootstrap('eu-west-1', '21');
    await verifyDomain('eu-west-1', 'example.com');
    const { output } = await preflight('eu-west-1', MAIL_FROM);
    expect(output).toContain('ok        CDK bootstrap: Version 21.');
    expect(output).toContain('ok        Sender: sign@mail.example.com, verified by example.com.');
    expect(output).toMatch(/Not ready: 0 to mend, 5 unchecked/);
  },
  2 * MINUTES,
);

it(
  'an old bootstrap, used names, a wrong zone and a full region are told, each with what to do',
  async () => {
    const settings = moto.settings('us-east-1');
    await bootstrap('us-east-1', '5');
    await new SQSClient(settings).send(new CreateQueueCommand({ QueueName: 'acme-seal' }));
    const kms = new KMSClient(settings);
    const { KeyMetadata } = await kms.send(new CreateKeyCommand({}));
    await kms.send(
      new CreateAliasCommand({ AliasName: 'alias/acme/webhook-secrets', TargetKeyId: KeyMetadata?.KeyId }),
    );
    const visibility = { CloudWatchMetricsEnabled: false, SampledRequestsEnabled: false, MetricName: 'acme' };
    const webAcl = { Name: 'acme', DefaultAction: { Allow: {} }, VisibilityConfig: visibility };
    const waf = new WAFV2Client(settings);
    await waf.send(new CreateWebACLCommand({ ...webAcl, Scope: 'REGIONAL' }));
    await waf.send(new CreateWebACLCommand({ ...webAcl, Name: 'everything', Scope: 'CLOUDFRONT' }));
    await new CloudFrontClient(settings).send(
      new CreateFunctionCommand({
        Name: 'acme-us-east-1-viewer',
        FunctionConfig: { Comment: '', Runtime: 'cloudfront-js-2.0' },
        FunctionCode: Buffer.from('function handler(event) { return event.request; }'),
      }),
    );
    const ec2 = new EC2Client(settings);
    for (const third of [1, 2, 3, 4])
      await ec2.send(new CreateVpcCommand({ CidrBlock: `10.${third}.0.0/16` }));

    const { code, output } = await preflight(
      'us-east-1',
      MAIL_FROM,
      'stackName=acme',
      'availabilityZones=us-east-1e,us-east-1a',
    );
    expect(code).toBe(1);
    expect(output).toContain('STOP      CDK bootstrap: Version 5; 6 is needed.');
    expect(output).toContain(
      'queue acme-seal, key alias/acme/webhook-secrets, web ACL acme, CloudFront function acme-us-east-1-viewer.',
    );
    // By its id it is use1-az3.
    expect(output).toContain('STOP      Availability zones: us-east-1e cannot be used');
    expect(output).toContain('STOP      VPCs: The region has 5 of 5');
    expect(output).toContain('--quota-code L-F678F1CE --desired-value 6 --region us-east-1');
    expect(output).toContain('note      CloudFront: The account has web ACLs for distributions: everything.');
  },
  2 * MINUTES,
);

it('a deployment without the ingest needs no network', async () => {
  const { output } = await preflight('us-east-1', 'stage=dev');
  expect(output).not.toContain('VPCs');
  expect(output).not.toContain('Fargate');
});

it('wrong usage ends with 2 and one sentence', async () => {
  expect(await preflight('eu-west-1', 'stgae=dev')).toMatchObject({
    code: 2,
    complaints: expect.stringContaining('There is no option "stgae".'),
  });
});
