/** Creates a plan's resources and bucket files in the emulated services. */
import { createHash, hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { FileDeploymentPlan, Plan } from './assembly/plan.ts';
import { StackError } from './assembly/template.ts';
import type { Services } from './ports.ts';
import type { State } from './state.ts';
import { matchesWildcards } from './wildcards.ts';

export async function provision(plan: Plan, services: Services, state: State): Promise<void> {
  await Promise.all([
    ...plan.tables.map((table) => services.createTable(table)),
    ...[...plan.buckets.values()].map((bucket) => services.createBucket(bucket)),
    ...plan.keys.map((key) => services.createKey(key)),
    ...plan.secrets.map((secret) => services.createSecret(secret)),
    ...[...plan.configurationSets.values()].map((set) => services.createConfigurationSet(set)),
    ...plan.subscriptions.map((subscription) => services.createSubscription(subscription)),
    createQueues(plan, services),
  ]);
  for (const set of plan.patternSets) {
    // Hashed before references are resolved: like in CloudFormation, a new secret value is not a new template.
    const template = hash('sha256', JSON.stringify(set));
    const patterns = await Promise.all(set.patterns.map((text) => resolveReferences(text, services)));
    await services.createPatternSet({ arn: set.arn, patterns, template });
  }
  for (const [place, deployment] of plan.fileDeployments.entries())
    await deployFiles(deployment, `deployment/${place}`, services, state);
}

/** Dead-letter queues first: other queues refer to them. */
async function createQueues(plan: Plan, services: Services): Promise<void> {
  const queues = [...plan.queues.values()].sort(
    (a, b) => Number(Boolean(a.deadLetter)) - Number(Boolean(b.deadLetter)),
  );
  for (const queue of queues) await services.createQueue(queue);
}

const DYNAMIC_REFERENCE =
  /\{\{resolve:secretsmanager:((?:arn:[^:]+:[^:]+:[^:]*:[^:]*:[^:]+:[^:}]+)|[^:}]+)(?::SecretString:?([^:}]*)[^}]*)?\}\}/g;

/** Replaces `{{resolve:secretsmanager:…}}` references by the values of secrets. */
export async function resolveReferences(text: string, services: Services): Promise<string> {
  const values = new Map<string, string>();
  for (const [reference, id = '', key = ''] of text.matchAll(DYNAMIC_REFERENCE)) {
    const secret = await services.secretValue(id);
    values.set(reference, key === '' ? secret : fieldOf(secret, key, reference));
  }
  return [...values].reduce((result, [reference, value]) => result.replaceAll(reference, () => value), text);
}

function fieldOf(secret: string, key: string, reference: string): string {
  const value: unknown = JSON.parse(secret)[key];
  if (typeof value !== 'string') throw new StackError(`${reference} is not a text.`);
  return value;
}

/** Copies asset files into a bucket, like the CDK's BucketDeployment. Skips files that it copied before. */
async function deployFiles(
  plan: FileDeploymentPlan,
  lastKey: string,
  services: Services,
  state: State,
): Promise<void> {
  // The CDK names an asset by its content, so there is no need to read hundreds of files at each start.
  const deployment = JSON.stringify({
    ...plan,
    sourceFolders: plan.sourceFolders.map((path) => basename(path)),
  });
  if (state.read(lastKey) === deployment) return;
  for (const folder of plan.sourceFolders) {
    for (const path of filesIn(folder).filter((file) => isSelected(file, plan))) {
      const body = readFileSync(join(folder, path));
      const headers = { contentType: contentTypeOf(path), cacheControl: plan.cacheControl };
      const hash = createHash('sha256').update(JSON.stringify(headers)).update(body).digest('hex');
      const stateKey = `deployed/${plan.bucketName}/${path}`;
      if (state.read(stateKey) === hash) continue;
      await services.writeObject(plan.bucketName, path, body, headers);
      state.write(stateKey, hash);
    }
  }
  state.write(lastKey, deployment);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** Like `aws s3 sync`: all files except excluded ones, plus included ones. */
function isSelected(path: string, { include, exclude }: FileDeploymentPlan): boolean {
  const matches = (patterns: string[]): boolean =>
    patterns.some((pattern) => matchesWildcards(pattern, path));
  return matches(include) || !matches(exclude);
}

const CONTENT_TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
  '.woff': 'font/woff',
};

function contentTypeOf(path: string): string {
  return CONTENT_TYPES[extname(path).toLowerCase()] ?? 'binary/octet-stream';
}
