import { FieldError } from '../../parts/field.tsx';
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
  const error = fault ? texts.problems[fault] : missing;
  return (
    <div class={`field document-field ${error ? 'field-invalid' : ''}`}>
      <label for="document">{file ? texts.create.otherDocument : texts.create.document}</label>
      <p class="hint" id="document-hint">
        {texts.create.documentHint}
      </p>
      <input
        id="document"
        type="file"
        accept="application/pdf,.pdf"
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? 'document-error document-hint' : 'document-hint'}
        onChange={(event) => {
          const [chosen] = event.currentTarget.files ?? [];
          if (chosen) void request.choose(chosen);
          // Choosing the same file again, exported anew or after a discard, would be no change.
          event.currentTarget.value = '';
        }}
      />
      <div role="alert">
        <FieldError id="document">{error}</FieldError>
      </div>
      {file && <Preview file={file} />}
    </div>
  );
}
