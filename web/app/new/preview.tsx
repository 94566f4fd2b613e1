import { useEffect, useRef, useState } from 'preact/hooks';
import { formatSize } from '../../../shared/texts/file-size.ts';
import { Changing } from '../../parts/changing.tsx';
import type { OpenPdf } from '../../parts/pdf.ts';
import { Spinner } from '../../parts/spinner.tsx';
import { usePage } from '../page.ts';
import { PartNotLoaded } from '../parts/problem.tsx';

const WIDTH = 360;

type State = 'opening' | 'not_loaded' | 'encrypted' | 'unreadable' | { pages: number };

/** The first page, as the signers will see it. */
export function Preview({ file }: { file: File }) {
  const { texts, locale } = usePage();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [state, setState] = useState<State>('opening');
  useEffect(() => {
    const ending = new AbortController();
    let open: OpenPdf | undefined;
    setState('opening');
    const show = async () => {
      const [openPdf, bytes] = await Promise.all([
        import('../../parts/pdf.ts').then(({ startPdf }) => startPdf()).catch(() => null),
        file.arrayBuffer(),
      ]);
      if (!openPdf) return ending.signal.aborted || setState('not_loaded');
      open = await openPdf(new Uint8Array(bytes));
      if (ending.signal.aborted) return open.close();
      const size = open.sizes[0];
      if (!canvas.current || !size) return;
      setState({ pages: open.pageCount });
      await open.draw(1, canvas.current, WIDTH / size.width, ending.signal);
    };
    show().catch((thrown: unknown) => {
      if (ending.signal.aborted) return;
      const isEncrypted = thrown instanceof Error && thrown.name === 'PasswordException';
      setState(isEncrypted ? 'encrypted' : 'unreadable');
    });
    return () => {
      ending.abort();
      open?.close();
    };
  }, [file]);
  const isShown = typeof state === 'object';
  const size = formatSize(file.size, locale);
  return (
    <figure class="preview">
      <canvas ref={canvas} hidden={!isShown} role="img" aria-label={texts.create.firstPage} />
      {state === 'opening' && <Spinner />}
      {state === 'not_loaded' && <PartNotLoaded />}
      <div role="status">
        {state === 'unreadable' && <p class="hint">{texts.create.noPreview}</p>}
        {state === 'encrypted' && <p class="error">{texts.problems.pdf_encrypted}</p>}
      </div>
      <figcaption>
        <bdi>
          <Changing>{file.name}</Changing>
        </bdi>
        <span class="small-label">
          <Changing>{isShown ? `${texts.create.pages(state.pages)}, ${size}` : size}</Changing>
        </span>
      </figcaption>
    </figure>
  );
}
