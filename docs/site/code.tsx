import { codeBlock } from './markdown.ts';

export const Code = ({ code, language }: { code: string; language?: string }) => (
  <div dangerouslySetInnerHTML={{ __html: codeBlock(code, language) }} />
);

export const Example = ({ value }: { value: unknown }) => (
  <Code code={JSON.stringify(value, null, 2)} language="json" />
);
