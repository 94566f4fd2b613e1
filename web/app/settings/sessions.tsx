import { formatDayAndSecond, formatDayAndTime } from '../../parts/format.ts';
import type { SessionRow } from '../contract.ts';
import { usePage } from '../page.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { type Reloading, Rows, Section } from './section.tsx';

type NamedSession = SessionRow & { browser: string | null };

/** Loaded separately: the library is larger than the other settings together. */
const browserNames = () =>
  import('./browser-name.ts').then(
    ({ browserName }) => browserName,
    () => () => null,
  );

export function Sessions() {
  const { service, texts } = usePage();
  const { sessions } = texts.settings;
  const load = async () => {
    const [rows, browserName] = await Promise.all([service.sessions(), browserNames()]);
    return rows.map((row) => ({ ...row, browser: browserName(row.user_agent ?? '') }));
  };
  return (
    <Section intro={sessions.intro} load={load}>
      {(rows, { reload }) => (
        <Rows
          caption={texts.settings.sections.sessions}
          columns={[sessions.browser, texts.since, sessions.until]}
        >
          {rows.map((row) => (
            <Row key={row.session_id} row={row} reload={reload} />
          ))}
        </Rows>
      )}
    </Section>
  );
}

function Row({ row, reload }: Reloading & { row: NamedSession }) {
  const { service, texts, locale, say } = usePage();
  const { sessions } = texts.settings;
  const since = formatDayAndSecond(row.created_at, locale);
  const end = async () => {
    await service.revokeSession(row.session_id);
    await reload();
    say(sessions.ended);
  };
  return (
    <tr>
      <th scope="row">
        {row.browser ?? sessions.unknown}
        {row.user_agent && <bdi class="small-label">{row.user_agent}</bdi>}
      </th>
      <td data-label={texts.since}>{since}</td>
      <td data-label={sessions.until}>{formatDayAndTime(row.expires_at, locale)}</td>
      <td>
        {row.current ? (
          sessions.current
        ) : (
          <ConfirmButton label={sessions.end} about={since} question={sessions.endQuestion} work={end} />
        )}
      </td>
    </tr>
  );
}
