import { shownJson } from '../../../shared/runtime/shown-json.ts';

it.each([
  ['controls of terminals', 'Ann\u009b2J\u007f\u001b[2J'],
  ['overrides of direction', 'Ann \u202egpj.exe'],
  ['breaks of lines that JSON leaves as they are', 'Too late.\u2028Cancel all.\u2029'],
  ['words in invisible letters', 'Ann\u{e0041}\u{e0042}\ufe0f\u{e0100}'],
])('JSON that is shown writes out %s, and means the same', (_, name) => {
  const json = shownJson({ name, lines: ['Zoë 😀', 1] });
  expect(json).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{DI}\p{Zl}\p{Zp}]/u);
  expect(json).toContain('Zoë 😀');
  expect(JSON.parse(json)).toEqual({ name, lines: ['Zoë 😀', 1] });
});
