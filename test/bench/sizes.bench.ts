/** `npm run sizes`: writes the greatest sizes of what is sent to AWS into docs/scale.md. */
import { greatestSizes, SECTION, sizesText } from '../support/greatest-sizes.ts';
import { writeSection } from './support/report.ts';

writeSection(SECTION, sizesText(await greatestSizes()), 'scale.md');
