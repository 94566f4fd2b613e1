import type { Finding, FindingCode, Report } from '../../client/verifier/report.ts';
import { AlertIcon, CheckIcon } from '../parts/icons.tsx';
import type { Answer } from './check.ts';
import { Hash } from './hash.tsx';
import { usePage } from './page.tsx';
import { SignatureFacts } from './signature-facts.tsx';

type Verdict = 'green' | 'intact' | 'amber' | 'red';

/** The one decision left to the person: everything else was checked. */
const TRUST: readonly FindingCode[] = ['unknown_signer', 'unknown_authority'];

export function verdictOf({ document, evidence }: Answer): Verdict {
  const doubts = [document, evidence].flatMap((report) => report?.findings ?? []);
  const open = doubts.filter(({ level }) => level !== 'green');
  if (open.some(({ level }) => level === 'red')) return 'red';
  if (open.length === 0) return 'green';
  return open.every(({ code }) => TRUST.includes(code)) ? 'intact' : 'amber';
}

export function Result(answer: Answer) {
  const { texts } = usePage();
  const verdict = verdictOf(answer);
  const { heading, text } = texts.verdicts[verdict];
  return (
    <div class="card result">
      <div class={`verdict verdict-${verdict}`}>
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
        <section class="part">
          <h3>{texts.evidence}</h3>
          <Findings {...answer.evidence} />
          {answer.evidence.signatures.map((signature, index) => (
            <SignatureFacts key={signature} signature={signature} number={index + 1} />
          ))}
        </section>
      )}
      <Hash sha256={answer.document.sha256} />
      <p class="muted">{texts.limits}</p>
    </div>
  );
}

const Findings = ({ findings, signatures }: Report) => (
  <ul class="findings">
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
      {isOneOfMany && signature !== null && <strong>{texts.ofSignature(signature + 1)}: </strong>}
      {texts.findings[code]}
    </span>
  );
}
