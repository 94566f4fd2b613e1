import { useRoute } from 'preact-iso/router';
import { Changing } from '../../parts/changing.tsx';
import { Heading } from '../../parts/heading.tsx';
import type { Role } from '../contract.ts';
import { usePage } from '../page.ts';
import { late } from '../parts/late.tsx';
import type { Section } from './sections.tsx';

/** Loaded separately, because most visits do not open the settings. */
const SettingsSection = late(() => import('./sections.tsx'));

/** A user who acts for themselves has no members. */
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
  return (
    <div class="wide stack-wide">
      <Heading>
        {/* Keeps the dash off the start of a line. */}
        <Changing>{`${texts.nav.settings}\u00a0– ${texts.settings.sections[section]}`}</Changing>
      </Heading>
      <p class="muted">
        {texts.settings.of} <bdi>{owner?.name}</bdi>
        {owner?.role === 'member' && `. ${texts.settings.adminsOnly}`}
      </p>
      <nav class="tabs" aria-label={texts.nav.settings}>
        {offered.map((name) => (
          <a key={name} href={`/app/settings/${name}`} aria-current={name === section ? 'page' : undefined}>
            {texts.settings.sections[name]}
          </a>
        ))}
      </nav>
      <div class="card settings-card">
        <SettingsSection section={section} />
      </div>
    </div>
  );
}
