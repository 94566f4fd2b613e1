import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Says why a rule does not hold for a construct and what is in it. The reason stands where the construct is made. */
export function accept(construct: IConstruct, reasons: Record<string, string>): void {
  for (const [rule, reason] of Object.entries(reasons))
    Validations.of(construct).acknowledge({ id: `AwsSolutions-${rule}`, reason });
}
