import type { Download } from '../../../client/src/download.ts';
import type { SignatureRequest } from '../../../client/src/types.ts';
import { visible } from '../../../shared/runtime/visible.ts';
import { Button } from '../../parts/button.tsx';
import { FieldAlert } from '../../parts/field.tsx';
import { DownloadIcon } from '../../parts/icons.tsx';
import { savePdf } from '../../parts/save-pdf.ts';
import { usePage } from '../page.ts';
import { useAction } from '../parts/action.ts';
import { closeMenu } from '../parts/close-menu.ts';
import { isOpen } from '../statuses.ts';

interface ActionsProps {
  request: SignatureRequest;
  onCancel(): void;
}

export function Actions({ request, onCancel }: ActionsProps) {
  const { service, texts, say } = usePage();
  const { requests } = service;
  const download = useAction(async (open: () => Promise<Download>, name: string) => {
    copy.forget();
    const bytes = await (await open()).bytes();
    savePdf(new Uint8Array(bytes), name);
    say(texts.request.downloaded);
  });
  const copy = useAction(async () => {
    download.forget();
    await navigator.clipboard.writeText(JSON.stringify(withoutLinks(request), null, 2));
    say(texts.copied);
  });
  const files = texts.request.files;
  const name = (what: string) => `${visible(request.title)} – ${what}`.replaceAll(/[/\\:*?"<>|]/g, ' ');
  /** The menu would cover the sentence about what went wrong. */
  const closeAfterFault = (isDone: boolean) => {
    if (!isDone) closeMenu();
  };
  const save = (open: () => Promise<Download>, what: string) =>
    void download.run(open, name(what)).then(closeAfterFault);
  const isSealed = request.status === 'signed' && !request.retention.pdf_purged;
  return (
    <div class="request-actions">
      <div class="actions">
        {isSealed && (
          <Button
            kind="main"
            busy={download.isBusy}
            onClick={() => save(() => requests.download(request.id), files.sealed)}
          >
            <DownloadIcon /> {texts.request.download}
          </Button>
        )}
        <button type="button" class="button" popovertarget="request-more">
          {texts.request.more}
        </button>
      </div>
      <div id="request-more" class="menu" popover="auto">
        {isSealed && (
          <Button
            kind="quiet"
            busy={download.isBusy}
            onClick={() => save(() => requests.downloadEvidence(request.id), files.evidence)}
          >
            {texts.request.downloadEvidence}
          </Button>
        )}
        <Button
          kind="quiet"
          busy={download.isBusy}
          onClick={() => save(() => requests.downloadAuditTrail(request.id), files.audit)}
        >
          {texts.request.downloadAudit}
        </Button>
        <Button kind="quiet" onClick={() => void copy.run().then(closeAfterFault)}>
          {texts.request.copyJson}
        </Button>
        {isOpen(request.status) && (
          <Button kind="danger" onClick={onCancel}>
            {texts.request.cancel}
          </Button>
        )}
      </div>
      <FieldAlert id="actions">
        {download.problem ?? (copy.thrown === null ? null : texts.request.copyRefused)}
      </FieldAlert>
    </div>
  );
}

/** A copy that is pasted elsewhere must not let its reader sign. */
function withoutLinks({ signers, token: _token, sign_url: _url, ...rest }: SignatureRequest) {
  return { ...rest, signers: signers.map(({ access_token: _a, sign_url: _s, ...signer }) => signer) };
}
