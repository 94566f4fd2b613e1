import type { RequestStatus } from '../../../client/src/types.ts';
import { Changing } from '../../parts/changing.tsx';
import { usePage } from '../page.ts';
import { toneOf } from '../statuses.ts';

export function Status({ status }: { status: RequestStatus }) {
  const { texts } = usePage();
  return (
    <span class={`status status-${toneOf(status)}`}>
      <Changing>{texts.statuses[status]}</Changing>
    </span>
  );
}
