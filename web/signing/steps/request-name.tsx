import type { ComponentChildren } from 'preact';
import { isolated } from '../../../shared/texts/isolate.ts';
import { usePage } from '../page.tsx';

/** Title and sender of the request. Every step after the code shows them. */
export function RequestName({ children }: { children?: ComponentChildren }) {
  const { controller, texts } = usePage();
  const { view } = controller.flow;
  if (!view) return null;
  return (
    <div class="request-name">
      <p class="request-title" dir="auto">
        {view.request.title}
      </p>
      <p class="request-sender">{texts.document.from(isolated(view.request.sender_name))}</p>
      {children}
    </div>
  );
}
