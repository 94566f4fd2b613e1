import { usePage } from '../page.tsx';
import { Spinner } from '../parts/spinner.tsx';

export function Opening() {
  const { texts } = usePage();
  return (
    <div class="card card-narrow opening">
      <Spinner />
      <p>{texts.opening}</p>
    </div>
  );
}
