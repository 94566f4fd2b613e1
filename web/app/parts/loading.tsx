import { Spinner } from '../../parts/spinner.tsx';
import { usePage } from '../page.ts';

export function Loading() {
  const { texts } = usePage();
  return (
    <p class="loading" role="status">
      <Spinner /> {texts.loading}
    </p>
  );
}
