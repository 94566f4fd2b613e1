import { CloudFrontClient, DescribeFunctionCommand } from '@aws-sdk/client-cloudfront';
import { DescribeKeyCommand, KMSClient, paginateListAliases } from '@aws-sdk/client-kms';
import { paginateListQueues, SQSClient } from '@aws-sdk/client-sqs';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { ListWebACLsCommand, WAFV2Client } from '@aws-sdk/client-wafv2';
import { SEAL_LEVELS } from '../../shared/contract/seal-level.ts';
import { allQueueNames, sealKeyAlias, webhookSecretsAlias } from '../names.ts';
import { SEAL_KEY_SPECS } from '../options.ts';
import { type Check, type Finding, ifFound, note, ok, type Plan, stop, USUAL_QUALIFIER } from './check.ts';
import { findBootstrap, findDeployed, outputOf, resourcesOf } from './deployed.ts';

/** The bootstrap version that the CDK's assets need. The template refuses less, but only after everything was built and uploaded. */
const LEAST_BOOTSTRAP_VERSION = 6;

export const credentials: Check = {
  name: 'Account',
  actions: ['sts:GetCallerIdentity'],
  run: async ({ settings, region }) => {
    const { Account, Arn } = await new STSClient(settings()).send(new GetCallerIdentityCommand({}));
    return ok(`${Account} in ${region}, as ${Arn}.`);
  },
};

export const bootstrap: Check = {
  name: 'CDK bootstrap',
  // Without a name, a description of stacks needs the permission to list them, too.
  actions: ['cloudformation:DescribeStacks', 'cloudformation:ListStacks'],
  run: async (plan) => {
    const { qualifier, region } = plan;
    const stack = await findBootstrap(plan);
    const isUsual = qualifier === USUAL_QUALIFIER;
    // The stack of another qualifier must not take the place of the usual one.
    const named = isUsual ? '' : ` --qualifier ${qualifier} --toolkit-stack-name CDKToolkit-${qualifier}`;
    const advice = `npx cdk bootstrap aws://ACCOUNT/${region}${named}`;
    if (!stack)
      return stop(`The region has no bootstrap${isUsual ? '' : ` of the qualifier ${qualifier}`}.`, advice);
    const version = outputOf(stack, 'BootstrapVersion');
    return Number(version) >= LEAST_BOOTSTRAP_VERSION
      ? ok(`Version ${version}.`)
      : stop(`Version ${version ?? 'unknown'}; ${LEAST_BOOTSTRAP_VERSION} is needed.`, advice);
  },
};

export const stack: Check = {
  name: 'Stack',
  actions: ['cloudformation:DescribeStacks'],
  run: async (plan) => {
    const { stackName, stage } = plan.options;
    const found = await findDeployed(plan);
    const { StackStatus: status, EnableTerminationProtection: isProtected } = found ?? {};
    if (status === undefined) return ok(`${stackName} does not exist yet: the deployment creates it.`);
    const command = (what: string) =>
      `aws cloudformation ${what} --stack-name ${stackName} --region ${plan.region}`;
    const unprotect = `${command('update-termination-protection')} --no-enable-termination-protection\n`;
    if (status.endsWith('_IN_PROGRESS'))
      return stop(`${stackName} is ${status}.`, 'Wait until CloudFormation has ended.');
    // A stack whose creation failed can only be deleted.
    if (['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED', 'CREATE_FAILED', 'DELETE_FAILED'].includes(status))
      return stop(
        `${stackName} is ${status} and cannot be updated.`,
        `${isProtected ? unprotect : ''}${command('delete-stack')}`,
      );
    if (status === 'UPDATE_ROLLBACK_FAILED')
      return stop(
        `${stackName} is ${status}.`,
        `${command('continue-update-rollback')}\nIf it fails again, without what fails: ${command('continue-update-rollback')} --resources-to-skip LOGICAL_ID`,
      );
    // The deployment would replace whatever else it holds.
    if (outputOf(found, 'DocumentsBucket') === undefined)
      return stop(
        `${stackName} is ${status}, and it is not a stack of this service.`,
        'Deploy under another name with -c stackName=NAME.',
      );
    // Only a stack in stage prod has a firewall, and this output.
    if (stage === 'dev' && outputOf(found, 'OriginValuesArn') !== undefined)
      return stop(
        `${stackName} is in stage prod; this deployment would take its firewall, alarms and deletion protection away, and delete logs older than two weeks.`,
        'Leave out -c stage. To make it a trial stack, deploy in spite of this line.',
      );
    return ok(`${stackName} is ${status}: the deployment updates it.`);
  },
};

