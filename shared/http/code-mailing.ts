import { SQSClient } from '@aws-sdk/client-sqs';
import { configuredMailer } from '../mail/ses-mailer.ts';
import { CLIENT_SETTINGS } from '../runtime/clients.ts';
import { setting } from '../runtime/config.ts';
import { systemNow } from '../runtime/time.ts';
import { dispatch } from '../store/dispatch.ts';
import type { Table } from '../store/table.ts';
import type { NewCodeMailing } from '../verification/mail-code.ts';

/** The parts of a function that mails codes. */
export function codeMailing(): (table: Table, codePepper: Buffer) => NewCodeMailing {
  const mailer = configuredMailer();
  const sqs = new SQSClient(CLIENT_SETTINGS);
  const queues = { mail: setting('MAIL_QUEUE_URL') };
  const baseUrl = setting('BASE_URL');
  return (table, codePepper) => ({
    table,
    mailer,
    baseUrl,
    codePepper,
    now: systemNow,
    send: (items) => dispatch(sqs, queues, items),
  });
}
