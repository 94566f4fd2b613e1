/** Reads a cloud assembly (the output of `cdk synth`): its stacks with their templates and assets. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isObject, StackError, type Template } from './template.ts';

export interface Stack {
  name: string;
  /** Undefined if the stack is environment-agnostic. */
  region: string | undefined;
  account: string | undefined;
  template: Template;
  /** The folder or file of each asset by its S3 key. */
  assets: Map<string, string>;
}

interface Artifact {
  type: string;
  environment?: string;
  dependencies?: string[];
  properties?: { templateFile?: string; stackName?: string; file?: string; directoryName?: string };
}

interface AssetManifest {
  files?: Record<string, { source: { path?: string }; destinations: Record<string, { objectKey: string }> }>;
}

/** All stacks of the assembly in the order of their dependencies. */
export function readAssembly(folder: string): Stack[] {
  const manifestFile = join(folder, 'manifest.json');
  if (!existsSync(manifestFile)) throw new StackError(`There is no synthesized CDK app in ${folder}.`);
  const artifacts: Record<string, Artifact> =
    readJson<{ artifacts?: Record<string, Artifact> }>(manifestFile).artifacts ?? {};
  const stacks: Stack[] = [];
  const done = new Set<string>();

  const visit = (id: string): void => {
    const artifact = artifacts[id];
    if (!artifact || done.has(id)) return;
    done.add(id);
    artifact.dependencies?.forEach(visit);
    if (artifact.type === 'aws:cloudformation:stack') stacks.push(readStack(folder, id, artifact, artifacts));
    if (artifact.type === 'cdk:cloud-assembly') {
      stacks.push(...readAssembly(join(folder, artifact.properties?.directoryName ?? id)));
    }
  };
  Object.keys(artifacts).forEach(visit);
  if (stacks.length === 0) throw new StackError(`The CDK app in ${folder} has no stack.`);
  return stacks;
}

function readStack(folder: string, id: string, artifact: Artifact, all: Record<string, Artifact>): Stack {
  const [, account, region] = /^aws:\/\/([^/]+)\/(.+)$/.exec(artifact.environment ?? '') ?? [];
  return {
    name: artifact.properties?.stackName ?? id,
    region: region === 'unknown-region' ? undefined : region,
    account: account === 'unknown-account' ? undefined : account,
    template: readTemplate(join(folder, artifact.properties?.templateFile ?? '')),
    assets: readAssets(folder, artifact, all),
  };
}

function readTemplate(file: string): Template {
  const template = readJson<Template>(file);
  if (!isObject(template.Resources)) throw new StackError(`The template ${file} has no resources.`);
  if (template.Transform)
    throw new StackError(`The template ${file} uses a Transform, which the local cloud does not implement.`);
  return template;
}

function readAssets(folder: string, stack: Artifact, all: Record<string, Artifact>): Map<string, string> {
  const assets = new Map<string, string>();
  for (const dependency of stack.dependencies ?? []) {
    const manifest = all[dependency];
    if (manifest?.type !== 'cdk:asset-manifest' || !manifest.properties?.file) continue;
    const files = readJson<AssetManifest>(join(folder, manifest.properties.file)).files ?? {};
    for (const { source, destinations } of Object.values(files)) {
      for (const { objectKey } of Object.values(destinations)) {
        if (source.path) assets.set(objectKey, resolve(folder, source.path));
      }
    }
  }
  return assets;
}

function readJson<T>(file: string): T {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new StackError(`Cannot read ${file}: ${error instanceof Error ? error.message : error}`);
  }
}
