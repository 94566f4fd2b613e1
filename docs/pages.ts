import { ERRORS } from '../shared/contract/errors.ts';
import { openApiDocument } from '../shared/contract/openapi.ts';

export const openApiPage = (): string => `${JSON.stringify(openApiDocument(), null, 2)}\n`;

export const errorsPage = (): string =>
  [
    '# Errors',
    '',
    'Every error is JSON with `error`, one of the codes below, and `message`, a sentence that names the field and says what to do.',
    'Made from `shared/contract/errors.ts` by `npm run docs`.',
    '',
    '| code | status | meaning |',
    '|---|---|---|',
    ...Object.entries(ERRORS).map(([code, [status, help]]) => `| \`${code}\` | ${status} | ${help} |`),
    '',
  ].join('\n');
