import { useLayoutEffect, useRef } from 'preact/hooks';
import { visible } from '../../shared/runtime/visible.ts';
import { formatSize } from '../../shared/texts/file-size.ts';
import { FieldLabel } from '../parts/field.tsx';
import { FileInput } from '../parts/file-input.tsx';
import { usePage } from './page.tsx';

interface FileChoiceProps {
  id: string;
  label: string;
  hint?: string;
  file: File | null;
  isMain?: boolean;
  onChoose(id: string, file: File | null): void;
}

/** A file may be dropped anywhere on the page, too. */
export function FileChoice({ id, label, hint, file, isMain, onChoose }: FileChoiceProps) {
  const { texts, locale } = usePage();
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (input.current && input.current.files?.[0] !== file) input.current.files = listOf(file);
  }, [file]);
  const remove = () => {
    onChoose(id, null);
    input.current?.focus();
  };
  return (
    <div class={`drop stack-close ${isMain ? 'drop-main' : ''}`}>
      <FieldLabel id={id} label={label} hint={hint} optional={isMain ? undefined : texts.optional} />
      <FileInput
        id={id}
        hint={hint}
        accept="application/pdf,.pdf"
        input={input}
        onChoose={(chosen) => onChoose(id, chosen)}
      />
      {file && (
        <p class="chosen" key={file}>
          <span>
            <bdi>{visible(file.name)}</bdi>
            <span class="small-label">{formatSize(file.size, locale)}</span>
          </span>
          <button type="button" class="link" onClick={remove}>
            {texts.remove} <span class="visually-hidden">{visible(file.name)}</span>
          </button>
        </p>
      )}
    </div>
  );
}

/** An input accepts only a FileList. */
function listOf(file: File | null): FileList {
  const { items, files } = new DataTransfer();
  if (file) items.add(file);
  return files;
}
