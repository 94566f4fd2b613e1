import { Spinner } from '../../parts/spinner.tsx';
import { usePage } from '../page.tsx';

export function Opening() {
  const { texts } = usePage();
  return (
    <div class="card card-narrow opening">
      <Spinner />
      <p>{texts.opening}</p>
    </div>
  );
}
