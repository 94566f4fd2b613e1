import { useLocation } from 'preact-iso/router';
import { usePage } from '../page.ts';

export function Navigation() {
  const { texts } = usePage();
  const { path } = useLocation();
  const links = [
    ['/app', texts.nav.requests, path === '/app' || path.startsWith('/app/requests/')],
    ['/app/new', texts.nav.create, path === '/app/new'],
    ['/app/settings', texts.nav.settings, path.startsWith('/app/settings')],
  ] as const;
  return (
    <nav class="nav" aria-label={texts.nav.label}>
      {links.map(([href, label, isCurrent]) => (
        <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}
