import {
  appOpenApiDocument,
  openApiDocument,
  signingOpenApiDocument,
} from '../shared/contract/openapi/document.ts';
import { PERSONAL_DATA } from '../shared/store/personal-data.ts';
import { markdownTable } from './cost/markdown-table.ts';

const jsonPage = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;
export const openApiPage = (): string => jsonPage(openApiDocument());
export const signingOpenApiPage = (): string => jsonPage(signingOpenApiDocument());
export const appOpenApiPage = (): string => jsonPage(appOpenApiDocument());

const personalDataTable = (): string =>
  markdownTable(
    ['item', 'holds about a signer', '`person erase`'],
    Object.values(PERSONAL_DATA).map(({ item, holds, erasing }) => [item, holds, erasing]),
  );

/** A page with its table of items replaced by the current one. */
export const privacyPage = (page: string): string =>
  page.replace(/\| item \| holds about a signer .*?\n(?!\|)/s, `${personalDataTable()}\n`);
