import type { PageTexts } from '../../shared/texts/page.ts';
import type { Notice as NoticeKind } from '../flow/flow.ts';
import { usePage } from '../page.tsx';
import { AlertIcon } from './icons.tsx';

const SENTENCES: Record<NoticeKind, (texts: PageTexts) => string> = {
  session_ended: (texts) => texts.code.sessionEnded,
  document_changed: (texts) => texts.document.changed,
  consent_changed: (texts) => texts.sign.consentChanged,
  fault: (texts) => texts.trouble.inline,
  signature_invalid: (texts) => texts.sign.signatureInvalid,
  name_invalid: (texts) => texts.sign.nameInvalid,
};

/** Something that happened to the step. Its place is always there, so that a sentence that comes is read out. */
export function Notice() {
  const { conductor, texts } = usePage();
  const { notice } = conductor.flow;
  return (
    <div role="alert">
      {notice && (
        <p class="notice notice-warn">
          <AlertIcon />
          <span>{SENTENCES[notice](texts)}</span>
        </p>
      )}
    </div>
  );
}
