/**
 * Queues in SQLite. A message can be received once `visible_at` has passed on the local clock. Receiving it moves that
 * time by the visibility timeout and creates a new receipt; only the newest receipt can delete the message.
 */
import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { interruptiblePause } from '../../clock.ts';
import type { Clock, PolicyStatement, QueueReport, QueueSettings, ReceivedMessage } from '../../ports.ts';
import { assertReadable } from '../iam/authorization.ts';
import { ServiceError } from '../service.ts';
import { openDatabase, transaction } from '../sqlite.ts';

interface NewMessage {
  body: string;
  /** For fair ordering, see `#take`. */
  groupId?: string | undefined;
  senderId: string;
}

const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL,
    sender_id TEXT NOT NULL, sent_at INTEGER NOT NULL, visible_at INTEGER NOT NULL,
    receive_count INTEGER NOT NULL, first_received_at INTEGER, receipt TEXT, source TEXT, group_id TEXT)`,
  'CREATE INDEX IF NOT EXISTS by_visibility ON messages (queue, visible_at)',
];

/** AWS takes this long to delete all messages. */
const PURGE_MS = 60_000;

export class Queues {
  readonly #database: DatabaseSync;
  readonly #clock: Clock;
  readonly #arnOf: (name: string) => string;
  readonly #settings = new Map<string, QueueSettings>();
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #purgedAt = new Map<string, number>();
  #closed = false;

  constructor(dataDir: string, clock: Clock, arnOf: (name: string) => string) {
    this.#database = openDatabase(dataDir, 'queues.sqlite', SCHEMA);
    this.#clock = clock;
    this.#arnOf = arnOf;
    clock.onMove(() => this.#wakeAll());
  }

  create(settings: QueueSettings): void {
    assertReadable(settings.policy, settings.name);
    this.#settings.set(settings.name, settings);
  }

  settings(name: string): QueueSettings {
    const found = this.#settings.get(name);
    if (!found) throw new ServiceError('QueueDoesNotExist', 'The specified queue does not exist.');
    return found;
  }

  /** Of a queue that may not exist. */
  policy(name: string): PolicyStatement[] {
    return this.#settings.get(name)?.policy ?? [];
  }

  names(): string[] {
    return [...this.#settings.keys()];
  }

  /** The queues that have this one as their dead-letter queue. */
  sourcesOf(name: string): string[] {
    return this.names().filter((source) => this.#settings.get(source)?.deadLetter?.queueName === name);
  }

  send(name: string, message: NewMessage): { id: string; md5: string } {
    this.settings(name);
    const id = randomUUID();
    const now = this.#clock.now();
    this.#database
      .prepare(
        `INSERT INTO messages (queue, id, body, sender_id, sent_at, visible_at, receive_count, group_id)
         VALUES (?, ?, ?, ?, ?, ?, 0, ?)`,
      )
      .run(name, id, message.body, message.senderId, now, now, message.groupId ?? null);
    this.#wake(name);
    return { id, md5: md5(message.body) };
  }

  /** Waits up to waitMs of real time for a message; a new message or a clock move ends the wait at once. */
  async receive(
    name: string,
    max: number,
    waitMs: number,
    signal: AbortSignal,
    visibilityTimeoutSeconds = this.settings(name).visibilityTimeoutSeconds,
  ): Promise<ReceivedMessage[]> {
    const deadline = performance.now() + waitMs;
    while (!signal.aborted && !this.#closed) {
      // Read the clock once: a message that becomes visible between two reads would be missed.
      const now = this.#clock.now();
      const messages = this.#take(name, max, now, now + 1000 * visibilityTimeoutSeconds);
      const left = deadline - performance.now();
      if (messages.length > 0 || left <= 0) return messages;
      await this.#wait(name, Math.min(left, this.#nextVisibleAfter(name, now) - now), signal);
    }
    return [];
  }

  delete(name: string, receiptHandle: string): void {
    this.settings(name);
    const { seq, receipt } = readHandle(receiptHandle);
    this.#database
      .prepare('DELETE FROM messages WHERE queue = ? AND seq = ? AND receipt = ?')
      .run(name, seq, receipt);
  }

  changeVisibility(name: string, receiptHandle: string, seconds: number): void {
    this.settings(name);
    const { seq, receipt } = readHandle(receiptHandle);
    const now = this.#clock.now();
    const { changes } = this.#database
      .prepare(
        'UPDATE messages SET visible_at = ? WHERE queue = ? AND seq = ? AND receipt = ? AND visible_at > ?',
      )
      .run(now + 1000 * seconds, name, seq, receipt, now);
    if (changes === 0) {
      throw new ServiceError('MessageNotInflight', 'The specified message is not in flight.');
    }
    this.#wake(name);
  }

  purge(name: string): void {
    this.settings(name);
    const now = this.#clock.now();
    if (now - (this.#purgedAt.get(name) ?? 0) < PURGE_MS) {
      throw new ServiceError(
        'PurgeQueueInProgress',
        `Only one PurgeQueue operation on ${name} is allowed every 60 seconds.`,
      );
    }
    this.#purgedAt.set(name, now);
    this.#database.prepare('DELETE FROM messages WHERE queue = ?').run(name);
  }

  /**
   * Redrive: moves the messages of a dead-letter queue back to their source queues, as new messages. One that was sent to the
   * dead-letter queue itself stays, since nobody knows where it belongs.
   */
  move(name: string): number {
    this.settings(name);
    const now = this.#clock.now();
    const moved = transaction(this.#database, () => {
      const rows = this.#database
        .prepare('SELECT seq FROM messages WHERE queue = ? AND visible_at <= ? AND source IS NOT NULL')
        .all(name, now);
      const update = this.#database.prepare(
        `UPDATE messages SET queue = source, id = ?, sent_at = ?, visible_at = ?, receive_count = 0, first_received_at = NULL,
         receipt = NULL, source = NULL WHERE seq = ?`,
      );
      for (const { seq } of rows) update.run(randomUUID(), now, now, Number(seq));
      return rows.length;
    });
    this.#wakeAll();
    return moved;
  }

  counts(name: string): { visible: number; inFlight: number } {
    this.#expire(name);
    const now = this.#clock.now();
    const row = this.#database
      .prepare(
        `SELECT count(*) FILTER (WHERE visible_at <= ?1) AS visible,
           count(*) FILTER (WHERE visible_at > ?1) AS in_flight
         FROM messages WHERE queue = ?2`,
      )
      .get(now, name);
    return { visible: Number(row?.visible), inFlight: Number(row?.in_flight) };
  }

  report(): QueueReport[] {
    return this.names().map((name) => {
      const { visible, inFlight } = this.counts(name);
      return { name, visible, in_flight: inFlight, dead_letters: this.#deadLettersOf(name) };
    });
  }

  close(): void {
    this.#closed = true;
    this.#wakeAll();
    this.#database.close();
  }

  #deadLettersOf(name: string): number {
    const queueName = this.#settings.get(name)?.deadLetter?.queueName;
    if (queueName === undefined) return 0;
    this.#expire(queueName);
    const row = this.#database
      .prepare('SELECT count(*) AS dead FROM messages WHERE queue = ? AND source = ?')
      .get(queueName, name);
    return Number(row?.dead);
  }

  /** Like a fair queue: groups with fewer messages in flight go first. */
  #take(name: string, max: number, now: number, hiddenUntil: number): ReceivedMessage[] {
    const { deadLetter } = this.settings(name);
    // Most receives find nothing, and a write transaction costs ten times as much.
    if (!this.#hasVisible(name, now)) return [];
    return transaction(this.#database, () => {
      this.#expire(name);
      if (deadLetter) this.#moveDeadLetters(name, deadLetter, now);
      const rows = this.#database
        .prepare(
          `SELECT * FROM messages LEFT JOIN (
             SELECT group_id AS busy_group, count(*) AS in_flight FROM messages
             WHERE queue = ?1 AND visible_at > ?2 GROUP BY group_id
           ) ON busy_group = group_id
           WHERE queue = ?1 AND visible_at <= ?2 ORDER BY coalesce(in_flight, 0), visible_at, seq LIMIT ?3`,
        )
        .all(name, now, max);
      return rows.map((row) => this.#receiveRow(row, now, hiddenUntil));
    });
  }

  #hasVisible(name: string, now: number): boolean {
    return (
      this.#database
        .prepare('SELECT 1 FROM messages WHERE queue = ? AND visible_at <= ? LIMIT 1')
        .get(name, now) !== undefined
    );
  }

  #receiveRow(row: Record<string, unknown>, now: number, visibleAt: number): ReceivedMessage {
    const receipt = randomBytes(12).toString('hex');
    const firstReceivedAt = Number(row.first_received_at ?? now);
    const count = Number(row.receive_count) + 1;
    this.#database
      .prepare(
        'UPDATE messages SET receipt = ?, visible_at = ?, receive_count = ?, first_received_at = ? WHERE seq = ?',
      )
      .run(receipt, visibleAt, count, firstReceivedAt, Number(row.seq));
    const body = String(row.body);
    return {
      messageId: String(row.id),
      body,
      md5OfBody: md5(body),
      receiptHandle: writeHandle(Number(row.seq), receipt),
      attributes: {
        SenderId: String(row.sender_id),
        SentTimestamp: String(row.sent_at),
        ApproximateReceiveCount: String(count),
        ApproximateFirstReceiveTimestamp: String(firstReceivedAt),
        ...(row.group_id !== null && { MessageGroupId: String(row.group_id) }),
        ...(row.source !== null && { DeadLetterQueueSourceArn: this.#arnOf(String(row.source)) }),
      },
    };
  }

  /** Moves messages that reached the maximum receive count to the dead-letter queue. */
  #moveDeadLetters(name: string, deadLetter: NonNullable<QueueSettings['deadLetter']>, now: number): void {
    const { changes } = this.#database
      .prepare(
        `UPDATE messages SET queue = ?, source = queue, visible_at = ?, receipt = NULL
         WHERE queue = ? AND visible_at <= ? AND receive_count >= ?`,
      )
      .run(deadLetter.queueName, now, name, now, deadLetter.maxReceiveCount);
    if (changes > 0) this.#wake(deadLetter.queueName);
  }

  #expire(name: string): void {
    const oldest = this.#clock.now() - 1000 * this.settings(name).retentionSeconds;
    this.#database.prepare('DELETE FROM messages WHERE queue = ? AND sent_at < ?').run(name, oldest);
  }

  #nextVisibleAfter(name: string, now: number): number {
    const row = this.#database
      .prepare('SELECT min(visible_at) AS next FROM messages WHERE queue = ? AND visible_at > ?')
      .get(name, now);
    return typeof row?.next === 'number' ? row.next : Number.POSITIVE_INFINITY;
  }

  #wait(name: string, ms: number, signal: AbortSignal): Promise<void> {
    const listeners = this.#waiting.get(name) ?? new Set();
    this.#waiting.set(name, listeners);
    return interruptiblePause(ms, listeners, signal);
  }

  #wake(name: string): void {
    for (const listener of [...(this.#waiting.get(name) ?? [])]) listener();
  }

  #wakeAll(): void {
    for (const name of this.#waiting.keys()) this.#wake(name);
  }
}

const md5 = (text: string) => hash('md5', text);

const writeHandle = (seq: number, receipt: string) => Buffer.from(`${seq}:${receipt}`).toString('base64url');

function readHandle(handle: string): { seq: number; receipt: string } {
  const [, seq, receipt] = /^(\d+):([0-9a-f]{24})$/.exec(Buffer.from(handle, 'base64url').toString()) ?? [];
  if (!seq || !receipt) {
    throw new ServiceError('ReceiptHandleIsInvalid', 'The input receipt handle is invalid.');
  }
  return { seq: Number(seq), receipt };
}
