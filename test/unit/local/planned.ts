import { makePlan } from '../../../local/assembly/make-plan.ts';
import type { Json, Template } from '../../../local/assembly/template.ts';

const ENVIRONMENT = {
  region: 'eu-north-1',
  account: '111122223333',
  queueUrl: (name: string) => `http://localhost/q/${name}`,
};

export const plan = (template: Partial<Template>) =>
  makePlan(
    {
      name: 'Stack',
      template: { Resources: {}, ...template },
      assets: new Map([['code.zip', '/assets/code']]),
    },
    ENVIRONMENT,
  );

/** Evaluates an expression through an output. */
export function value(expression: Json, more: Partial<Template> = {}) {
  return plan({ ...more, Outputs: { Value: { Value: expression } } }).outputs.Value;
}

/** A role that an AWS service may assume. */
export const trusting = (service: string, ...Statement: Json[]) => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument: {
      Statement: [
        {
          Effect: 'Allow',
          Action: 'sts:AssumeRole',
          Principal: { Service: `${service}.amazonaws.com` },
        },
      ],
    },
    Policies: [{ PolicyName: 'own', PolicyDocument: { Statement } }],
  },
});

export const QUEUE = { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'jobs' } };
