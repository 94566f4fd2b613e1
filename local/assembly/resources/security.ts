/** Roles and policies, KMS keys, secrets. */
import { randomInt } from 'node:crypto';
import * as z from 'zod';
import type { KeySettings, PolicyStatement } from '../../ports.ts';
import type { Plan, Role } from '../plan.ts';
import {
  arn,
  boolean,
  ignored,
  number,
  optional,
  physicalName,
  policyDocument,
  type ResourceType,
  resourceType,
  shortHash,
  uuidOf,
} from '../resource-type.ts';
import { StackError } from '../template.ts';

const inlinePolicy = z.strictObject({ PolicyName: z.string(), PolicyDocument: policyDocument });

// AWS's managed policies for roles. They allow logging, which needs no permission here.
const AWS_MANAGED_POLICIES: Record<string, PolicyStatement[]> = {
  AWSLambdaBasicExecutionRole: [],
  AmazonECSTaskExecutionRolePolicy: [],
  AmazonAPIGatewayPushToCloudWatchLogs: [],
};

function managedPolicyStatements(policyArn: string, plan: Plan): PolicyStatement[] {
  const statements =
    plan.managedPolicies.get(policyArn) ?? AWS_MANAGED_POLICIES[policyArn.split('/').at(-1) ?? ''];
  if (!statements) throw new StackError(`The managed policy ${policyArn} is unknown.`);
  return statements;
}

const planRole = resourceType(
  z.strictObject({
    RoleName: optional(z.string()),
    ManagedPolicyArns: optional(z.array(z.string())),
    Policies: optional(z.array(inlinePolicy)),
    ...ignored('AssumeRolePolicyDocument', 'Description', 'MaxSessionDuration', 'Path', 'Tags'),
  }),
  (properties, place) => {
    const name = properties.RoleName ?? physicalName(place);
    const role: Role = { name, arn: arn('iam', `role/${name}`, place), statements: [] };
    for (const policy of properties.ManagedPolicyArns ?? [])
      role.statements.push(...managedPolicyStatements(policy, place.plan));
    for (const policy of properties.Policies ?? []) role.statements.push(...policy.PolicyDocument.Statement);
    place.plan.roles.set(name, role);
    return { ref: name, Arn: role.arn, RoleId: shortHash(place).slice(0, 21).toUpperCase() };
  },
);

const attachable = {
  PolicyDocument: policyDocument,
  Roles: optional(z.array(z.string())),
};

function attach(statements: PolicyStatement[], roleNames: string[] | undefined, plan: Plan): void {
  for (const name of roleNames ?? []) {
    const role = plan.roles.get(name);
    if (!role)
      throw new StackError(`A policy is attached to the role ${name}, which is not part of the stack.`);
    role.statements.push(...statements);
  }
}

const planPolicy = resourceType(
  z.strictObject({ PolicyName: z.string(), ...attachable }),
  (properties, place) => {
    attach(properties.PolicyDocument.Statement, properties.Roles, place.plan);
    return { ref: physicalName(place) };
  },
);

const planManagedPolicy = resourceType(
  z.strictObject({
    ManagedPolicyName: optional(z.string()),
    ...attachable,
    ...ignored('Description', 'Path'),
  }),
  (properties, place) => {
    const policyArn = arn('iam', `policy/${properties.ManagedPolicyName ?? physicalName(place)}`, place);
    place.plan.managedPolicies.set(policyArn, properties.PolicyDocument.Statement);
    attach(properties.PolicyDocument.Statement, properties.Roles, place.plan);
    return { ref: policyArn, PolicyArn: policyArn };
  },
);

const KEY_SPECS = ['SYMMETRIC_DEFAULT', 'RSA_2048', 'RSA_3072', 'RSA_4096', 'ECC_NIST_P256'] as const;

