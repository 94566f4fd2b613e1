import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useListener } from '../../parts/use-listener.ts';
import { incoming } from '../new/incoming.ts';
import { usePage } from '../page.ts';
import { isDialogOpen } from '../parts/dialog.tsx';

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;

/** Another file input, such as the logo's, which the browser fills itself. */
const isOnOtherField = ({ target }: DragEvent) =>
  target instanceof HTMLInputElement && target.type === 'file' && !target.accept.includes('pdf');

/** A PDF that is dropped anywhere starts a new request. By default the browser would navigate to it. */
export function DropTarget() {
  const { texts, say } = usePage();
  const { route, path } = useLocation();
  const [isOver, setOver] = useState(false);
  useListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    setOver(!isOnOtherField(event) && !isDialogOpen());
    if (!isOnOtherField(event)) event.preventDefault();
  });
  useListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) setOver(false);
  });
  useListener('drop', (event) => {
    setOver(false);
    const [file, second] = event.dataTransfer?.files ?? [];
    if (!file || isOnOtherField(event)) return;
    event.preventDefault();
    if (isDialogOpen()) return;
    if (second) say(texts.create.oneDocument);
    incoming.value = file;
    if (path !== '/app/new') route('/app/new');
  });
  return isOver ? (
    <div class="drop-here">
      <p>{texts.create.dropHere}</p>
    </div>
  ) : null;
}