export const sealKey: Check = {
  name: 'Seal key',
  actions: ['cloudformation:DescribeStacks', 'kms:DescribeKey'],
  run: async (plan) => {
    const { stackName, sealKey: wanted } = plan.options;
    const KeyId = outputOf(await findDeployed(plan), 'SealKeyArn');
    if (KeyId === undefined)
      return ok(wanted === 'secret' ? 'In a file.' : 'In KMS; the deployment makes it.');
    // The deployment would orphan the key, and every seal would fail until another certificate is imported.
    if (wanted === 'secret')
      return stop(
        `${stackName} seals with a key in KMS, which this deployment would take away.`,
        'Pass -c sealKey as before. To change to a file: admin seal-key import-p12 first, then deploy in spite of this line.',
      );
    const { KeyMetadata } = await new KMSClient(plan.settings()).send(new DescribeKeyCommand({ KeyId }));
    const spec = KeyMetadata?.KeySpec;
    return spec === SEAL_KEY_SPECS[wanted]
      ? ok(`In KMS (${spec}).`)
      : stop(
          `${stackName} seals with a key ${spec}, and AWS refuses to change the kind of a key.`,
          'Pass -c sealKey as before. docs/deploy.md says how to change it.',
        );
  },
};

/** Without the option, later seals would have a lower level, and a sealed document cannot be raised to another. */
export const sealLevel: Check = {
  name: 'Seal level',
  actions: ['cloudformation:DescribeStacks'],
  run: async (plan) => {
    const { stackName, sealLevel: wanted } = plan.options;
    const deployed = outputOf(await findDeployed(plan), 'SealLevel');
    const levels: readonly (string | undefined)[] = SEAL_LEVELS;
    return levels.indexOf(deployed) > levels.indexOf(wanted)
      ? stop(
          `${stackName} seals at ${deployed}, and this deployment would seal at ${wanted} from then on.`,
          `Pass -c sealLevel=${deployed} as before. To lower the level, deploy in spite of this line.`,
        )
      : ok(`${wanted}.`);
  },
};

export const alarms: Check = {
  name: 'Alarms',
  actions: [],
  run: async ({ options: { stage, alarmMail } }) => {
    if (stage === 'dev') return [];
    return alarmMail === undefined
      ? note(
          'They are mailed to nobody.',
          'Pass -c alarmMail=ADDRESS. A deployment without it takes away an address that they were mailed to.',
        )
      : ok(`Mailed to ${alarmMail}, once AWS’s mail to it is confirmed.`);
  },
};

/** Names that CloudFormation cannot take if something outside of the stack has them. */
export const names: Check = {
  name: 'Names',
  actions: [
    'cloudformation:ListStackResources',
    'sqs:ListQueues',
    'kms:ListAliases',
    'wafv2:ListWebACLs',
    'cloudfront:DescribeFunction',
  ],
  run: async (plan) => {
    const { stackName, stage } = plan.options;
    const taken = await Promise.all([
      takenQueues(plan, stackName),
      takenAliases(plan),
      stage === 'prod' ? takenFirewalls(plan, stackName) : [],
      takenEdgeFunctions(plan, `${stackName}-${plan.region}-viewer`),
    ]);
    return taken.flat().length === 0
      ? ok(`Nothing else is named ${stackName}.`)
      : stop(
          `Taken by something outside of the stack: ${taken.flat().join(', ')}.`,
          'Delete them, or deploy under another name with -c stackName=NAME.',
        );
  },
};

