import { useLayoutEffect, useRef } from 'preact/hooks';
import { FieldAlert, FieldLabel, linksOf } from '../../parts/field.tsx';
import { forgetFile } from '../../parts/forget-file.ts';
import { usePage } from '../page.ts';
import type { NewRequest } from './new-request.ts';
import { Preview } from './preview.tsx';

interface DocumentFieldProps {
  request: NewRequest;
  error: string | undefined;
}

/** A native file input: it serves keyboards and screen readers. A file may be dropped anywhere on the page. */
export function DocumentField({ request, error: missing }: DocumentFieldProps) {
  const { texts } = usePage();
  const file = request.file.value;
  const fault = request.fileFault.value;
  const input = useRef<HTMLInputElement>(null);
  const chosen = request.chosen.value;
  useLayoutEffect(() => {
    // A name that stayed after the file was discarded, or replaced by a dropped one, would be wrong.
    if (input.current && input.current.files?.[0]?.name !== chosen) input.current.value = '';
  }, [chosen]);
  const error = fault ? texts.problems[fault] : missing;
  return (
    <div class={`field document-field ${error ? 'field-invalid' : ''}`}>
      <FieldLabel
        id="document"
        label={file ? texts.create.otherDocument : texts.create.document}
        hint={texts.create.documentHint}
      />
      <input
        {...linksOf('document', true, error)}
        ref={input}
        type="file"
        accept="application/pdf,.pdf"
        onClick={forgetFile}
        onChange={(event) => {
          const [chosen] = event.currentTarget.files ?? [];
          if (chosen) void request.choose(chosen);
        }}
      />
      <FieldAlert id="document">{error}</FieldAlert>
      {file && <Preview file={file} />}
    </div>
  );
}
