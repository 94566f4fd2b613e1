import { configuredMailer } from '../mail/ses-mailer.ts';
import { setting } from '../runtime/config.ts';
import { systemNow } from '../runtime/time.ts';
import { dispatchTo } from '../store/dispatch.ts';
import type { Table } from '../store/table.ts';
import { signingKeys } from '../verification/keys.ts';
import type { NewCodeMailing } from '../verification/mail-code.ts';

/** The parts of a function that mails codes. */
export function codeMailing(): (table: Table) => Promise<NewCodeMailing> {
  const mailer = configuredMailer();
  const send = dispatchTo({ mail: setting('MAIL_QUEUE_URL') });
  const baseUrl = setting('BASE_URL');
  return async (table) => {
    const { codePepper } = await signingKeys();
    return { table, mailer, baseUrl, codePepper, now: systemNow, send };
  };
}
