import { useState } from 'preact/hooks';
import { usePage } from '../page.ts';
import { ActionProblem } from './section.tsx';

const MOST_BYTES = 100_000;

const base64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

interface LogoFieldProps {
  hasLogo: boolean;
  onChange(logo: string | null): void;
}

export function LogoField({ hasLogo, onChange }: LogoFieldProps) {
  const { texts } = usePage();
  const { brand: words } = texts.settings;
  const [isFaulty, setFaulty] = useState(false);
  const choose = async (file: File | undefined) => {
    if (!file) return;
    const isUsable = file.type === 'image/png' && file.size <= MOST_BYTES;
    setFaulty(!isUsable);
    if (isUsable) onChange(base64(new Uint8Array(await file.arrayBuffer())));
  };
  return (
    <div class={`field ${isFaulty ? 'field-invalid' : ''}`}>
      <label for="logo">{words.logo}</label>
      <p class="hint" id="logo-hint">
        {words.logoHint}
      </p>
      <input
        id="logo"
        type="file"
        accept="image/png"
        aria-describedby="logo-hint"
        onChange={(event) => void choose(event.currentTarget.files?.[0])}
      />
      <ActionProblem id="logo">{isFaulty ? words.logoFault : null}</ActionProblem>
      {hasLogo && (
        <button type="button" class="link" onClick={() => onChange(null)}>
          {words.removeLogo}
        </button>
      )}
    </div>
  );
}