/** Compares whole names: queues of the stack NAME-dev begin with NAME-, too. */
async function takenQueues(plan: Plan, stackName: string): Promise<string[]> {
  // SQS pages its answers only if a size is given.
  const config = { client: new SQSClient(plan.settings()), pageSize: 1_000 };
  const pages = await Array.fromAsync(paginateListQueues(config, { QueueNamePrefix: `${stackName}-` }));
  const nameOf = (url: string) => url.split('/').at(-1);
  const existing = pages.flatMap(({ QueueUrls = [] }) => QueueUrls).map(nameOf);
  const own = (await resourcesOf(plan, 'AWS::SQS::Queue')).map(nameOf);
  return allQueueNames(stackName)
    .filter((name) => existing.includes(name) && !own.includes(name))
    .map((name) => `queue ${name}`);
}

/** Compares whole names: an operator may have given a similar alias to a former key of the stack. */
async function takenAliases(plan: Plan): Promise<string[]> {
  const { stackName, sealKey } = plan.options;
  const wanted = [webhookSecretsAlias(stackName), ...(sealKey === 'secret' ? [] : [sealKeyAlias(stackName)])];
  const own = await resourcesOf(plan, 'AWS::KMS::Alias');
  const taken: string[] = [];
  for await (const { Aliases = [] } of paginateListAliases({ client: new KMSClient(plan.settings()) }, {}))
    for (const { AliasName = '' } of Aliases)
      if (wanted.includes(AliasName) && !own.includes(AliasName)) taken.push(`key ${AliasName}`);
  return taken;
}

function webAcls({ settings }: Plan, scope: 'REGIONAL' | 'CLOUDFRONT'): Promise<string[]> {
  const client = new WAFV2Client(settings(scope === 'CLOUDFRONT' ? 'us-east-1' : undefined));
  const namesFrom = async (NextMarker?: string): Promise<string[]> => {
    const page = await client.send(new ListWebACLsCommand({ Scope: scope, Limit: 100, NextMarker }));
    const names = (page.WebACLs ?? []).map(({ Name = '' }) => Name);
    // WAF may mark the last page, too; one without names follows.
    return page.NextMarker && names.length > 0 ? [...names, ...(await namesFrom(page.NextMarker))] : names;
  };
  return namesFrom();
}

/** At most one has the name. */
async function takenFirewalls(plan: Plan, name: string): Promise<string[]> {
  const own = await resourcesOf(plan, 'AWS::WAFv2::WebACL');
  return own.length === 0 && (await webAcls(plan, 'REGIONAL')).includes(name) ? [`web ACL ${name}`] : [];
}

async function takenEdgeFunctions(plan: Plan, Name: string): Promise<string[]> {
  const own = await resourcesOf(plan, 'AWS::CloudFront::Function');
  if (own.length > 0) return [];
  const client = new CloudFrontClient(plan.settings());
  return (await ifFound(client.send(new DescribeFunctionCommand({ Name }))))
    ? [`CloudFront function ${Name}`]
    : [];
}

export const edge: Check = {
  name: 'CloudFront',
  actions: ['wafv2:ListWebACLs'],
  run: async (plan) => {
    const findings: Finding[] = [];
    const acls = await webAcls(plan, 'CLOUDFRONT');
    findings.push(
      acls.length === 0
        ? ok('No web ACL in us-east-1, and none is needed: the firewall protects the API in its own region.')
        : note(
            `The account has web ACLs for distributions: ${acls.join(', ')}. The stack uses none.`,
            'If a policy of your organization attaches one, its rules must let bodies of 10 MB with PDFs in base64 pass.',
          ),
    );
    if (plan.options.stage === 'prod' && plan.region !== 'us-east-1')
      findings.push(
        note(
          'Only a stack in us-east-1 has the log and the alarm of the distribution. API and functions have theirs.',
        ),
      );
    return findings;
  },
};

export const webhooks: Check = {
  name: 'Webhooks',
  actions: [],
  run: async ({ options }) =>
    options.localWebhooks
      ? stop(
          'They could reach the functions’ own machine.',
          'Leave out -c localWebhooks, which is for the local run.',
        )
      : [],
};
