import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { SignatureRequests } from '../src/node.ts';
import { ofFile, Problem } from './problem.ts';

/** The owner's key, and the address of the service. */
export interface Settings {
  apiKey: string;
  baseUrl: string;
}

/** `localhost:3000` is a URL too, of the scheme `localhost`. */
export const isWebAddress = (text: string): boolean => /^https?:\/\//.test(text) && URL.canParse(text);

type Environment = Readonly<Record<string, string | undefined>>;

const HOW = 'Run "signature-requests login", or set SIGNATURE_REQUESTS_API_KEY and SIGNATURE_REQUESTS_URL.';

const VARIABLES: Settings = { apiKey: 'SIGNATURE_REQUESTS_API_KEY', baseUrl: 'SIGNATURE_REQUESTS_URL' };

/** Makes a client. Its complaints about an option name that by what the user calls it. */
export function clientOf(settings: Settings, names: Settings): SignatureRequests {
  try {
    return new SignatureRequests(settings);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Problem(message.replace('`apiKey`', names.apiKey).replace('`baseUrl`', names.baseUrl));
  }
}

/** Both from the environment or both from the file, so that a key is never sent to another service. */
export async function readSettings(env: Environment): Promise<Settings> {
  const { [VARIABLES.apiKey]: apiKey, [VARIABLES.baseUrl]: baseUrl } = env;
  if (apiKey && baseUrl) {
    clientOf({ apiKey, baseUrl }, VARIABLES);
    return { apiKey, baseUrl };
  }
  if (apiKey || baseUrl)
    throw new Problem(`${apiKey ? VARIABLES.baseUrl : VARIABLES.apiKey} is not set. ${HOW}`);
  const file = settingsFile(env);
  const stored = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Problem(`There is no API key. ${HOW}`) : ofFile(file, error);
  });
  const settings = settingsIn(stored);
  if (!settings) throw new Problem(`${file} is damaged. ${HOW}`);
  return settings;
}

function settingsIn(stored: Uint8Array): Settings | undefined {
  try {
    // The decoder drops a byte order mark, with which Notepad begins a file.
    const { apiKey, baseUrl } = JSON.parse(new TextDecoder().decode(stored));
    new SignatureRequests({ apiKey, baseUrl });
    return { apiKey, baseUrl };
  } catch {
    return undefined;
  }
}

/** Replaces the whole file, so that others can never read it, whatever the old permissions were. */
export async function storeSettings(settings: Settings, env: Environment): Promise<string> {
  const file = settingsFile(env);
  const fresh = `${file}.${process.pid}`;
  const folder = dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new Problem(`${folder} is not a folder.`) : error;
  });
  try {
    // A run that was killed here left it behind. In containers, process ids are often the same.
    await rm(fresh, { force: true });
    await writeFile(fresh, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(fresh, file);
  } catch (error) {
    // It holds the key.
    await rm(fresh, { force: true });
    throw ofFile(file, error);
  }
  return file;
}

const settingsFile = (env: Environment): string =>
  join(configFolder(env), 'signature-requests', 'settings.json');

function configFolder({ XDG_CONFIG_HOME, APPDATA }: Environment): string {
  if (XDG_CONFIG_HOME) return XDG_CONFIG_HOME;
  if (process.platform === 'win32' && APPDATA) return APPDATA;
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  return join(homedir(), '.config');
}
