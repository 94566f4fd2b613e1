import type { FunctionComponent } from 'preact';
import { ApiKeys } from './api-keys.tsx';
import { BrandSettings } from './brand.tsx';
import { Members } from './members.tsx';
import { NoticeSettings } from './notices.tsx';
import { Sessions } from './sessions.tsx';
import { Webhooks } from './webhooks.tsx';

/** Loaded separately, because most visits do not open the settings. */
export const SECTIONS = {
  keys: ApiKeys,
  webhooks: Webhooks,
  members: Members,
  brand: BrandSettings,
  notices: NoticeSettings,
  sessions: Sessions,
} satisfies Record<string, FunctionComponent>;
