import { useState } from 'preact/hooks';
import type { SignatureRequest } from '../../../client/src/types.ts';
import { visible, visibleLines } from '../../../shared/runtime/visible.ts';
import { isolated } from '../../../shared/texts/isolate.ts';
import { Button } from '../../parts/button.tsx';
import { Changing } from '../../parts/changing.tsx';
import { FieldAlert } from '../../parts/field.tsx';
import { formatInTrail, formatMoment } from '../../parts/format.ts';
import { Warning } from '../../parts/warning.tsx';
import { usePage } from '../page.ts';
import { useAction } from '../parts/action.ts';
import { isOpen } from '../statuses.ts';
import { CorrectDialog } from './correct-dialog.tsx';
import {
  awaitedOf,
  hasCodeEntryEnded,
  hasMailTrouble,
  type Moment,
  statusOf,
  timelineOf,
} from './timeline.ts';

interface SignerCardProps {
  request: SignatureRequest;
  signer: SignatureRequest['signers'][number];
  reload(): Promise<unknown>;
}

export function SignerCard({ request, signer, reload }: SignerCardProps) {
  const { service, texts, say } = usePage();
  const [isCorrecting, setCorrecting] = useState(false);
  const remind = useAction(async () => {
    const { email_sent } = await service.requests.resend(request.id, signer.id);
    await reload();
    say(email_sent ? texts.request.reminded(isolated(visible(signer.name))) : texts.problems.email_failed);
  });
  const isAwaited = awaitedOf(request).includes(signer);
  const isTrouble = hasMailTrouble(signer);
  const status = statusOf(request, signer);
  const nameId = `name-of-${signer.id}`;
  return (
    <article class="signer stack" aria-label={visible(signer.name)}>
      <div class="signer-head">
        <div class="signer-who">
          <h3 id={nameId}>
            <bdi>{visible(signer.name)}</bdi>
          </h3>
          {signer.name !== signer.email && (
            <p class="small-label">
              <bdi>{signer.email}</bdi>
            </p>
          )}
        </div>
        <span class={`status status-${isTrouble ? 'trouble' : signerTone(status)}`}>
          <Changing>{isTrouble ? texts.request.mailFailed : texts.signerStatuses[status]}</Changing>
        </span>
      </div>
      <ol class="timeline">
        {timelineOf(signer, request.audit_trail.events).map((moment, index) => (
          <MomentRow key={index} moment={moment} />
        ))}
      </ol>
      {signer.decline_reason && (
        <blockquote class="reason" dir="auto">
          {visibleLines(signer.decline_reason)}
        </blockquote>
      )}
      {isAwaited && hasCodeEntryEnded(signer, request.audit_trail.events) && (
        <Warning>{texts.request.events.code_entry_ended}</Warning>
      )}
      {isAwaited && (
        <div class="actions">
          <Button busy={remind.isBusy} describedBy={nameId} onClick={remind.run}>
            {texts.sendAgain}
          </Button>
          <Button kind="quiet" describedBy={nameId} onClick={() => setCorrecting(true)}>
            {texts.request.correct}
          </Button>
        </div>
      )}
      <FieldAlert id={signer.id}>{remind.problem}</FieldAlert>
      {isCorrecting && (
        <CorrectDialog
          requestId={request.id}
          signer={signer}
          onClose={() => setCorrecting(false)}
          reload={reload}
        />
      )}
    </article>
  );
}

const signerTone = (status: string) => (status === 'signed' ? 'done' : isOpen(status) ? 'waiting' : 'ended');

function MomentRow({ moment }: { moment: Moment }) {
  const { texts, locale } = usePage();
  const { mails, outcomes, events } = texts.request;
  const hasFailed = 'mail' in moment && moment.mail.outcome !== 'sent';
  return (
    <li class={hasFailed ? 'moment-failed' : ''}>
      <span>
        <Changing>{'mail' in moment ? mails[moment.mail.kind] : events[moment.event]}</Changing>
        {hasFailed && <strong> – {outcomes[moment.mail.outcome]}</strong>}
      </span>
      <time class="small-label" dateTime={moment.at} title={formatMoment(moment.at, locale)}>
        <Changing>{formatInTrail(moment.at, locale)}</Changing>
      </time>
    </li>
  );
}
