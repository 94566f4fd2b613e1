import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as assertions from 'aws-cdk-lib/assertions';
import { loadOnce } from '../../support/load-once.ts';
import { runFolder } from '../../support/run-folder.ts';
import type * as synthesis from './synthesize-template.ts';

// The CDK is slow to load, and slower in jest.
export const { Match, Template } = loadOnce<typeof assertions>('aws-cdk-lib/assertions');
export type Template = assertions.Template;

/** The files that a synthesis with these options writes. */
export const synthesizedFiles = (options: Record<string, string>) =>
  loadOnce<typeof synthesis>(new URL('synthesize-template.ts', import.meta.url)).synthesizeFiles(options);

/** The stack's template with these options. Each is synthesized once in a run. */
export function template(options: Record<string, string> = {}): Template {
  const hash = createHash('sha256').update(JSON.stringify(options)).digest('hex');
  const file = join(runFolder(), `template-${hash}.json`);
  if (!existsSync(file)) {
    writeFileSync(`${file}.${process.pid}`, synthesizedFiles(options).template);
    renameSync(`${file}.${process.pid}`, file);
  }
  return Template.fromJSON(JSON.parse(readFileSync(file, 'utf8')));
}

/** Options that do not depend on each other, for one stack: a synthesis for the test of each would take long. */
export const OPTIONS = {
  alarmMail: 'ops@example.org',
  availabilityZones: 'eu-west-1b,eu-west-1c',
  domain: 'sign.example.org',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1a2b-3c',
  hostedZoneId: 'Z0123456789',
  localWebhooks: 'on',
  reservedConcurrency: 'create-signature:20,seal:50,signing:10',
  sealConcurrency: '50',
  sealKey: 'rsa',
  sealLevel: 'B-LT',
};

export interface Statement {
  Effect: 'Allow' | 'Deny';
  Action: string | string[];
  Resource?: unknown;
  Principal?: unknown;
  Condition?: Record<string, Record<string, unknown>>;
}

export interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
  DependsOn?: string | string[];
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
}

/** A template copies all that it has for each who asks. */
const ALL = new WeakMap<Template, Record<string, Resource>>();

export const resources = (from: Template, type?: string): Record<string, Resource> => {
  const all: Record<string, Resource> = ALL.get(from) ?? from.toJSON().Resources;
  ALL.set(from, all);
  return Object.fromEntries(Object.entries(all).filter(([, { Type }]) => !type || Type === type));
};

export const list = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);

const OF_DISTRIBUTION = /^Edge.*Distribution/;
/** The domain that stands for the distribution's, which AWS gives only at deployment. */
export const DOMAIN = 'd111111abcdef8.cloudfront.net';

/** A text of the template as it is once deployed. */
export function deployedText(value: unknown): string {
  if (typeof value === 'string') return value;
  const { 'Fn::Join': joined, 'Fn::GetAtt': attribute } = value as {
    'Fn::Join'?: [separator: string, parts: unknown[]];
    'Fn::GetAtt'?: [id: string, name: string];
  };
  if (joined) return joined[1].map(deployedText).join(joined[0]);
  if (attribute && OF_DISTRIBUTION.test(attribute[0]) && attribute[1] === 'DomainName') return DOMAIN;
  throw new Error(`This text is not known before the deployment: ${JSON.stringify(value)}`);
}

/** The properties of the first resource of a type. */
export function only<P>(from: Template, type: string): P {
  const [found] = Object.values(resources(from, type));
  if (!found) throw new Error(`The stack has no ${type}.`);
  return found.Properties as P;
}

export function withId<P>(from: Template, id: string): P {
  const found = resources(from)[id];
  if (!found) throw new Error(`The stack has no resource ${id}.`);
  return found.Properties as P;
}
