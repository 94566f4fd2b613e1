import type * as z from 'zod';
import type * as app from '../../shared/contract/app.ts';
import type { AnswerOf, BodyOf } from '../../shared/contract/endpoint.ts';

/** The calls that only the dashboard makes, as the service answers them. */

export type Me = z.infer<typeof app.me>;
export type Role = Me['owners'][number]['role'];
export type CodeSent = AnswerOf<typeof app.requestSignIn>;
export type SessionRow = AnswerOf<typeof app.listSessions>['data'][number];
export type Member = AnswerOf<typeof app.listMembers>['data'][number];
export type ApiKey = AnswerOf<typeof app.listApiKeys>['data'][number];
export type NewApiKey = AnswerOf<typeof app.createApiKey>;
export type Brand = AnswerOf<typeof app.getBrand>;
export type BrandChanges = BodyOf<typeof app.updateBrand>;
export type Notices = AnswerOf<typeof app.getNotices>;
