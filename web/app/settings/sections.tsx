import type { FunctionComponent } from 'preact';
import { ApiKeys } from './api-keys.tsx';
import { BrandSettings } from './brand.tsx';
import { Members } from './members.tsx';
import { NoticeSettings } from './notices.tsx';
import { Sessions } from './sessions.tsx';
import { Webhooks } from './webhooks.tsx';

const SECTIONS = {
  keys: ApiKeys,
  webhooks: Webhooks,
  members: Members,
  brand: BrandSettings,
  notices: NoticeSettings,
  sessions: Sessions,
} satisfies Record<string, FunctionComponent>;

export type Section = keyof typeof SECTIONS;

export function Part({ section }: { section: Section }) {
  const Shown = SECTIONS[section];
  return <Shown key={section} />;
}
