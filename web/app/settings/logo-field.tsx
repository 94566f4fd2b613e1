import { useRef, useState } from 'preact/hooks';
import { LIMITS } from '../../../shared/contract/limits.ts';
import { FieldAlert, FieldLabel } from '../../parts/field.tsx';
import { FileInput } from '../../parts/file-input.tsx';
import { usePage } from '../page.ts';

const base64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

interface LogoFieldProps {
  hasLogo: boolean;
  /** The fault that the service found in the logo. */
  fault: string | undefined;
  /** Undefined leaves the stored one: the chosen file cannot be used. */
  onChange(logo: string | null | undefined): void;
}

export function LogoField({ hasLogo, fault, onChange }: LogoFieldProps) {
  const { texts, say } = usePage();
  const { brand: words } = texts.settings;
  const input = useRef<HTMLInputElement>(null);
  const last = useRef<File | null>(null);
  const [ownFault, setOwnFault] = useState<string | null>(null);
  const choose = async (file: File) => {
    last.current = file;
    say('');
    const isUsable = file.type === 'image/png' && file.size <= LIMITS.logoBytes;
    const bytes = isUsable ? await file.arrayBuffer().catch(() => null) : null;
    // Another file was chosen, or the logo removed, while this one was read.
    if (file !== last.current) return;
    setOwnFault(bytes ? null : isUsable ? texts.problems.file_unreadable : words.logoFault);
    onChange(bytes ? base64(new Uint8Array(bytes)) : undefined);
  };
  const remove = () => {
    last.current = null;
    setOwnFault(null);
    onChange(null);
    if (input.current) input.current.value = '';
    input.current?.focus();
  };
  const error = ownFault ?? fault ?? null;
  return (
    <div class={`field ${error ? 'field-invalid' : ''}`}>
      <FieldLabel id="logo" label={words.logo} hint={words.logoHint} />
      <FileInput id="logo" hint error={error} accept="image/png" input={input} onChoose={choose} />
      <FieldAlert id="logo">{error}</FieldAlert>
      {hasLogo && (
        <button type="button" class="link" onClick={remove}>
          {words.removeLogo}
        </button>
      )}
    </div>
  );
}
