import type { PageTexts } from '../../../shared/texts/en/service.ts';
import { Spinner } from '../../parts/spinner.tsx';
import { usePage } from '../page.tsx';

export function Opening() {
  const { texts } = usePage();
  return <OpeningCard texts={texts} />;
}

export const OpeningCard = ({ texts }: { texts: PageTexts }) => (
  <div class="card card-narrow opening">
    <Spinner />
    <p>{texts.opening}</p>
  </div>
);
