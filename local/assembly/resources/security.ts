/** Roles and policies, KMS keys, secrets. */
import { randomInt } from 'node:crypto';
import * as z from 'zod';
import type { KeySettings } from '../../ports.ts';
import type { Plan, Role } from '../plan.ts';
import {
  arn,
  ignored,
  number,
  optional,
  partOfStack,
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
const AWS_MANAGED_POLICIES = ['AWSLambdaBasicExecutionRole', 'AmazonAPIGatewayPushToCloudWatchLogs'];

function assertKnown(policyArn: string): void {
  if (!AWS_MANAGED_POLICIES.includes(policyArn.split('/').at(-1) ?? ''))
    throw new StackError(`The managed policy ${policyArn} is unknown.`);
}

const planRole = resourceType(
  z.strictObject({
    ManagedPolicyArns: optional(z.array(z.string())),
    Policies: optional(z.array(inlinePolicy)),
    AssumeRolePolicyDocument: policyDocument,
    ...ignored('Description'),
  }),
  (properties, place) => {
    const name = physicalName(place);
    const role: Role = {
      name,
      arn: arn('iam', `role/${name}`, place),
      trust: properties.AssumeRolePolicyDocument.Statement.map((each) => ({ ...each, Resource: '*' })),
      statements: [],
    };
    for (const policyArn of properties.ManagedPolicyArns ?? []) assertKnown(policyArn);
    for (const policy of properties.Policies ?? []) role.statements.push(...policy.PolicyDocument.Statement);
    place.plan.roles.set(name, role);
    return { ref: name, Arn: role.arn };
  },
);

export const roleOf = (arn: string, of: string, plan: Plan): Role =>
  partOfStack(
    [...plan.roles.values()].find((candidate) => candidate.arn === arn),
    `The role of ${of}`,
  );

const planPolicy = resourceType(
  z.strictObject({
    PolicyName: z.string(),
    PolicyDocument: policyDocument,
    Roles: optional(z.array(z.string())),
  }),
  (properties, place) => {
    for (const name of properties.Roles ?? []) {
      const role = partOfStack(place.plan.roles.get(name), `The role ${name} of a policy`);
      role.statements.push(...properties.PolicyDocument.Statement);
    }
    return { ref: physicalName(place) };
  },
);

const KEY_SPECS = ['SYMMETRIC_DEFAULT', 'RSA_2048', 'RSA_3072', 'ECC_NIST_P256'] as const;

const planKey = resourceType(
  z.strictObject({
    KeySpec: optional(z.enum(KEY_SPECS)),
    KeyUsage: optional(z.enum(['ENCRYPT_DECRYPT', 'SIGN_VERIFY'])),
    KeyPolicy: policyDocument,
    ...ignored('EnableKeyRotation', 'Description'),
  }),
  (properties, place) => {
    const id = uuidOf(place);
    const key: KeySettings = {
      id,
      arn: arn('kms', `key/${id}`, place),
      spec: properties.KeySpec ?? 'SYMMETRIC_DEFAULT',
      usage: properties.KeyUsage ?? 'ENCRYPT_DECRYPT',
      policy: properties.KeyPolicy.Statement,
    };
    place.plan.keys.push(key);
    return { ref: id, Arn: key.arn };
  },
);

const generator = z.strictObject({
  SecretStringTemplate: optional(z.string()),
  GenerateStringKey: optional(z.string()),
  PasswordLength: optional(number),
  ExcludePunctuation: optional(z.boolean()),
});

const planSecret = resourceType(
  z.strictObject({
    SecretString: optional(z.string()),
    GenerateSecretString: optional(generator),
    ...ignored('Description'),
  }),
  (properties, place) => {
    const name = physicalName(place);
    const secretArn = arn('secretsmanager', `secret:${name}-${shortHash(place).slice(-6)}`, place);
    const generated = properties.GenerateSecretString;
    const initialValue = properties.SecretString ?? (generated ? generate(generated) : '');
    place.plan.secrets.push({ name, arn: secretArn, initialValue });
    return { ref: secretArn };
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

const LETTERS_AND_DIGITS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

function randomPassword({ ExcludePunctuation, PasswordLength = 32 }: z.output<typeof generator>): string {
  const alphabet = LETTERS_AND_DIGITS + (ExcludePunctuation ? '' : PUNCTUATION);
  return Array.from({ length: PasswordLength }, () => alphabet[randomInt(alphabet.length)]).join('');
}

export const SECURITY_TYPES: Record<string, ResourceType> = {
  'AWS::IAM::Role': planRole,
  'AWS::IAM::Policy': planPolicy,
  'AWS::KMS::Key': planKey,
  'AWS::SecretsManager::Secret': planSecret,
};
