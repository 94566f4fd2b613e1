import { readFileSync } from 'node:fs';
import { escaped } from './escaped.ts';

const ROOT = new URL('../../', import.meta.url);

export const readSource = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');

export interface Source {
  /** Below `/docs`. */
  readonly path: string;
  readonly title: string;
  /** One sentence for lists. */
  readonly summary: string;
  /** The file that it is made from. */
  readonly file: string;
  /** Sections for people who work on the service. */
  readonly without?: readonly string[];
}

/** The pages that are made from Markdown, in the order of the menu. */
export const GUIDES: readonly Source[] = [
  {
    path: 'quick-start',
    title: 'Quick start',
    summary: 'From a clone to a sealed and verified PDF.',
    file: 'docs/guides/quick-start.md',
  },
  {
    path: 'dashboard',
    title: 'Send on the dashboard',
    summary: 'Send, follow, correct, cancel and download without a line of code.',
    file: 'docs/guides/dashboard.md',
    without: ['Pictures'],
  },
  {
    path: 'signers',
    title: 'Signers and codes',
    summary: 'Who signs, how they prove who they are, and how often they are reminded.',
    file: 'docs/guides/signers.md',
  },
  {
    path: 'notices',
    title: 'Notices',
    summary: 'Who gets which mail when something happens to a request.',
    file: 'docs/notices.md',
    without: ['How they are sent'],
  },
  {
    path: 'webhooks',
    title: 'Webhooks',
    summary: 'Events sent to your system, and receivers in four languages.',
    file: 'docs/webhooks.md',
    without: ['For operators'],
  },
  {
    path: 'retries',
    title: 'Idempotency and retries',
    summary: 'Repeat a call without doing anything twice.',
    file: 'docs/guides/retries.md',
  },
  {
    path: 'test-mode',
    title: 'Test mode',
    summary: 'Try everything with keys and requests of their own.',
    file: 'docs/guides/test-mode.md',
  },
  {
    path: 'retention',
    title: 'Retention',
    summary: 'How long documents, records and links are kept.',
    file: 'docs/guides/retention.md',
  },
  {
    path: 'verification',
    title: 'Evidence and verification',
    summary: 'What proves a signature, and how anyone checks it.',
    file: 'docs/guides/verification.md',
  },
  {
    path: 'archives',
    title: 'Long-term levels and archives',
    summary: 'How long a sealed file can be verified, and what to do for longer.',
    file: 'docs/guides/archives.md',
  },
  {
    path: 'client',
    title: 'Client and command',
    summary: 'The TypeScript client, and the command signature-requests.',
    file: 'docs/client.md',
  },
  {
    path: 'api',
    title: 'The API in detail',
    summary: 'What a client may rely on beyond the reference.',
    file: 'docs/api.md',
  },
  {
    path: 'errors',
    title: 'Errors',
    summary: 'Every error code: what it means, why it happens and what to do.',
    file: 'docs/errors.md',
  },
];

export const CHANGELOG: Source = {
  path: 'changelog',
  title: 'Changelog',
  summary: 'What changed, newest first.',
  file: 'CHANGELOG.md',
};

const PATHS = new Map([...GUIDES, CHANGELOG].map(({ file, path }) => [file, `/docs/${path}`]));
PATHS.set('docs/openapi.json', '/api/v1/openapi.json');

/** The address of a file of the repository that the service answers. */
export const sitePathOf = (file: string): string | undefined => PATHS.get(file);

/** A file that the service does not answer is named, for those who have the repository. */
export const repositoryLink = (file: string, words: string): string =>
  words === `<code>${escaped(file)}</code>` || words === escaped(file)
    ? `<code>${escaped(file)}</code>`
    : `${words} (<code>${escaped(file)}</code> in the repository)`;

/** The text of a page, without the sections that are not for its readers. */
export function textOf({ file, without = [] }: Source): string {
  return without.reduce((text, section) => {
    const cut = new RegExp(`^## ${section}\\n[\\s\\S]*?(?=^## |$(?![\\s\\S]))`, 'm');
    if (!cut.test(text)) throw new Error(`${file} has no section “${section}”.`);
    return text.replace(cut, '').replace(new RegExp(`^- \\[${section}\\]\\(.*\\)\\n`, 'm'), '');
  }, readSource(file));
}
