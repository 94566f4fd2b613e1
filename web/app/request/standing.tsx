import type { SignatureRequest } from '../../../client/src/types.ts';
import { visible } from '../../../shared/runtime/visible.ts';
import { isolated } from '../../../shared/texts/isolate.ts';
import { Changing } from '../../parts/changing.tsx';
import { formatDayAndTime } from '../../parts/format.ts';
import { CheckIcon } from '../../parts/icons.tsx';
import { Warning } from '../../parts/warning.tsx';
import { usePage } from '../page.ts';
import { shownStatus } from '../statuses.ts';
import { awaitedOf, hasMailTrouble, isInviting, namesIn } from './timeline.ts';

/** Says where the request stands and what happens next. */
export function Standing({ request }: { request: SignatureRequest }) {
  const { texts, locale } = usePage();
  const { standing } = texts.request;
  const awaited = awaitedOf(request);
  const names = namesIn(awaited, locale, texts);
  const decliner = request.signers.find(({ status }) => status === 'declined');
  const status = shownStatus(request);
  const sentence = {
    pending: () => (isInviting(request) ? standing.inviting : standing.pending),
    sent: () => standing.awaited(names, formatDayAndTime(request.expires_at, locale)),
    opened: () => standing.awaited(names, formatDayAndTime(request.expires_at, locale)),
    awaiting_stamp: () => standing.sealing,
    signed: () => standing.signed(formatDayAndTime(request.signed_at ?? request.created_at, locale)),
    declined: () => standing.declined(isolated(visible(decliner?.name ?? ''))),
    cancelled: () => standing.cancelled(formatDayAndTime(request.cancelled_at ?? request.created_at, locale)),
    expired: () => standing.expired(formatDayAndTime(request.expires_at, locale)),
    stamp_failed: () => standing.sealingFailed,
  }[status]();
  const isUnmailed = status === 'pending' && !isInviting(request);
  const isTrouble = status === 'stamp_failed' || isUnmailed;
  return (
    <div class="standing stack-close">
      {isTrouble ? (
        <Warning>{sentence}</Warning>
      ) : (
        <p class="notice notice-plain">
          {status === 'signed' && <CheckIcon />}
          <Changing>{sentence}</Changing>
        </p>
      )}
      {awaited.some(hasMailTrouble) && status !== 'pending' && <Warning>{standing.mailTrouble}</Warning>}
      <Kept request={request} />
    </div>
  );
}

function Kept({ request }: { request: SignatureRequest }) {
  const { texts, locale } = usePage();
  const { pdf_available_until: until, pdf_purged, is_archive_protected } = request.retention;
  if (request.status !== 'signed') return null;
  if (pdf_purged)
    return (
      <p key="purged" class="hint">
        {texts.request.purged}
      </p>
    );
  if (is_archive_protected || !until) return null;
  return <p class="hint">{texts.request.keptUntil(formatDayAndTime(until, locale))}</p>;
}
