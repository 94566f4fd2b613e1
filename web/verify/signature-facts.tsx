import type { CertificateReport, SignatureReport } from '../../client/verifier/report.ts';
import { visible } from '../../shared/runtime/visible.ts';
import { Fact } from '../parts/fact.tsx';
import { formatMoment, formatUtcDay } from '../parts/format.ts';
import { usePage } from './page.tsx';

/** Signer, time and timestamp authority. All but the reason is proved. */
export function SignatureFacts({ signature, number }: { signature: SignatureReport; number: number }) {
  const { texts, locale } = usePage();
  const { kind, signer, timestamp, reason, lasting } = signature;
  return (
    <section class="part stack">
      <h3>
        {texts.ofSignature(number)} {kind === 'timestamp' ? texts.documentStamp : texts.seal}
      </h3>
      <dl class="facts">
        {kind === 'signature' && (
          <Fact label={texts.by}>{signer ? <Certificate {...signer} /> : texts.unreadable}</Fact>
        )}
        <Fact label={texts.time}>{timestamp ? formatMoment(timestamp.time, locale) : texts.unreadable}</Fact>
        {timestamp && (
          <Fact label={texts.authority}>
            <Certificate {...timestamp.authority} />
          </Fact>
        )}
        {lasting && (
          <Fact label={texts.level.name}>
            {texts.level.told[lasting.level](formatUtcDay(lasting.until, locale))}
          </Fact>
        )}
        {reason && (
          <Fact label={texts.reason}>
            <bdi>{visible(reason)}</bdi>
          </Fact>
        )}
      </dl>
    </section>
  );
}

function Certificate({ subject, issuer, notBefore, notAfter, fingerprint, expected }: CertificateReport) {
  const { texts, locale } = usePage();
  return (
    <>
      <bdi class="name">{visible(subject)}</bdi>
      {expected && <span class="small-label">{texts.isTrusted}</span>}
      <span class="small-label">
        {texts.issuer} <bdi>{visible(issuer)}</bdi>
      </span>
      <span class="small-label">
        {texts.validity(formatUtcDay(notBefore, locale), formatUtcDay(notAfter, locale))}
      </span>
      <span class="small-label">{texts.fingerprint}</span>
      <code class="digest">{inGroups(fingerprint)}</code>
    </>
  );
}

/** Groups of four, for comparing by eye. */
export const inGroups = (hex: string): string => hex.match(/.{1,4}/g)?.join(' ') ?? '';
