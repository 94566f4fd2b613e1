import type { RequestStatus } from '../../../client/src/types.ts';
import { usePage } from '../page.ts';
import { toneOf } from '../statuses.ts';

export function Status({ status }: { status: RequestStatus }) {
  const { texts } = usePage();
  return <span class={`status status-${toneOf(status)}`}>{texts.statuses[status]}</span>;
}
