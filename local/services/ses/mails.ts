/** Sent mails: stored for the inbox, never delivered. */
import { randomUUID } from 'node:crypto';
import type { InboxQuery, StoredMail } from '../../ports.ts';
import { openDatabase } from '../sqlite.ts';

/** A mail with its settings for events, which the inbox does not show. */
export interface Sent {
  mail: StoredMail;
  configurationSet: string | undefined;
  tags: Record<string, string>;
}

/** After every mail. */
const END = Number.MAX_SAFE_INTEGER;

export function openMails(dataDir: string, now: () => number) {
  const database = openDatabase(dataDir, 'ses.sqlite', [
    `CREATE TABLE IF NOT EXISTS mails (
      seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, sender TEXT NOT NULL, recipients TEXT NOT NULL,
      subject TEXT NOT NULL, text TEXT NOT NULL, html TEXT NOT NULL, sent_at TEXT NOT NULL)`,
    `CREATE TABLE IF NOT EXISTS publishing (
      id TEXT PRIMARY KEY, configuration_set TEXT NOT NULL, tags TEXT NOT NULL)`,
    `CREATE INDEX IF NOT EXISTS mails_by_id ON mails (id)`,
    `CREATE TABLE IF NOT EXISTS recipients (
      address TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (address, seq)) WITHOUT ROWID`,
    // The recipients of mails that were stored before this table existed.
    `INSERT OR IGNORE INTO recipients SELECT value, seq FROM mails, json_each(recipients)`,
  ]);
  const insert = database.prepare(
    'INSERT INTO mails (id, sender, recipients, subject, text, html, sent_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const insertRecipient = database.prepare('INSERT OR IGNORE INTO recipients VALUES (?, ?)');
  const PAGE = 'seq < ? ORDER BY seq DESC LIMIT ?';
  const newestFirst = database.prepare(`SELECT * FROM mails WHERE ${PAGE}`);
  const newestTo = database.prepare(
    `SELECT * FROM mails WHERE seq IN (SELECT seq FROM recipients WHERE address = ? AND ${PAGE}) ORDER BY seq DESC`,
  );
  const placeOf = database.prepare('SELECT seq FROM mails WHERE id = ?');

  const insertPublishing = database.prepare('INSERT INTO publishing VALUES (?, ?, ?)');
  const byId = database.prepare(
    'SELECT * FROM mails LEFT JOIN publishing ON publishing.id = mails.id WHERE mails.id = ?',
  );

  return {
    store(mail: Omit<StoredMail, 'id' | 'sent_at'>, { configurationSet, tags }: Omit<Sent, 'mail'>): string {
      const id = randomUUID();
      const sentAt = new Date(now()).toISOString();
      const to = JSON.stringify(mail.to);
      const { lastInsertRowid } = insert.run(id, mail.from, to, mail.subject, mail.text, mail.html, sentAt);
      for (const address of mail.to) insertRecipient.run(address, lastInsertRowid);
      if (configurationSet !== undefined) insertPublishing.run(id, configurationSet, JSON.stringify(tags));
      return id;
    },

    find(id: string): Sent | undefined {
      const row = byId.get(id);
      if (!row) return undefined;
      const { configuration_set: set, tags } = row;
      return {
        mail: { ...mailOf(row), id },
        configurationSet: set === null ? undefined : String(set),
        tags: JSON.parse(String(tags ?? '{}')),
      };
    },

    inbox: ({ to, before, limit = -1 }: InboxQuery = {}): StoredMail[] => {
      const end = before === undefined ? END : Number(placeOf.get(before)?.seq ?? 0);
      const rows = to === undefined ? newestFirst.all(end, limit) : newestTo.all(to, end, limit);
      return rows.map(mailOf);
    },

    close: () => database.close(),
  };
}

const mailOf = (row: Record<string, unknown>): StoredMail => ({
  id: String(row.id),
  from: String(row.sender),
  to: JSON.parse(String(row.recipients)),
  subject: String(row.subject),
  text: String(row.text),
  html: String(row.html),
  sent_at: String(row.sent_at),
});

export type Mails = ReturnType<typeof openMails>;
