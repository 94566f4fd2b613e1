import type { FunctionComponent } from 'preact';
import { useRoute } from 'preact-iso/router';
import { Heading } from '../../parts/heading.tsx';
import type { Role } from '../contract.ts';
import { usePage } from '../page.ts';
import { ApiKeys } from './api-keys.tsx';
import { BrandSettings } from './brand.tsx';
import { Members } from './members.tsx';
import { NoticeSettings } from './notices.tsx';
import { Sessions } from './sessions.tsx';
import { Webhooks } from './webhooks.tsx';

type Section = 'keys' | 'webhooks' | 'members' | 'brand' | 'notices' | 'sessions';

const SECTIONS: Record<Section, FunctionComponent> = {
  keys: ApiKeys,
  webhooks: Webhooks,
  members: Members,
  brand: BrandSettings,
  notices: NoticeSettings,
  sessions: Sessions,
};

/** A person who acts alone has no members. */
const OFFERED: Record<Role, readonly Section[]> = {
  admin: ['keys', 'webhooks', 'members', 'brand', 'notices', 'sessions'],
  user: ['keys', 'webhooks', 'brand', 'notices', 'sessions'],
  member: ['sessions'],
};

export function SettingsPage() {
  const { session, texts } = usePage();
  const { params } = useRoute();
  const owner = session.owner.value;
  const offered = OFFERED[owner?.role ?? 'member'];
  const section = offered.find((known) => known === params.section) ?? offered[0] ?? 'sessions';
  const Shown = SECTIONS[section];
  return (
    <div class="wide">
      <Heading>
        {texts.settings.heading} – {texts.settings.sections[section]}
      </Heading>
      <p class="muted">
        {texts.settings.of} <bdi>{owner?.name}</bdi>
        {owner?.role === 'member' && `. ${texts.settings.adminsOnly}`}
      </p>
      <nav class="tabs" aria-label={texts.settings.heading}>
        {offered.map((name) => (
          <a key={name} href={`/app/settings/${name}`} aria-current={name === section ? 'page' : undefined}>
            {texts.settings.sections[name]}
          </a>
        ))}
      </nav>
      <div class="card settings-card">
        <Shown key={section} />
      </div>
    </div>
  );
}
