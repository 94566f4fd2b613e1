/** Carries a plan out on the emulated services: tables, buckets, queues, keys, secrets, and the files in buckets. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
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
    createQueues(plan, services),
  ]);
  for (const deployment of plan.fileDeployments) await deployFiles(deployment, services, state);
}

/** A dead-letter queue before the queues that name it. */
async function createQueues(plan: Plan, services: Services): Promise<void> {
  const queues = [...plan.queues.values()].sort(
    (a, b) => Number(Boolean(a.deadLetter)) - Number(Boolean(b.deadLetter)),
  );
  for (const queue of queues) await services.createQueue(queue);
}

const dynamicReference =
  /\{\{resolve:secretsmanager:((?:arn:[^:]+:[^:]+:[^:]*:[^:]*:[^:]+:[^:}]+)|[^:}]+)(?::SecretString:?([^:}]*)[^}]*)?\}\}/g;
const parameterReference = /\{\{resolve:ssm:([^:}]+)[^}]*\}\}/g;

/** Puts the values of secrets and parameters where the template refers to them by `{{resolve:…}}`. */
export async function resolveReferences(text: string, plan: Plan, services: Services): Promise<string> {
  const values = new Map<string, string>();
  for (const [reference, id = '', key = ''] of text.matchAll(dynamicReference)) {
    const secret = await services.secretValue(id);
    values.set(reference, key === '' ? secret : fieldOf(secret, key, reference));
  }
  for (const [reference, name = ''] of text.matchAll(parameterReference)) {
    const value = plan.parameters.get(name);
    if (value === undefined) throw new StackError(`The parameter ${name} is not part of the stack.`);
    values.set(reference, value);
  }
  return [...values].reduce((result, [reference, value]) => result.replaceAll(reference, () => value), text);
}

function fieldOf(secret: string, key: string, reference: string): string {
  const value: unknown = JSON.parse(secret)[key];
  if (typeof value !== 'string') throw new StackError(`${reference} finds no text.`);
  return value;
}

/** Copies the files of assets into a bucket, as the CDK's BucketDeployment does; files that are there already are left. */
async function deployFiles(plan: FileDeploymentPlan, services: Services, state: State): Promise<void> {
  for (const folder of plan.sourceFolders) {
    for (const path of filesIn(folder).filter((file) => isChosen(file, plan))) {
      const key = join(plan.prefix, path);
      const body = readFileSync(join(folder, path));
      const headers = {
        contentType: plan.contentType ?? contentTypeOf(path),
        ...(plan.cacheControl === undefined ? {} : { cacheControl: plan.cacheControl }),
      };
      const mark = createHash('sha256').update(JSON.stringify(headers)).update(body).digest('hex');
      const stateKey = `deployed/${plan.bucketName}/${key}`;
      if (state.read(stateKey) === mark) continue;
      await services.writeObject(plan.bucketName, key, body, headers);
      state.write(stateKey, mark);
    }
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** As `aws s3 sync` reads them: everything, less what is excluded, and again what is included. */
function isChosen(path: string, { include, exclude }: FileDeploymentPlan): boolean {
  const matches = (patterns: string[]): boolean =>
    patterns.some((pattern) => matchesWildcards(pattern, path));
  return matches(include) || !matches(exclude);
}

const contentTypes: Record<string, string> = {
  '.css': 'text/css',
  '.gif': 'image/gif',
  '.html': 'text/html',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.map': 'application/json',
  '.mjs': 'text/javascript',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml',
};

function contentTypeOf(path: string): string {
  return contentTypes[extname(path).toLowerCase()] ?? 'binary/octet-stream';
}
