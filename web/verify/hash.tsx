import { Button } from '../parts/button.tsx';
import { Field, FieldAlert, FieldError } from '../parts/field.tsx';
import { useCopy } from '../parts/use-copy.ts';
import { compareHash } from './compare-hash.ts';
import { usePage } from './page.tsx';
import { inGroups } from './signature-facts.tsx';

export interface HashProps {
  sha256: string;
  /** The hash that the user has entered. It outlives a check. */
  other: string;
  onOther(other: string): void;
}

/** The file's hash, to copy and to compare with one that the person has. */
export function Hash({ sha256, other, onOther }: HashProps) {
  const { texts } = usePage();
  const { isCopied, copy } = useCopy(sha256);
  const outcome = compareHash(other, sha256);
  return (
    <section class="part stack">
      <h3>{texts.hash}</h3>
      <code class="digest">{inGroups(sha256)}</code>
      <div class="actions">
        <Button onClick={copy}>{texts.copy}</Button>
        <span role="status">{isCopied && <span>{texts.copied}</span>}</span>
      </div>
      <FieldAlert id="sha256">{isCopied === false && texts.copyFailed}</FieldAlert>
      <Field
        id="compare"
        label={texts.compare}
        value={other}
        optional={texts.optional}
        error={outcome === 'invalid' && texts.compareInvalid}
        hasErrorElsewhere={outcome === 'different'}
        onInput={onOther}
      />
      <div role="status">
        {outcome === 'same' && <p>{texts.same}</p>}
        {outcome === 'different' && <FieldError id="compare">{texts.different}</FieldError>}
      </div>
    </section>
  );
}