const planKey = resourceType(
  z.strictObject({
    KeySpec: optional(z.enum(KEY_SPECS)),
    KeyUsage: optional(z.enum(['ENCRYPT_DECRYPT', 'SIGN_VERIFY'])),
    KeyPolicy: optional(policyDocument),
    Enabled: optional(z.literal(true)),
    ...ignored(
      'EnableKeyRotation',
      'RotationPeriodInDays',
      'Description',
      'PendingWindowInDays',
      'MultiRegion',
      'Tags',
    ),
  }),
  (properties, place) => {
    const id = uuidOf(place);
    const key: KeySettings = {
      id,
      arn: arn('kms', `key/${id}`, place),
      spec: properties.KeySpec ?? 'SYMMETRIC_DEFAULT',
      usage: properties.KeyUsage ?? 'ENCRYPT_DECRYPT',
      policy: properties.KeyPolicy?.Statement ?? [],
      aliases: [],
    };
    place.plan.keys.push(key);
    return { ref: id, Arn: key.arn, KeyId: id };
  },
);

const planAlias = resourceType(
  z.strictObject({ AliasName: z.string(), TargetKeyId: z.string() }),
  (properties, place) => {
    const key = place.plan.keys.find(({ id, arn }) => [id, arn].includes(properties.TargetKeyId));
    if (!key)
      throw new StackError(`The alias ${properties.AliasName} names a key that is not part of the stack.`);
    key.aliases.push(properties.AliasName);
    return { ref: properties.AliasName, Arn: arn('kms', properties.AliasName, place) };
  },
);

const generator = z.strictObject({
  SecretStringTemplate: optional(z.string()),
  GenerateStringKey: optional(z.string()),
  PasswordLength: optional(number),
  ExcludeCharacters: optional(z.string()),
  ExcludePunctuation: optional(boolean),
  ExcludeNumbers: optional(boolean),
  ExcludeLowercase: optional(boolean),
  ExcludeUppercase: optional(boolean),
  IncludeSpace: optional(boolean),
  ...ignored('RequireEachIncludedType'),
});

const planSecret = resourceType(
  z.strictObject({
    Name: optional(z.string()),
    SecretString: optional(z.string()),
    GenerateSecretString: optional(generator),
    ...ignored('Description', 'KmsKeyId', 'Tags', 'ReplicaRegions'),
  }),
  (properties, place) => {
    const name = properties.Name ?? physicalName(place);
    const secretArn = arn('secretsmanager', `secret:${name}-${shortHash(place).slice(-6)}`, place);
    const generated = properties.GenerateSecretString;
    const initialValue = properties.SecretString ?? (generated ? generate(generated) : '');
    place.plan.secrets.push({ name, arn: secretArn, initialValue });
    return { ref: secretArn, Id: secretArn };
  },
);

function generate(options: z.output<typeof generator>): string {
  const password = randomPassword(options);
  if (options.GenerateStringKey === undefined) return password;
  return JSON.stringify({
    ...JSON.parse(options.SecretStringTemplate ?? '{}'),
    [options.GenerateStringKey]: password,
  });
}

function randomPassword(options: z.output<typeof generator>): string {
  const alphabet = [
    options.ExcludeLowercase ? '' : 'abcdefghijklmnopqrstuvwxyz',
    options.ExcludeUppercase ? '' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
    options.ExcludeNumbers ? '' : '0123456789',
    options.ExcludePunctuation ? '' : '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
    options.IncludeSpace ? ' ' : '',
  ]
    .join('')
    .split('')
    .filter((character) => !options.ExcludeCharacters?.includes(character));
  return Array.from(
    { length: options.PasswordLength ?? 32 },
    () => alphabet[randomInt(alphabet.length)],
  ).join('');
}

export const SECURITY_TYPES: Record<string, ResourceType> = {
  'AWS::IAM::Role': planRole,
  'AWS::IAM::Policy': planPolicy,
  'AWS::IAM::ManagedPolicy': planManagedPolicy,
  'AWS::KMS::Key': planKey,
  'AWS::KMS::Alias': planAlias,
  'AWS::SecretsManager::Secret': planSecret,
};
