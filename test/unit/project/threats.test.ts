import { existsSync, readFileSync } from 'node:fs';

/** The table of threats in docs/security.md: every row names a test that is there. */

const [, threats = ''] = readFileSync('docs/security.md', 'utf8').split('## Threats');
const lines = threats.split('\n').filter((line) => /^\| (?!\|)/.test(line) && !line.startsWith('| | threat'));
const rows = lines.map((line) => {
  const [, kind = '', threat = '', defence = '', file = '', title = ''] =
    /^\| ([A-Z]) \| (.+) \| (.+) \| `(\S+)`: (.+) \|$/.exec(line) ?? [];
  return { line, kind, threat, defence, file: `test/${file}.test.ts`, title };
});

describe('the table of threats', () => {
  it('every row has a kind of STRIDE, a threat, a defence and a test', () => {
    expect(rows.filter(({ kind, title }) => !'STRIDE'.includes(kind) || title === '')).toEqual([]);
    expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set('STRIDE'));
    expect(rows.length).toBeGreaterThan(40);
  });

  it('every row names a test that exists', () => {
    const missing = rows.filter(
      ({ file, title }) => !existsSync(file) || !readFileSync(file, 'utf8').includes(`'${title}'`),
    );
    expect(missing.map(({ line }) => line)).toEqual([]);
  });

  it('there is a table for each element of the data flow', () => {
    expect([...threats.matchAll(/^### (.+)$/gm)].map(([, name]) => name)).toEqual([
      'Client',
      'Edge',
      'Functions',
      'Store',
      'Mail',
      'Signer',
      'Operator',
      'Insider with write access to the bucket or the table',
    ]);
  });
});
