import { useEffect, useRef, useState } from 'preact/hooks';
import { FieldAlert, FieldLabel } from '../../parts/field.tsx';
import { FileInput } from '../../parts/file-input.tsx';
import { usePage } from '../page.tsx';
import { type ImageFault, readImage, showImage } from './image.ts';

interface ImageChoiceProps {
  image: string | null;
  isMissing: boolean;
  onChoose(image: string | null): void;
}

/** An image of a signature from the signer's device. Only the converted PNG is sent. */
export function ImageChoice({ image, isMissing, onChoose }: ImageChoiceProps) {
  const { texts } = usePage();
  const [fault, setFault] = useState<ImageFault | null>(null);
  const choices = useRef(0);
  const choose = async (file: File) => {
    choices.current += 1;
    const choice = choices.current;
    const read = await readImage(file);
    // Another file may have been chosen while this one was read.
    if (choice !== choices.current) return;
    setFault('fault' in read ? read.fault : null);
    onChoose('png' in read ? read.png : null);
  };
  const error = fault ? texts.sign.imageFaults[fault] : isMissing && texts.sign.imageMissing;
  return (
    <div class={`field ${error ? 'field-invalid' : ''}`}>
      <FieldLabel
        id="image"
        key={image === null}
        label={image ? texts.sign.imageOther : texts.sign.imageChoose}
        hint={texts.sign.imageHint}
      />
      <FileInput id="image" hint error={error} accept="image/png,image/jpeg" onChoose={choose} />
      <FieldAlert id="image">{error}</FieldAlert>
      {image && <Preview image={image} />}
    </div>
  );
}

function Preview({ image }: { image: string }) {
  const { texts } = usePage();
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current) void showImage(image, canvas.current);
  }, [image]);
  return (
    <div class="stack-close">
      <span class="small-label">{texts.sign.typedPreview}</span>
      <canvas ref={canvas} class="printed-signature" role="img" aria-label={texts.sign.imageChosen} />
    </div>
  );
}
