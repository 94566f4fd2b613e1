import { withoutUnseen } from '../../../shared/runtime/visible.ts';
import { REQUEST_STATUSES } from '../statuses.ts';
import type { Filter } from './request-list.ts';

/** The service accepts one of these at a time. */
export const SEARCHES = ['title_prefix', 'reference', 'signer_email'] as const;
export type SearchBy = (typeof SEARCHES)[number];

export interface Search {
  by: SearchBy;
  text: string;
  status: Filter['status'];
}

/** The search is part of the URL, so that a reload and the back button keep it. */
export const searchOf = (query: Readonly<Record<string, string>>): Search => {
  const by = SEARCHES.find((known) => query[known] !== undefined);
  return {
    by: by ?? 'title_prefix',
    text: (by && query[by]) ?? '',
    status: REQUEST_STATUSES.find((status) => status === query.status),
  };
};

export function filterOf({ by, text, status }: Search) {
  const wanted = withoutUnseen(text);
  return { ...(status && { status }), ...(wanted && { [by]: wanted }) };
}

export const addressOf = (search: Search): string => {
  const query = String(new URLSearchParams(filterOf(search)));
  return query ? `/app?${query}` : '/app';
};
