// Runs once in Lambda when the stack is created: looks up what differs by region and account, and has ECS's roles made.
// Lambda's Node.js runtime includes the AWS SDK. The stack contains this file's text, of which CloudFormation takes at most
// 4,096 characters.
const {
  EC2Client,
  DescribeAvailabilityZonesCommand,
  DescribeManagedPrefixListsCommand,
} = require('@aws-sdk/client-ec2');
const { IAMClient, CreateServiceLinkedRoleCommand } = require('@aws-sdk/client-iam');

const requestHandler = { connectionTimeout: 1_000, requestTimeout: 4_000, throwOnRequestTimeout: true };
const ec2 = new EC2Client({ requestHandler });
const iam = new IAMClient({ requestHandler });

// ECS and its scaling make these roles with the first cluster and the first target of an account, and refuse them if the role
// is not there at once. Most accounts have both, and some let nobody make them.
const SERVICES_OF_ROLES = ['ecs.amazonaws.com', 'ecs.application-autoscaling.amazonaws.com'];
const makeRoles = () =>
  Promise.all(
    SERVICES_OF_ROLES.map((AWSServiceName) =>
      iam
        .send(new CreateServiceLinkedRoleCommand({ AWSServiceName }))
        .catch((error) => console.log(error.message)),
    ),
  );

async function lookUp({ PrefixListName, ExcludedZoneIds }) {
  const [lists, zones] = await Promise.all([
    ec2.send(
      new DescribeManagedPrefixListsCommand({
        Filters: [{ Name: 'prefix-list-name', Values: [PrefixListName] }],
      }),
    ),
    ExcludedZoneIds && twoZones(ExcludedZoneIds),
    makeRoles(),
  ]);
  const [list] = lists.PrefixLists;
  if (!list) throw new Error(`This region has no prefix list ${PrefixListName}.`);
  return { PrefixListId: list.PrefixListId, ...zones };
}

async function twoZones(excludedIds) {
  const { AvailabilityZones } = await ec2.send(
    new DescribeAvailabilityZonesCommand({
      Filters: [
        { Name: 'state', Values: ['available'] },
        { Name: 'zone-type', Values: ['availability-zone'] },
      ],
    }),
  );
  // Sorted, so that a later look-up finds the same zones: with others the deployment fails (see zones.ts).
  const [first, second] = AvailabilityZones.filter(({ ZoneId }) => !excludedIds.includes(ZoneId)).sort(
    (a, b) => (a.ZoneId < b.ZoneId ? -1 : 1),
  );
  if (!second)
    throw new Error(
      'Fewer than two availability zones serve CloudFront VPC origins. Name two with -c availabilityZones, or use -c largeUploads=off.',
    );
  return { Zone1: first.ZoneName, Zone2: second.ZoneName };
}

exports.handler = async (event) => {
  const answer = { Status: 'SUCCESS' };
  try {
    if (event.RequestType !== 'Delete') answer.Data = await lookUp(event.ResourceProperties);
  } catch (error) {
    answer.Status = 'FAILED';
    answer.Reason = error.message;
  }
  const { StackId, RequestId, LogicalResourceId } = event;
  const answered = await fetch(event.ResponseURL, {
    method: 'PUT',
    // The address is signed for an answer without a type; `fetch` would name that of a text, and S3 refuse it.
    headers: { 'Content-Type': '' },
    body: JSON.stringify({
      ...answer,
      StackId,
      RequestId,
      LogicalResourceId,
      PhysicalResourceId: LogicalResourceId,
    }),
  });
  if (!answered.ok) throw new Error(`CloudFormation did not take the answer: ${answered.status}.`);
};
