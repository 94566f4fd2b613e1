import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

interface Props {
  /** The AWS service that assumes the role, such as `lambda`. */
  readonly service: string;
  readonly description: string;
  readonly statements: PolicyStatement[];
}

/** A role with only these permissions, in a policy of its own. */
export const roleWith = (scope: Construct, id: string, { service, description, statements }: Props): Role =>
  new Role(scope, id, {
    assumedBy: new ServicePrincipal(`${service}.amazonaws.com`),
    description,
    inlinePolicies: { own: new PolicyDocument({ statements }) },
  });

export const allow = (actions: string[], resources: string[]): PolicyStatement =>
  new PolicyStatement({ actions, resources });
