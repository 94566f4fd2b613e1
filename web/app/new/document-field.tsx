import { useLayoutEffect, useRef } from 'preact/hooks';
import { FieldAlert, FieldLabel } from '../../parts/field.tsx';
import { FileInput } from '../../parts/file-input.tsx';
import { usePage } from '../page.ts';
import type { NewRequest } from './new-request.ts';
import { Preview } from './preview.tsx';

interface DocumentFieldProps {
  request: NewRequest;
  error: string | undefined;
}

/** A file may be dropped anywhere on the page, too. */
export function DocumentField({ request, error: missing }: DocumentFieldProps) {
  const { texts } = usePage();
  const file = request.file.value;
  const fault = request.fileFault.value;
  const input = useRef<HTMLInputElement>(null);
  const chosen = request.chosen.value;
  useLayoutEffect(() => {
    // The input would still show a file that was discarded, or replaced by a dropped one.
    if (input.current && input.current.files?.[0]?.name !== chosen) input.current.value = '';
  }, [chosen]);
  const error = fault ? texts.problems[fault] : missing;
  return (
    <div class={`field document-field ${error ? 'field-invalid' : ''}`}>
      <FieldLabel
        id="document"
        key={file === null}
        label={file ? texts.create.otherDocument : texts.create.document}
        hint={texts.create.documentHint}
      />
      <FileInput
        id="document"
        hint
        error={error}
        accept="application/pdf,.pdf"
        input={input}
        onChoose={(chosen) => void request.choose(chosen)}
      />
      <FieldAlert id="document">{error}</FieldAlert>
      {file && <Preview file={file} />}
    </div>
  );
}
