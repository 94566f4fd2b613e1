import * as z from 'zod';

/** Schemas of single values, made once: hundreds of members would each make their own at every cold start. */
export const string = z.string();
export const int = z.int();
export const boolean = z.boolean();

/** A member added later needs a default, since stored items lack it. */
export const orNull = <T extends z.ZodType>(schema: T) => schema.nullable().default(null);
export const stringOrNull = orNull(string);
export const nullableString = string.nullable();

/** One of these texts, or one that a later version has added: a version that is gone back to reads its items too. */
export const openEnum = <T extends string>() => z.custom<T>((value) => typeof value === 'string');
