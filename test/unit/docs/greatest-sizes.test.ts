import { readFileSync } from 'node:fs';
import { greatestSizes, SECTION, sizesText } from '../../support/greatest-sizes.ts';

const sizes = await greatestSizes();

describe('the greatest sizes', () => {
  it.each(sizes.map(({ what, ...rest }) => [what, rest] as const))(
    'AWS takes %s',
    (_what, { size, limit }) => {
      expect(size).toBeGreaterThan(0);
      expect(size).toBeLessThanOrEqual(limit);
    },
  );

  it('docs/scale.md has what npm run sizes writes', () => {
    expect(readFileSync('docs/scale.md', 'utf8')).toContain(`\n## ${SECTION}\n\n${sizesText(sizes)}\n`);
  });
});
