import type { PageTexts } from '../../../shared/texts/en/service.ts';
import { keepsNoCookies } from '../../parts/cookies.ts';
import { Warning } from '../../parts/warning.tsx';
import type { Notice as NoticeKind } from '../flow/flow.ts';
import { usePage } from '../page.tsx';

const SENTENCES: Record<NoticeKind, (texts: PageTexts) => string> = {
  session_ended: ({ code }) => (keepsNoCookies() ? code.noCookies : code.sessionEnded),
  document_changed: (texts) => texts.document.changed,
  consent_changed: (texts) => texts.sign.consentChanged,
  fault: (texts) => texts.trouble.inline,
  signature_invalid: (texts) => texts.sign.signatureInvalid,
  name_invalid: (texts) => texts.sign.nameInvalid,
};

/** A message about the step. The container is always there, because screen readers announce changes in it only. */
export function Notice() {
  const { controller, texts } = usePage();
  const { notice } = controller.flow;
  return <div role="alert">{notice && <Warning>{SENTENCES[notice](texts)}</Warning>}</div>;
}
