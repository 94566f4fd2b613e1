import { AsyncLocalStorage } from 'node:async_hooks';

type Fields = Record<string, unknown>;

const context = new AsyncLocalStorage<Fields>();

/** Adds these fields, and any added later, to all log lines written while `work` runs. */
export const withLogFields = <T>(fields: Fields, work: () => T): T =>
  context.run(Object.assign(fields, { ...context.getStore(), ...fields }), work);

/** Adds fields to the current call's log lines once they are known, such as the owner or the request. */
export function addLogFields(fields: Fields): void {
  const store = context.getStore();
  if (store) Object.assign(store, fields);
}

function write(level: 'info' | 'warn' | 'error', message: string, fields: Fields): void {
  process.stdout.write(
    `${JSON.stringify({ level, time: new Date().toISOString(), message, ...context.getStore(), ...fields })}\n`,
  );
}

/** The loggable fields of an error: name, message and stack; its other properties may be sensitive. */
export const errorFields = (error: unknown): Fields =>
  error instanceof Error
    ? { error_name: error.name, error_message: error.message, stack: error.stack }
    : { error_message: String(error) };

export const log = {
  info: (message: string, fields: Fields = {}) => write('info', message, fields),
  warn: (message: string, fields: Fields = {}) => write('warn', message, fields),
  error: (message: string, fields: Fields = {}) => write('error', message, fields),
};
