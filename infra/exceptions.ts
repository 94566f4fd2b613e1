import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

type Reasons = Record<string, string>;

/** Says why rules of cdk-nag do not hold for a construct and what is in it. The reason stands where the construct is made. */
export const accept = (construct: IConstruct, reasons: Reasons) =>
  acknowledge(construct, 'AwsSolutions-', reasons);

/** The same for rules of the Control Tower set; those that hold nowhere in the stack are in `checks.ts`. */
export const acceptControl = (construct: IConstruct, reasons: Reasons) =>
  acknowledge(construct, 'cdk-validator-cfnguard::', reasons);

function acknowledge(construct: IConstruct, prefix: string, reasons: Reasons): void {
  for (const [rule, reason] of Object.entries(reasons))
    Validations.of(construct).acknowledge({ id: `${prefix}${rule}`, reason });
}
