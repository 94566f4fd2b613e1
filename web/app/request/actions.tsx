import { useState } from 'preact/hooks';
import type { Download } from '../../../client/src/download.ts';
import type { SignatureRequest } from '../../../client/src/types.ts';
import { visible } from '../../../shared/runtime/visible.ts';
import { Arriving } from '../../parts/arriving.tsx';
import { Button } from '../../parts/button.tsx';
import { FieldAlert } from '../../parts/field.tsx';
import { DownloadIcon } from '../../parts/icons.tsx';
import { savePdf } from '../../parts/save-pdf.ts';
import { usePage } from '../page.ts';
import { useAction } from '../parts/action.ts';
import { closeMenu } from '../parts/close-menu.ts';
import { isOpen } from '../statuses.ts';

const MENU = 'request-more';

interface ActionsProps {
  request: SignatureRequest;
  onCancel(): void;
}

export function Actions({ request, onCancel }: ActionsProps) {
  const { service, texts, locale, say } = usePage();
  const { requests } = service;
  const { files, download, downloadEvidence, downloadAudit } = texts.request;
  const [arriving, setArriving] = useState({ label: '', part: 0 });
  const saving = useAction(async (label: string, open: (id: string) => Promise<Download>, file: string) => {
    copy.forget();
    setArriving({ label, part: 0 });
    const opened = await open(request.id);
    const bytes = await opened.bytes((part) => setArriving({ label, part }));
    savePdf(new Uint8Array(bytes), `${visible(request.title)} – ${file}`.replaceAll(/[\s/\\:*?"<>|]+/g, ' '));
    say(texts.request.downloaded);
  });
  const copy = useAction(async () => {
    saving.forget();
    await navigator.clipboard.writeText(JSON.stringify(withoutLinks(request), null, 2));
    say(texts.copied);
  });
  const close = () => closeMenu(MENU);
  const buttonOf = (label: string, open: (id: string) => Promise<Download>, file: string) => {
    const busy = saving.isBusy && arriving.label === label;
    return {
      busy,
      waiting: saving.isBusy && !busy,
      onClick: () => void saving.run(label, open, file).then(close),
      children: <Arriving words={label} part={busy ? arriving.part : 0} locale={locale} />,
    };
  };
  const isSealed = request.status === 'signed' && !request.retention.pdf_purged;
  const sealed = buttonOf(download, requests.download, files.sealed);
  return (
    <div class="request-actions">
      <div class="actions">
        {isSealed && (
          <Button kind="main" {...sealed}>
            <DownloadIcon /> {sealed.children}
          </Button>
        )}
        <button type="button" class="button" popovertarget={MENU}>
          {texts.more}
        </button>
      </div>
      <div id={MENU} class="menu" popover="auto">
        {isSealed && (
          <Button kind="quiet" {...buttonOf(downloadEvidence, requests.downloadEvidence, files.evidence)} />
        )}
        <Button kind="quiet" {...buttonOf(downloadAudit, requests.downloadAuditTrail, files.audit)} />
        <Button kind="quiet" onClick={() => void copy.run().then(close)}>
          {texts.request.copyJson}
        </Button>
        {isOpen(request.status) && (
          <Button kind="danger" onClick={onCancel}>
            {texts.request.cancel}
          </Button>
        )}
      </div>
      <FieldAlert id="actions">
        {saving.problem ?? (copy.thrown === null ? null : texts.request.copyRefused)}
      </FieldAlert>
    </div>
  );
}

/** Removes the links: readers of the pasted copy must not be able to sign. */
function withoutLinks({ signers, token: _token, sign_url: _url, ...rest }: SignatureRequest) {
  return { ...rest, signers: signers.map(({ access_token: _a, sign_url: _s, ...signer }) => signer) };
}
