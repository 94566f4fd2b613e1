import {
  DescribeAvailabilityZonesCommand,
  DescribeManagedPrefixListsCommand,
  DescribeSubnetsCommand,
  EC2Client,
} from '@aws-sdk/client-ec2';
import { CLOUDFRONT_PREFIX_LIST, EXCLUDED_ZONE_IDS } from '../zones.ts';
import { type Check, type Finding, note, ok, type Plan, stop } from './check.ts';
import { resourcesOf } from './deployed.ts';
import { QUOTA_ACTIONS, quota, raise, WITHOUT_INGEST } from './quotas.ts';

/** A task of the ingest is a quarter of a processor; it scales to four, and a deployment runs old and new ones together. */
const INGEST_PROCESSORS = 2;

/** The same choice as the deployment makes (`network-look-up.js`), or the zones that the option names. */
export const zones: Check = {
  name: 'Availability zones',
  actions: ['cloudformation:ListStackResources', 'ec2:DescribeAvailabilityZones', 'ec2:DescribeSubnets'],
  run: async (plan) => {
    const { options } = plan;
    const ec2 = new EC2Client(plan.settings());
    const usable = await usableZones(ec2);
    const wrong = options.availabilityZones?.filter((zone) => !usable.includes(zone)) ?? [];
    if (wrong.length > 0)
      return stop(
        `${wrong.join(', ')} cannot be used: no zone of this region, or without CloudFront VPC origins or Fargate on ARM.`,
        `Name two of ${usable.join(', ')} with -c availabilityZones, or leave the option out.`,
      );
    const [first, second] = options.availabilityZones ?? usable;
    if (!first || !second)
      return stop('Fewer than two zones serve CloudFront VPC origins and Fargate on ARM.', WITHOUT_INGEST);
    const used = await usedZones(plan, ec2);
    return used.length === 0 || used.join() === `${first},${second}`
      ? ok(`${first} and ${second}.`)
      : cannotMove(used, [first, second]);
  },
};

async function usableZones(ec2: EC2Client): Promise<string[]> {
  const { AvailabilityZones = [] } = await ec2.send(
    new DescribeAvailabilityZonesCommand({
      Filters: [
        { Name: 'state', Values: ['available'] },
        { Name: 'zone-type', Values: ['availability-zone'] },
      ],
    }),
  );
  return AvailabilityZones.filter(({ ZoneId = '' }) => !EXCLUDED_ZONE_IDS.includes(ZoneId))
    .sort((a, b) => ((a.ZoneId ?? '') < (b.ZoneId ?? '') ? -1 : 1))
    .map(({ ZoneName = '' }) => ZoneName);
}

/** Zones of the ingest that is deployed, in their order. */
async function usedZones(plan: Plan, ec2: EC2Client): Promise<string[]> {
  const SubnetIds = await resourcesOf(plan, 'AWS::EC2::Subnet');
  if (SubnetIds.length === 0) return [];
  const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({ SubnetIds }));
  const zoneOf = (id: string) => Subnets.find(({ SubnetId }) => SubnetId === id)?.AvailabilityZone ?? '';
  return [...new Set(SubnetIds.map(zoneOf))];
}

/**
 * Stops the deployment even if it might keep the zones. It looks them up again if the stack had the option before, which cannot be
 * seen from here.
 */
const cannotMove = (used: readonly string[], wanted: readonly string[]): Finding =>
  stop(
    `The ingest is in ${used.join(' and ')}, and its subnets cannot move to ${wanted.join(' and ')}.`,
    `-c availabilityZones=${used.join(',')} keeps them. To change them, deploy once with -c largeUploads=off, then with the new ones.`,
  );

export const prefixList: Check = {
  name: 'CloudFront’s addresses',
  actions: ['ec2:DescribeManagedPrefixLists'],
  run: async ({ settings }) => {
    const { PrefixLists = [] } = await new EC2Client(settings()).send(
      new DescribeManagedPrefixListsCommand({
        Filters: [{ Name: 'prefix-list-name', Values: [CLOUDFRONT_PREFIX_LIST] }],
      }),
    );
    const [list] = PrefixLists;
    return list
      ? ok(`Prefix list ${list.PrefixListId}.`)
      : stop(`The region has no prefix list ${CLOUDFRONT_PREFIX_LIST}.`, WITHOUT_INGEST);
  },
};

export const fargate: Check = {
  name: 'Fargate',
  actions: QUOTA_ACTIONS,
  run: async (plan) => {
    const limit = await quota(plan, 'fargate', 'L-3032A538');
    return limit >= INGEST_PROCESSORS
      ? ok(`${limit} processors; the ingest takes up to ${INGEST_PROCESSORS}.`)
      : note(
          `The account has ${limit} processors; under load the ingest takes up to ${INGEST_PROCESSORS}.`,
          raise(plan.region, 'fargate', 'L-3032A538', INGEST_PROCESSORS),
        );
  },
};
