import { useRef } from 'preact/hooks';
import { visible } from '../../shared/runtime/visible.ts';
import { formatSize } from '../../shared/texts/file-size.ts';
import { forgetFile } from '../parts/forget-file.ts';
import { usePage } from './page.tsx';

interface FileChoiceProps {
  id: string;
  label: string;
  hint?: string;
  file: File | null;
  isMain?: boolean;
  onChoose(file: File | null): void;
}

/** A native file input: it serves keyboards and screen readers, and takes dropped files. */
export function FileChoice({ id, label, hint, file, isMain, onChoose }: FileChoiceProps) {
  const { texts, locale } = usePage();
  const input = useRef<HTMLInputElement>(null);
  const remove = () => {
    onChoose(null);
    if (!input.current) return;
    input.current.value = '';
    input.current.focus();
  };
  return (
    <div class={`drop ${isMain ? 'drop-main' : ''}`}>
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <input
        ref={input}
        id={id}
        type="file"
        accept="application/pdf,.pdf"
        aria-describedby={hint && `${id}-hint`}
        onClick={forgetFile}
        onChange={(event) => {
          const [chosen] = event.currentTarget.files ?? [];
          if (chosen) onChoose(chosen);
        }}
      />
      {file && (
        <p class="chosen">
          <span>
            <bdi>{visible(file.name)}</bdi>
            <span class="small-label">{texts.chosen(formatSize(file.size, locale))}</span>
          </span>
          <button type="button" class="link" onClick={remove}>
            {texts.remove} <span class="visually-hidden">{visible(file.name)}</span>
          </button>
        </p>
      )}
    </div>
  );
}
