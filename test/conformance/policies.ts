import { resolve, type Scope } from '../../local/assembly/resolve.ts';
import { isObject, type Json, type Template } from '../../local/assembly/template.ts';

const ACCOUNT = '123456789012';
const REGION = 'eu-west-1';
const PSEUDO_PARAMETERS: Record<string, string> = {
  'AWS::AccountId': ACCOUNT,
  'AWS::Partition': 'aws',
  'AWS::Region': REGION,
};

/** The ARN of a resource, by its type. A judge of policies compares it with what each action takes. */
const ARNS: Record<string, (id: string) => string> = {
  'AWS::DynamoDB::GlobalTable': (id) => `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${id}`,
  'AWS::KMS::Key': () => `arn:aws:kms:${REGION}:${ACCOUNT}:key/11111111-1111-1111-1111-111111111111`,
  'AWS::Lambda::Function': (id) => `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${id}`,
  'AWS::Logs::LogGroup': (id) => `arn:aws:logs:${REGION}:${ACCOUNT}:log-group:${id}:*`,
  'AWS::S3::Bucket': (id) => `arn:aws:s3:::${id.toLowerCase()}`,
  'AWS::SQS::Queue': (id) => `arn:aws:sqs:${REGION}:${ACCOUNT}:${id}`,
  'AWS::SecretsManager::Secret': (id) => `arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:${id}-AbCdEf`,
};

/** Each policy of the template's roles, its references replaced by ARNs. */
export function policiesOf(template: Template): Record<string, Json> {
  const scope = scopeOf(template);
  const found = Object.entries(template.Resources).flatMap(([id, { Type, Properties = {} }]) => {
    if (Type === 'AWS::IAM::Policy') return [[id, Properties.PolicyDocument]];
    if (Type !== 'AWS::IAM::Role' || !Array.isArray(Properties.Policies)) return [];
    return Properties.Policies.map((policy) => [id, isObject(policy) ? policy.PolicyDocument : undefined]);
  });
  return Object.fromEntries(found.map(([id, policy]) => [id, resolve(policy ?? null, scope)]));
}

function scopeOf(template: Template): Scope {
  const arn = (id: string): string => {
    const type = template.Resources[id]?.Type ?? 'nothing';
    const known = ARNS[type];
    if (!known) throw new Error(`A policy names ${id}, and the ARN of ${type} is not known here.`);
    return known(id);
  };
  const none = (): never => {
    throw new Error('The policies of this stack depend on no mapping.');
  };
  return {
    // The Ref of a secret is its ARN; of the other types no policy uses it.
    ref: (id) => PSEUDO_PARAMETERS[id] ?? arn(id),
    attribute: arn,
    mapping: none,
  };
}
