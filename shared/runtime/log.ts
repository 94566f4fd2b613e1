import { AsyncLocalStorage } from 'node:async_hooks';

type Fields = Record<string, unknown>;

const context = new AsyncLocalStorage<Fields>();

/** Everything logged while `work` runs carries these fields, and those that are added to them on the way. */
export const withLogFields = <T>(fields: Fields, work: () => T): T =>
  context.run(Object.assign(fields, { ...context.getStore(), ...fields }), work);

/** Adds to the fields of the call under way, for what becomes known on the way (the owner, the request). */
export function addLogFields(fields: Fields): void {
  const store = context.getStore();
  if (store) Object.assign(store, fields);
}

function write(level: 'info' | 'warn' | 'error', message: string, fields: Fields): void {
  process.stdout.write(
    `${JSON.stringify({ level, time: new Date().toISOString(), message, ...context.getStore(), ...fields })}\n`,
  );
}

/** An error in a form that can be logged: its name, message and stack, never what it carries besides. */
export const errorFields = (error: unknown): Fields =>
  error instanceof Error
    ? { error_name: error.name, error_message: error.message, stack: error.stack }
    : { error_message: String(error) };

export const log = {
  info: (message: string, fields: Fields = {}) => write('info', message, fields),
  warn: (message: string, fields: Fields = {}) => write('warn', message, fields),
  error: (message: string, fields: Fields = {}) => write('error', message, fields),
};
