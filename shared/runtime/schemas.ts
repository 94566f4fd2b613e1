import * as z from 'zod';

/** Schemas of single values, made once: there are hundreds of members, and to make a schema for each took a fifth of a cold start. */
export const string = z.string();
export const int = z.int();
export const boolean = z.boolean();

/** A member added later needs a default, since stored items lack it. */
export const orNull = <T extends z.ZodType>(schema: T) => schema.nullable().default(null);
export const stringOrNull = orNull(string);
export const nullableString = string.nullable();
