import type { RecordedSigner } from '../../client/verifier/report.ts';
import { visible } from '../../shared/runtime/visible.ts';
import { Fact } from '../parts/fact.tsx';
import { formatMoment } from '../parts/format.ts';
import { usePage } from './page.tsx';

/** The signers and their signatures, as the events of the evidence say. */
export function Signers({ signers }: { signers: readonly RecordedSigner[] }) {
  const { texts, locale } = usePage();
  return signers.map((signer) => {
    const { name, representing, signedAt, codeConfirmedAt } = signer;
    return (
      <dl class="facts" key={signer}>
        <Fact label={texts.signedBy}>
          <bdi class="name">{name === null ? texts.unreadable : visible(name)}</bdi>
          {representing !== null && (
            <span class="small-label">
              <bdi>{visible(representing)}</bdi>
            </span>
          )}
        </Fact>
        <Fact label={texts.codeConfirmed}>
          {codeConfirmedAt === null ? texts.unreadable : formatMoment(codeConfirmedAt, locale)}
        </Fact>
        <Fact label={texts.signedAt}>{formatMoment(signedAt, locale)}</Fact>
      </dl>
    );
  });
}
