import type { PolicyStatement, Principal } from '../../ports.ts';
import { type Context, conditionsHold, matchesPattern, unknownOperator } from './conditions.ts';

/** One thing that a call needs to be allowed to do. */
export interface Permission {
  action: string;
  /** More than one name for the same thing (a mail identity by address or by domain): any of them will do. */
  resources: string[];
  context: Context;
  /** The resource's own policy. */
  resourcePolicy?: PolicyStatement[];
  /** KMS: unless the key's policy names the principal or its account, IAM policies count for nothing. */
  resourcePolicyMustAllow?: boolean;
}

const everything: PolicyStatement[] = [{ Effect: 'Allow', Action: '*', Resource: '*' }];

/** True if the principal may do it: an explicit deny wins over all, and what nobody allows is denied. */
export function isAllowed(principal: Principal, account: string, permission: Permission): boolean {
  const context = withGlobalKeys(permission.context, principal, account);
  const own = principal.statements === 'everything' ? everything : principal.statements;
  const foreign = (permission.resourcePolicy ?? []).map((statement) => ({
    statement,
    names: whoIsNamed(statement.Principal, principal, account),
  }));
  const applies = (statement: PolicyStatement, effect: PolicyStatement['Effect']) =>
    statement.Effect === effect && covers(statement, permission, context);

  const denied =
    own.some((statement) => applies(statement, 'Deny')) ||
    foreign.some(({ statement, names }) => names !== 'nobody' && applies(statement, 'Deny'));
  if (denied) return false;

  const byIdentity = own.some((statement) => applies(statement, 'Allow'));
  const byResource = foreign.some(
    ({ statement, names }) => names === 'principal' && applies(statement, 'Allow'),
  );
  if (!permission.resourcePolicyMustAllow) return byIdentity || byResource;
  const delegated = foreign.some(
    ({ statement, names }) => names === 'account' && applies(statement, 'Allow'),
  );
  return byResource || (byIdentity && delegated);
}

export function refusal(principal: Principal, permission: Permission): string {
  const { action, resources } = permission;
  return (
    `User: ${principal.arn} is not authorized to perform: ${action} on resource: ${resources[0]} ` +
    `because no identity-based policy allows the ${action} action`
  );
}

/** A policy that cannot be judged must not pass in silence. */
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

function withGlobalKeys(context: Context, principal: Principal, account: string): Context {
  return {
    ...context,
    values: {
      // Loopback does not leave the machine, so it counts as secure.
      'aws:SecureTransport': ['true'],
      'aws:PrincipalArn': [principal.arn],
      'aws:PrincipalAccount': [account],
      'aws:PrincipalType': ['AssumedRole'],
      'aws:PrincipalIsAWSService': ['false'],
      'aws:ResourceAccount': [account],
      'aws:SourceAccount': [],
      'aws:SourceArn': [],
      'aws:ViaAWSService': ['false'],
      ...context.values,
    },
  };
}

function covers(statement: PolicyStatement, permission: Permission, context: Context): boolean {
  return (
    coversAction(statement, permission.action) &&
    coversResource(statement, permission.resources) &&
    conditionsHold(statement.Condition ?? {}, context, statement.Effect)
  );
}

function coversAction(statement: PolicyStatement, action: string): boolean {
  const matches = (pattern: string) => matchesPattern(pattern.toLowerCase(), action.toLowerCase());
  if (statement.NotAction !== undefined) return ![statement.NotAction].flat().some(matches);
  return [statement.Action ?? []].flat().some(matches);
}

function coversResource(statement: PolicyStatement, resources: string[]): boolean {
  const matches = (pattern: string) => resources.some((resource) => matchesPattern(pattern, resource));
  if (statement.NotResource !== undefined) return ![statement.NotResource].flat().some(matches);
  return [statement.Resource ?? []].flat().some(matches);
}

/** A statement for the account's root stands for the account: it leaves the choice to IAM policies. */
function whoIsNamed(
  named: unknown,
  principal: Principal,
  account: string,
): 'principal' | 'account' | 'nobody' {
  const arns = named === '*' ? ['*'] : awsPrincipals(named);
  if (arns.includes('*') || arns.includes(principal.arn)) return 'principal';
  return arns.some((arn) => arn === account || arn === `arn:aws:iam::${account}:root`) ? 'account' : 'nobody';
}

function awsPrincipals(named: unknown): string[] {
  if (typeof named !== 'object' || named === null || !('AWS' in named)) return [];
  return [named.AWS].flat().filter((arn) => typeof arn === 'string');
}
