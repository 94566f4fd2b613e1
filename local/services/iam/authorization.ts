import type { PolicyStatement, Principal } from '../../ports.ts';
import { matchesWildcards } from '../../wildcards.ts';
import { type Context, conditionsHold, unknownOperator } from './conditions.ts';

/** One permission that a call needs. */
export interface Permission {
  action: string;
  /** Alternative names of one resource (a mail identity by address or by domain): one must be allowed. */
  resources: string[];
  context?: Context;
  /** The resource's own policy. */
  resourcePolicy?: PolicyStatement[];
  /** For KMS: IAM policies apply only if the key's policy names the principal or its account. */
  resourcePolicyMustAllow?: boolean;
}

const EVERYTHING: PolicyStatement[] = [{ Effect: 'Allow', Action: '*', Resource: '*' }];
const NO_POLICY: PolicyStatement[] = [];

/** An explicit deny always wins. Without an allow, the default is deny. */
export function isAllowed(principal: Principal, account: string, permission: Permission): boolean {
  const context: Context = {
    // Loopback traffic stays on the machine, so it counts as secure.
    'aws:SecureTransport': ['true'],
    'aws:PrincipalAccount': [account],
    'aws:PrincipalIsAWSService': ['false'],
    'aws:SourceAccount': [],
    'aws:SourceArn': [],
    ...permission.context,
  };
  const own = onAction(
    principal.statements === 'everything' ? EVERYTHING : principal.statements,
    permission.action,
  );
  const resourceStatements = onAction(permission.resourcePolicy ?? NO_POLICY, permission.action).map(
    (statement) => ({
      statement,
      names: whoIsNamed(statement.Principal, principal, account),
    }),
  );
  const applies = (statement: PolicyStatement, effect: PolicyStatement['Effect']) =>
    statement.Effect === effect && covers(statement, permission, context);

  const denied =
    own.some((statement) => applies(statement, 'Deny')) ||
    resourceStatements.some(({ statement, names }) => names !== 'nobody' && applies(statement, 'Deny'));
  if (denied) return false;

  const byIdentity = own.some((statement) => applies(statement, 'Allow'));
  const byResource = resourceStatements.some(
    ({ statement, names }) => names === 'principal' && applies(statement, 'Allow'),
  );
  if (!permission.resourcePolicyMustAllow) return byIdentity || byResource;
  const delegated = resourceStatements.some(
    ({ statement, names }) => names === 'account' && applies(statement, 'Allow'),
  );
  return byResource || (byIdentity && delegated);
}

/** Whether the policy of a topic, queue, role or bucket allows a call by an AWS service on behalf of one of this account's resources. */
export function isServiceAllowed(
  resourcePolicy: PolicyStatement[],
  account: string,
  by: { service: string; sourceArn: string; action: string; resource: string },
): boolean {
  const service = { name: by.service, arn: by.service, statements: [] };
  return isAllowed(service, account, {
    action: by.action,
    resources: [by.resource],
    context: {
      'aws:SourceAccount': [account],
      'aws:SourceArn': [by.sourceArn],
      'aws:PrincipalAccount': [],
      'aws:PrincipalIsAWSService': ['true'],
    },
    resourcePolicy,
  });
}

export function refusal(principal: Principal, permission: Permission): string {
  const { action, resources } = permission;
  return (
    `User: ${principal.arn} is not authorized to perform: ${action} on resource: ${resources[0]} ` +
    `because no identity-based policy allows the ${action} action`
  );
}

/** Refuses policies with conditions that cannot be evaluated here. */
export function assertReadable(statements: PolicyStatement[], owner: string): void {
  for (const statement of statements) {
    const operator = unknownOperator(statement.Condition ?? {});
    if (operator) {
      throw new Error(
        `The policy of ${owner} uses the condition operator ${operator}, which the local cloud does not implement`,
      );
    }
  }
}

function covers(statement: PolicyStatement, permission: Permission, context: Context): boolean {
  return (
    coversResource(statement, permission.resources) &&
    conditionsHold(statement.Condition ?? {}, context, statement.Effect)
  );
}

const byAction = new WeakMap<PolicyStatement[], Map<string, PolicyStatement[]>>();

/** The statements of a policy that cover an action. Policies do not change, and have many more statements than these. */
function onAction(policy: PolicyStatement[], action: string): PolicyStatement[] {
  const known = byAction.get(policy) ?? new Map<string, PolicyStatement[]>();
  byAction.set(policy, known);
  const found = known.get(action) ?? policy.filter((statement) => coversAction(statement, action));
  known.set(action, found);
  return found;
}

function coversAction(statement: PolicyStatement, action: string): boolean {
  const matches = (pattern: string) => matchesWildcards(pattern.toLowerCase(), action.toLowerCase());
  return [statement.Action].flat().some(matches);
}

function coversResource(statement: PolicyStatement, resources: string[]): boolean {
  const matches = (pattern: string) => resources.some((resource) => matchesWildcards(pattern, resource));
  return [statement.Resource ?? []].flat().some(matches);
}

/** The account's root in a statement means the whole account: it delegates to IAM policies. */
function whoIsNamed(
  named: unknown,
  principal: Principal,
  account: string,
): 'principal' | 'account' | 'nobody' {
  const arns = named === '*' ? ['*'] : namesOf(named);
  if (arns.includes('*') || arns.includes(principal.arn)) return 'principal';
  return arns.some((arn) => arn === account || arn === `arn:aws:iam::${account}:root`) ? 'account' : 'nobody';
}

/** Users and roles by ARN, AWS services by name. */
function namesOf(named: unknown): string[] {
  if (typeof named !== 'object' || named === null) return [];
  const { AWS = [], Service = [] } = named as { AWS?: unknown; Service?: unknown };
  return [AWS, Service].flat(2).filter((name) => typeof name === 'string');
}
