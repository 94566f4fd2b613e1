import { type Finding, judgementOf, type Report, toldAs } from '../../client/verifier/report.ts';
import { AlertIcon, CheckIcon } from '../parts/icons.tsx';
import type { Answer } from './check.ts';
import { Hash, type HashProps } from './hash.tsx';
import { usePage } from './page.tsx';
import { SignatureFacts } from './signature-facts.tsx';
import { Signers } from './signers.tsx';

interface ResultProps extends Pick<HashProps, 'other' | 'onOther'> {
  answer: Answer;
}

export function Result({ answer, other, onOther }: ResultProps) {
  const { texts } = usePage();
  const verdict = judgementOf(answer);
  const { heading, text } = texts.verdicts[toldAs(answer)];
  return (
    <div class="card result">
      <div class={`verdict verdict-${verdict} outcome`}>
        {verdict === 'green' ? <CheckIcon /> : <AlertIcon />}
        <div>
          <h2>{heading}</h2>
          <p>{text}</p>
        </div>
      </div>
      <Findings {...answer.document} />
      {answer.document.signatures.map((signature, index) => (
        <SignatureFacts key={signature} signature={signature} number={index + 1} />
      ))}
      {answer.evidence && (
        <section class="part stack">
          <h3>{texts.evidence}</h3>
          <Findings {...answer.evidence} />
          <Signers signers={answer.evidence.signers} />
          {answer.evidence.signatures.map((signature, index) => (
            <SignatureFacts key={signature} signature={signature} number={index + 1} />
          ))}
        </section>
      )}
      <Hash sha256={answer.document.sha256} other={other} onOther={onOther} />
      <p class="muted">{texts.limits}</p>
    </div>
  );
}

const Findings = ({ findings, signatures }: Report) => (
  <ul class="findings stack-close">
    {findings.map((finding) => (
      <li key={finding} class={`finding-${finding.level}`}>
        {finding.level === 'green' ? <CheckIcon /> : <AlertIcon />}
        <Sentence {...finding} isOneOfMany={signatures.length > 1} />
      </li>
    ))}
  </ul>
);

function Sentence({ code, signature, isOneOfMany }: Finding & { isOneOfMany: boolean }) {
  const { texts } = usePage();
  return (
    <span>
      {isOneOfMany && signature !== null && <strong>{texts.ofSignature(signature + 1)} </strong>}
      {texts.findings[code]}
    </span>
  );
}
