/** Reads a cloud assembly (the output of `cdk synth`): its stack with template and assets. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isObject, StackError, type Template } from './template.ts';

export interface Stack {
  name: string;
  template: Template;
  /** The folder or file of each asset by its S3 key. */
  assets: Map<string, string>;
}

interface Artifact {
  type: string;
  properties?: { templateFile?: string; stackName?: string; file?: string };
}

interface AssetManifest {
  files?: Record<string, { source: { path?: string }; destinations: Record<string, { objectKey: string }> }>;
}

export function readAssembly(folder: string): Stack {
  const manifestFile = join(folder, 'manifest.json');
  if (!existsSync(manifestFile)) throw new StackError(`There is no synthesized CDK app in ${folder}.`);
  const artifacts = Object.entries(
    readJson<{ artifacts?: Record<string, Artifact> }>(manifestFile).artifacts ?? {},
  );
  const [found, ...others] = artifacts.filter(([, { type }]) => type === 'aws:cloudformation:stack');
  if (!found || others.length > 0)
    throw new StackError(
      `The CDK app in ${folder} has ${found ? 'several stacks' : 'no stack'}; one is needed.`,
    );
  const [id, { properties }] = found;
  const manifests = artifacts.filter(([, { type }]) => type === 'cdk:asset-manifest');
  return {
    name: properties?.stackName ?? id,
    template: readTemplate(join(folder, properties?.templateFile ?? '')),
    assets: new Map(manifests.flatMap(([, manifest]) => readAssets(folder, manifest))),
  };
}

function readTemplate(file: string): Template {
  const template = readJson<Template>(file);
  if (!isObject(template.Resources)) throw new StackError(`The template ${file} has no resources.`);
  return template;
}

function readAssets(folder: string, { properties }: Artifact): [key: string, path: string][] {
  const { files = {} } = readJson<AssetManifest>(join(folder, properties?.file ?? ''));
  return Object.values(files).flatMap(({ source: { path = '' }, destinations }) =>
    Object.values(destinations).map(({ objectKey }): [string, string] => [objectKey, resolve(folder, path)]),
  );
}

function readJson<T>(file: string): T {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new StackError(`Cannot read ${file}: ${error instanceof Error ? error.message : error}`);
  }
}
