import { CfnCondition, Fn, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

const ID = 'InUsEast1';

/** Holds in us-east-1, the region in which CloudFront keeps logs and metrics. */
export function inUsEast1(scope: Construct): CfnCondition {
  const stack = Stack.of(scope);
  const made = stack.node.tryFindChild(ID);
  if (made instanceof CfnCondition) return made;
  return new CfnCondition(stack, ID, { expression: Fn.conditionEquals(stack.region, 'us-east-1') });
}
