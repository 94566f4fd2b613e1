import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

type Reasons = Record<string, string>;

/** Exempts a construct and its children from rules of cdk-nag. Call it where the construct is created. */
export const accept = (construct: IConstruct, reasons: Reasons) =>
  acknowledge(construct, 'AwsSolutions-', reasons);

/** The same for rules of the Control Tower set. `checks.ts` disables rules for the whole stack. */
export const acceptControl = (construct: IConstruct, reasons: Reasons) =>
  acknowledge(construct, 'cdk-validator-cfnguard::', reasons);

function acknowledge(construct: IConstruct, prefix: string, reasons: Reasons): void {
  for (const [rule, reason] of Object.entries(reasons))
    Validations.of(construct).acknowledge({ id: `${prefix}${rule}`, reason });
}
