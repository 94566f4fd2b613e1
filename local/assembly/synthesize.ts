/** Runs the project's CDK app like the CDK command, and writes the cloud assembly to a folder. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { StackError } from './template.ts';

interface ProjectSettings {
  app: string;
  /** Runs before the app. */
  build?: string;
  context: Record<string, unknown>;
  /** Names of files and folders that the project's commands write; as for `cdk watch`. */
  outputs: string[];
}

export function readSettings(projectFolder: string): ProjectSettings {
  const file = join(projectFolder, 'cdk.json');
  if (!existsSync(file)) throw new StackError(`There is no cdk.json in ${projectFolder}.`);
  // The decoder drops a byte order mark, as the CDK command does.
  const settings = JSON.parse(new TextDecoder().decode(readFileSync(file)));
  const {
    app,
    context = {},
    watch,
    ...rest
  } = settings as Partial<ProjectSettings> & { watch?: { exclude?: string[] } };
  if (!app) throw new StackError(`${file} has no app.`);
  return { ...rest, app, context, outputs: watch?.exclude ?? [] };
}

export async function synthesize(
  projectFolder: string,
  outputFolder: string,
  context: Record<string, string>,
  step: (name: string) => void,
): Promise<void> {
  const settings = readSettings(projectFolder);
  const environment = {
    ...process.env,
    PATH: [join(projectFolder, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
  };
  if (settings.build) {
    step('Building');
    await run(settings.build, projectFolder, environment, 'build');
  }
  step('Synthesizing the stack');
  await run(
    settings.app,
    projectFolder,
    {
      ...environment,
      CDK_OUTDIR: outputFolder,
      // Like `cdk --no-validation`: the rule packs check deployments, and take longer than everything else.
      CDK_VALIDATION: 'false',
      // Construct paths, for error messages.
      CDK_CONTEXT_JSON: JSON.stringify({
        'aws:cdk:enable-path-metadata': true,
        ...settings.context,
        ...context,
      }),
    },
    'synthesize',
  );
}

/** Shows the command's output only if it fails. */
async function run(
  command: string,
  folder: string,
  env: NodeJS.ProcessEnv,
  purpose: 'build' | 'synthesize',
): Promise<void> {
  const child = spawn(command, { cwd: folder, shell: true, stdio: ['ignore', 'ignore', 'pipe'], env });
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (code !== 0) throw new StackError(`Cannot ${purpose} the stack:\n${output.trim()}`);
}
