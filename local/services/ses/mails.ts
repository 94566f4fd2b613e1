import { randomUUID } from 'node:crypto';
import type { StoredMail } from '../../ports.ts';
import { openDatabase } from '../sqlite.ts';

/** Mails that were "sent": kept for the inbox, never delivered. */
export function openMails(dataDir: string, now: () => number) {
  const database = openDatabase(dataDir, 'ses.sqlite', [
    `CREATE TABLE IF NOT EXISTS mails (
      seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, sender TEXT NOT NULL, recipients TEXT NOT NULL,
      subject TEXT NOT NULL, text TEXT NOT NULL, html TEXT NOT NULL, sent_at TEXT NOT NULL)`,
  ]);
  const insert = database.prepare(
    'INSERT INTO mails (id, sender, recipients, subject, text, html, sent_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const newestFirst = database.prepare('SELECT * FROM mails ORDER BY seq DESC');
  const since = database.prepare('SELECT count(*) AS sent FROM mails WHERE sent_at > ?');

  return {
    store(mail: Omit<StoredMail, 'id' | 'sent_at'>): string {
      const id = randomUUID();
      const sentAt = new Date(now()).toISOString();
      insert.run(id, mail.from, JSON.stringify(mail.to), mail.subject, mail.text, mail.html, sentAt);
      return id;
    },

    inbox: (): StoredMail[] =>
      newestFirst.all().map((row) => ({
        id: String(row.id),
        from: String(row.sender),
        to: JSON.parse(String(row.recipients)),
        subject: String(row.subject),
        text: String(row.text),
        html: String(row.html),
        sent_at: String(row.sent_at),
      })),

    sentInLastDay: () => Number(since.get(new Date(now() - 24 * 3600 * 1000).toISOString())?.sent),

    close: () => database.close(),
  };
}

export type Mails = ReturnType<typeof openMails>;
