import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { LIMITS } from '../../shared/contract/limits.ts';
import { HomePage } from './home.tsx';
import { markdownHtml } from './markdown.ts';
import { OPEN_API, slug } from './openapi.ts';
import type { MenuGroup, Page } from './page.ts';
import { EventsPage, ObjectsPage, ReferencePage, TagPage } from './reference.tsx';
import { CHANGELOG, GUIDES, type Source, textOf } from './sources.ts';
import { StatesPage } from './states.tsx';

/** Every page of the site, in the order of the menu. */

/** The title stands above the body. */
const withoutTitle = (text: string) => text.replace(/^# .*\n/, '');

const fromMarkdown = (source: Source): Page => ({
  path: source.path,
  title: source.title,
  summary: source.summary,
  body: () => markdownHtml(withoutTitle(textOf(source)), source.file),
});
const fromComponent = (path: string, title: string, summary: string, body: () => VNode): Page => ({
  path,
  title,
  summary,
  body: () => renderToString(body()),
});

const [quickStart, ...guides] = GUIDES.map(fromMarkdown);
if (!quickStart) throw new Error('There are no guides.');

const reference: Page[] = [
  fromComponent('reference', 'All calls', 'Every endpoint, by resource.', () => <ReferencePage />),
  ...OPEN_API.tags.map(({ name, description }) =>
    fromComponent(`reference/${slug(name)}`, name, description, () => <TagPage tag={name} />),
  ),
  fromComponent('reference/events', 'Events', 'Every webhook event with its data.', () => <EventsPage />),
  fromComponent('reference/objects', 'Objects', 'The fields of every body and answer.', () => (
    <ObjectsPage />
  )),
  fromComponent(
    'reference/states',
    'States of a request',
    'From pending to signed, and the other endings.',
    () => <StatesPage />,
  ),
];

const home = fromComponent(
  '',
  'Documentation',
  `Send a PDF to 1 to ${LIMITS.signers} people, follow who signs it, and fetch the sealed document.`,
  () => <HomePage groups={GROUPS} />,
);

export const GROUPS: readonly MenuGroup[] = [
  { title: 'Start', pages: [home, quickStart] },
  { title: 'Guides', pages: guides },
  { title: 'Reference', pages: reference },
  { title: 'News', pages: [fromMarkdown(CHANGELOG)] },
];
