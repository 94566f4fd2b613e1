import { globSync, readFileSync } from 'node:fs';

it('no style of the whole page depends on what is in it, which would cost seconds in a long document', () => {
  const files = globSync('web/**/*.css');
  expect(files.length).toBeGreaterThan(10);
  expect(
    files.filter((file) => /(?:^|[\s,}])(?:html|body|:root):has\(/.test(readFileSync(file, 'utf8'))),
  ).toEqual([]);
});
