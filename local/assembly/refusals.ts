/** Mistakes that CloudFormation deploys without an error, and that fail on AWS at run time. Here they stop the start. */
import { runsOnCloudFront } from '../edge/runtime-syntax.ts';
import type { Location } from '../ports.ts';
import { isAllowed, isServiceAllowed } from '../services/iam/authorization.ts';
import type { IngressRule, Plan, Role } from './plan.ts';
import { prefixListId } from './resources/network.ts';

export const refusals = (plan: Plan, { region, account }: Location): string[] => [
  ...unreachableOrigins(plan),
  ...unusableRoles(plan, region, account),
  ...alarmsThatReachNobody(plan, account),
  ...topicsClosedToSes(plan, region, account),
  ...queuesClosedToTopics(plan, region, account),
  ...unsupportedEdgeFunctions(plan),
];

/** CloudFront calls VPC origins from its own addresses, which the range of the VPC does not contain. */
const CLOUDFRONT = 'com.amazonaws.global.cloudfront.origin-facing';

const admitsCloudFront = (rule: IngressRule, port: number) =>
  (rule.fromAnywhere || rule.prefixListId === prefixListId(CLOUDFRONT)) &&
  (rule.protocol === '-1' || (rule.protocol === 'tcp' && rule.fromPort <= port && port <= rule.toPort));

const unreachableOrigins = (plan: Plan): string[] =>
  [...plan.vpcOrigins.values()]
    .filter(({ balancerArn, port }) => {
      const groups = plan.balancers.get(balancerArn) ?? [];
      const rules = groups.flatMap((id) => plan.securityGroups.get(id) ?? []);
      return plan.balancers.has(balancerArn) && !rules.some((rule) => admitsCloudFront(rule, port));
    })
    .map(
      ({ balancerArn, port }) =>
        `CloudFront cannot reach ${balancerArn}: no security group of it lets in the prefix list ${CLOUDFRONT} on port ${port}.`,
    );

/** A service that assumes a role for a resource. */
interface RoleUse {
  what: string;
  service: string;
  sourceArn: string;
  role: Role;
  /** The actions that the service takes with the role. */
  needs: { action: string; resource: string }[];
}

/** Lambda reads a queue and sends dead letters with the role of the function. */
const POLLING = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

function roleUses(plan: Plan, region: string, account: string): RoleUse[] {
  const invoking = (functionName: string) => [
    { action: 'lambda:InvokeFunction', resource: plan.functions.get(functionName)?.arn ?? functionName },
  ];
  const polling = (name: string) =>
    plan.eventSources
      .filter(({ functionName }) => functionName === name)
      .flatMap(({ queueArn: resource }) => POLLING.map((action) => ({ action, resource })));
  const sendingTo = (queue: string | undefined) =>
    queue === undefined
      ? []
      : [{ action: 'sqs:SendMessage', resource: `arn:aws:sqs:${region}:${account}:${queue}` }];
  const routes = [...plan.apis.values()].flatMap((api) => api.methods);
  return [
    ...routes.flatMap(({ httpMethod, resourcePath, integration }) =>
      integration.type === 'MOCK'
        ? []
        : {
            what: `The route ${httpMethod} ${resourcePath}`,
            service: 'apigateway.amazonaws.com',
            sourceArn: integration.role.arn,
            role: integration.role,
            needs: invoking(integration.functionName),
          },
    ),
    ...plan.schedules.map(({ name, arn, role, functionName, deadLetterQueue }) => ({
      what: `The schedule ${name}`,
      service: 'scheduler.amazonaws.com',
      // The scheduler's calls name the schedule group as their source.
      sourceArn: arn.replace(/:schedule\/([^/]+)\/.*$/, ':schedule-group/$1'),
      role,
      needs: [...invoking(functionName), ...sendingTo(deadLetterQueue)],
    })),
    ...[...plan.containers.values()].map(({ name, role }) => ({
      what: `The task ${name}`,
      service: 'ecs-tasks.amazonaws.com',
      sourceArn: role.arn,
      role,
      needs: [],
    })),
    ...[...plan.functions.values()].map(({ name, arn, role, deadLetterQueue }) => ({
      what: `The function ${name}`,
      service: 'lambda.amazonaws.com',
      sourceArn: arn,
      role,
      needs: [...polling(name), ...sendingTo(deadLetterQueue)],
    })),
  ];
}

const unusableRoles = (plan: Plan, region: string, account: string): string[] =>
  roleUses(plan, region, account).flatMap(({ what, service, sourceArn, role, needs }) => {
    if (
      !isServiceAllowed(role.trust, account, {
        service,
        sourceArn,
        action: 'sts:AssumeRole',
        resource: role.arn,
      })
    )
      return `${what} has a role that ${service} may not assume: ${role.name}.`;
    return needs
      .filter(({ action, resource }) => !isAllowed(role, account, { action, resources: [resource] }))
      .map(
        ({ action, resource }) =>
          `${what} has a role that does not allow ${action} on ${resource}: ${role.name}.`,
      );
  });

/** Whether an AWS service may publish to a topic on behalf of one of this account's resources. */
function mayPublish(
  plan: Plan,
  account: string,
  { topic, byDefault, ...by }: { service: string; sourceArn: string; topic: string; byDefault: boolean },
): boolean {
  const policy = plan.topicPolicies.get(topic);
  return policy
    ? isServiceAllowed(policy, account, { ...by, action: 'sns:Publish', resource: topic })
    : byDefault;
}

/** A topic policy replaces the default one, which lets in the alarms of the account. */
const alarmsThatReachNobody = (plan: Plan, account: string): string[] =>
  plan.alarms.flatMap(({ name, arn: sourceArn, topics }) =>
    topics.flatMap((topic) =>
      mayPublish(plan, account, { service: 'cloudwatch.amazonaws.com', sourceArn, topic, byDefault: true })
        ? []
        : `The alarm ${name} reaches nobody: the policy of ${topic} does not let cloudwatch.amazonaws.com publish.`,
    ),
  );

/** SES publishes only to topics whose policy says so. */
const topicsClosedToSes = (plan: Plan, region: string, account: string): string[] =>
  [...plan.configurationSets.values()].flatMap(({ name, destinations }) => {
    const sourceArn = `arn:aws:ses:${region}:${account}:configuration-set/${name}`;
    return destinations.flatMap(({ topicArn: topic }) =>
      mayPublish(plan, account, { service: 'ses.amazonaws.com', sourceArn, topic, byDefault: false })
        ? []
        : `The configuration set ${name} reaches nobody: no policy of ${topic} lets ses.amazonaws.com publish.`,
    );
  });

const queuesClosedToTopics = (plan: Plan, region: string, account: string): string[] =>
  plan.subscriptions.flatMap(({ topicArn, queueName }) =>
    isServiceAllowed(plan.queues.get(queueName)?.policy ?? [], account, {
      service: 'sns.amazonaws.com',
      sourceArn: topicArn,
      action: 'sqs:SendMessage',
      resource: `arn:aws:sqs:${region}:${account}:${queueName}`,
    })
      ? []
      : `The topic ${topicArn} cannot send to ${queueName}: no policy of the queue lets sns.amazonaws.com send for it.`,
  );

const unsupportedEdgeFunctions = (plan: Plan): string[] =>
  [...plan.edgeFunctions].flatMap(([arn, code]) =>
    runsOnCloudFront(code)
      ? []
      : `${arn} is not written in the language of JavaScript runtime 2.0: ECMAScript 5.1 with const, let, arrow functions, template literals, rest parameters and async functions.`,
  );
