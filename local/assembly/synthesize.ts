/** Runs the project's CDK app as the CDK command does, and leaves the cloud assembly in a folder. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { StackError } from './template.ts';

interface ProjectSettings {
  app: string;
  context: Record<string, unknown>;
}

function readSettings(projectFolder: string): ProjectSettings {
  const file = join(projectFolder, 'cdk.json');
  if (!existsSync(file)) throw new StackError(`There is no cdk.json in ${projectFolder}.`);
  const { app, context = {} } = JSON.parse(readFileSync(file, 'utf8')) as Partial<ProjectSettings>;
  if (!app) throw new StackError(`${file} names no app.`);
  return { app, context };
}

/** What the app says is kept until it ends, and shown where it fails. */
export async function synthesize(
  projectFolder: string,
  outputFolder: string,
  context: Record<string, string>,
): Promise<void> {
  const settings = readSettings(projectFolder);
  const app = spawn(settings.app, {
    cwd: projectFolder,
    shell: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      PATH: [join(projectFolder, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
      CDK_OUTDIR: outputFolder,
      // As `cdk --no-validation`: the rule packs look at what is deployed, and take longer than all the rest.
      CDK_VALIDATION: 'false',
      // Construct paths, as the CDK command asks for them, name a resource better than its logical id.
      CDK_CONTEXT_JSON: JSON.stringify({
        'aws:cdk:enable-path-metadata': true,
        ...settings.context,
        ...context,
      }),
    },
  });
  let said = '';
  app.stderr.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    app.once('error', reject);
    app.once('close', resolve);
  });
  if (code !== 0) throw new StackError(`The stack could not be synthesized:\n${said.trim()}`);
}
