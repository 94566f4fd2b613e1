import { Resolver } from 'node:dns/promises';
import { ACMClient, type CertificateDetail, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { GetHostedZoneCommand, ListResourceRecordSetsCommand, Route53Client } from '@aws-sdk/client-route-53';
import type { Options } from '../options.ts';
import { type Check, type Finding, ifFound, ok, type Plan, stop } from './check.ts';
import { findDeployed, outputOf, resourcesOf } from './deployed.ts';

/**
 * The custom domain's certificate, its zone and its DNS target. A wrong one fails the deployment after minutes, and everything is
 * rolled back.
 */

type Domain = NonNullable<Options['domain']>;

export const domain: Check = {
  name: 'Domain',
  actions: [
    'acm:DescribeCertificate',
    'cloudformation:DescribeStacks',
    'cloudformation:ListStackResources',
    'route53:GetHostedZone',
    'route53:ListResourceRecordSets',
  ],
  run: async (plan) => {
    const wanted = plan.options.domain;
    const lost = await lostAddress(plan);
    if (!wanted) return lost;
    const checks = [checkCertificate(plan, wanted), checkZone(plan, wanted), checkTarget(plan, wanted)];
    return [lost, await Promise.all(checks)].flat(2);
  },
};

/** The host of the stack's address. */
const servedBy = async (plan: Plan): Promise<string | undefined> =>
  outputOf(await findDeployed(plan), 'BaseUrl')?.replace('https://', '');

const OF_CLOUDFRONT = /\.cloudfront\.net$/;

/** Stops a deployment that drops the stack's custom domain or its DNS records: every link to it would break. */
async function lostAddress(plan: Plan): Promise<Finding | Finding[]> {
  const { domain: wanted, stackName } = plan.options;
  const served = await servedBy(plan);
  if (served === undefined || OF_CLOUDFRONT.test(served)) return [];
  if (wanted?.name !== served)
    return stop(
      `${stackName} is at ${served}, which this deployment would take away: links in mails would lead nowhere.`,
      `Pass -c domain=${served} with its certificateArn, as before. To change it, see docs/runbook.md#routine-work.`,
    );
  const hasRecords = (await resourcesOf(plan, 'AWS::Route53::RecordSet')).length > 0;
  return hasRecords && wanted.hostedZoneId === undefined
    ? stop(
        `The stack has the records of ${served}, which this deployment would delete.`,
        'Pass -c hostedZoneId as before.',
      )
    : [];
}

/** Route 53 writes names with the dot of the root. */
const withoutDot = (name = '') => name.replace(/\.$/, '');

async function checkCertificate({ settings }: Plan, { name, certificateArn }: Domain): Promise<Finding> {
  const found = await ifFound(
    new ACMClient(settings('us-east-1')).send(
      new DescribeCertificateCommand({ CertificateArn: certificateArn }),
    ),
  );
  const fault = certificateFault(found?.Certificate, name);
  if (fault === undefined) return ok(`The certificate is for ${name}.`);
  const command =
    found?.Certificate?.Status === 'PENDING_VALIDATION'
      ? `describe-certificate --certificate-arn ${certificateArn}`
      : `request-certificate --domain-name ${name} --validation-method DNS`;
  return stop(
    fault,
    `aws acm ${command} --region us-east-1\nSet the record that it asks for, wait until it is issued, and pass its ARN as certificateArn.`,
  );
}

function certificateFault(certificate: CertificateDetail | undefined, name: string): string | undefined {
  if (!certificate) return 'The certificate does not exist.';
  const { Status, SubjectAlternativeNames: names = [] } = certificate;
  if (Status !== 'ISSUED') return `The certificate is ${Status}.`;
  const wildcard = name.replace(/^[^.]+/, '*');
  if (!names.includes(name) && !names.includes(wildcard))
    return `The certificate is for ${names.join(', ')}, not for ${name}.`;
  return undefined;
}

/** CloudFront refuses a domain whose CNAME leads to another distribution, such as that of a former stack. */
async function checkTarget(plan: Plan, { name }: Domain): Promise<Finding | Finding[]> {
  const served = await servedBy(plan);
  // The distribution has the domain already, and keeps it wherever DNS leads.
  if (served !== undefined && !OF_CLOUDFRONT.test(served)) return [];
  const targets = await new Resolver({ timeout: 3_000, tries: 1 }).resolveCname(name).catch(() => []);
  const other = targets
    .map((target) => target.toLowerCase())
    .find((target) => OF_CLOUDFRONT.test(target) && target !== served);
  return other === undefined
    ? []
    : stop(
        `${name} leads to ${other}, and CloudFront gives the domain to no other distribution.`,
        'Delete the CNAME, and wait until DNS has forgotten it. Set it again after the deployment.',
      );
}

/** Route 53 names the action that the caller's own policies do not allow, and none if the zone is not the account's. */
const isOfAnotherAccount = (error: unknown): boolean =>
  error instanceof Error &&
  error.name === 'AccessDenied' &&
  error.message.includes('not authorized to access this resource');

async function checkZone(plan: Plan, { name, hostedZoneId }: Domain): Promise<Finding> {
  if (!hostedZoneId) return ok(`Point ${name} at the distribution yourself.`);
  const route53 = new Route53Client(plan.settings());
  const answer = route53.send(new GetHostedZoneCommand({ Id: hostedZoneId }));
  const found = await ifFound(answer).catch((error) => {
    if (!isOfAnotherAccount(error)) throw error;
    return 'elsewhere' as const;
  });
  if (found === 'elsewhere')
    return stop(
      `The zone ${hostedZoneId} belongs to another account, whose records CloudFormation cannot set.`,
      `Leave out -c hostedZoneId, and point ${name} at the distribution there.`,
    );
  const advice = `aws route53 list-hosted-zones shows yours: pass the id of the public zone that ${name} belongs to.`;
  if (!found?.HostedZone) return stop(`The zone ${hostedZoneId} does not exist.`, advice);
  const zone = withoutDot(found.HostedZone.Name);
  if (found.HostedZone.Config?.PrivateZone) return stop(`The zone of ${zone} is private.`, advice);
  if (`.${name}`.endsWith(`.${zone}`)) return checkRecords(plan, route53, { name, zone, hostedZoneId });
  return stop(`The zone is that of ${zone}, to which ${name} does not belong.`, advice);
}

/** CloudFormation takes over no record that something else has made, and does not notice that another zone has the name. */
async function checkRecords(
  plan: Plan,
  route53: Route53Client,
  { name, zone, hostedZoneId }: { name: string; zone: string; hostedZoneId: string },
): Promise<Finding> {
  const own = (await resourcesOf(plan, 'AWS::Route53::RecordSet')).map(withoutDot);
  const { ResourceRecordSets: records = [] } = await route53.send(
    new ListResourceRecordSetsCommand({ HostedZoneId: hostedZoneId, StartRecordName: name }),
  );
  const types = records.flatMap(({ Name, Type }) => (Type && withoutDot(Name) === name ? [Type] : []));
  const taken = types.filter((type) => /^(?:A|AAAA|CNAME)$/.test(type));
  if (own.includes(name)) return ok(`The stack has the records of ${name}.`);
  if (zone !== name && types.includes('NS'))
    return stop(
      `The zone of ${zone} leaves ${name} to a zone of its own, so records in it would count for nothing.`,
      'Pass the id of that zone, or deploy without hostedZoneId and point the domain at the distribution there.',
    );
  return taken.length === 0
    ? ok(`The deployment sets the records of ${name}.`)
    : stop(
        `${name} has records already: ${taken.join(', ')}.`,
        'Delete them, or deploy without hostedZoneId and point the domain at the distribution yourself.',
      );
}
