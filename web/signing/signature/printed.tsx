import { useEffect, useState } from 'preact/hooks';
import type { TypedStyle } from '../contract.ts';
import { usePage } from '../page.tsx';
import { printedSignature } from './printed.ts';

type ScriptFiles = typeof import('./script-files.ts');

/** A typed signature as the signature page will show it: the same fonts, chosen by the same code. */
export function PrintedSignature({ text, style }: { text: string; style: TypedStyle }) {
  const { texts } = usePage();
  const [files, setFiles] = useState<ScriptFiles | null>(null);
  const { face, parts, needsScripts } = printedSignature(text, style, files?.FAMILIES ?? null);
  useEffect(() => {
    // Without a connection there is no preview; the next keystroke asks again.
    if (needsScripts && files === null) import('./script-files.ts').then(setFiles, () => {});
  }, [text, needsScripts, files]);
  if (parts.every((part) => part.text === '') || (needsScripts && files === null)) return null;
  return (
    <div class="printed stack-close">
      <span class="small-label">{texts.sign.typedPreview}</span>
      <p class="printed-signature" dir="auto" translate={false} style={{ fontFamily: `"${face}"` }}>
        {parts.map(({ text, file }) =>
          file === null || files === null ? (
            text
          ) : (
            <span style={{ fontFamily: `"${files.fontFamily(file)}"` }}>{text}</span>
          ),
        )}
      </p>
    </div>
  );
}
