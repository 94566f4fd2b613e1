import { valueAt } from '../runtime/value-paths.ts';
import type { AuditEvent } from './chain.ts';
import type { AuditType, RequestState } from './model.ts';

/** The statements of a trail's events. */

/** A fact that events cannot state: its value is erased, or the invitations are not reported yet. */
export const UNKNOWN = Symbol('unknown');

/** An attribute that serves the work on a request and states no fact. */
export const OPERATIONAL = Symbol('operational');

/** A fact of which the events leave these values open. */
export class OneOf {
  readonly values: unknown[];

  constructor(...values: unknown[]) {
    this.values = values;
  }
}

export const ENDINGS: Partial<Record<string, string>> = {
  document_sealed: 'signed',
  request_cancelled: 'cancelled',
  signer_declined: 'declined',
  request_expired: 'expired',
} satisfies Partial<Record<AuditType, RequestState['status']>>;

/** The events of a request, or of one signer. */
export class Trail {
  readonly events: readonly AuditEvent[];

  constructor(events: readonly AuditEvent[]) {
    this.events = events;
  }

  of(signerId: unknown): Trail {
    return new Trail(this.events.filter((event) => event.signerId === signerId));
  }

  after({ sequence }: AuditEvent): Trail {
    return new Trail(this.events.filter((event) => event.sequence > sequence));
  }

  /** All events where there is none to stop at. */
  before(end: AuditEvent | undefined): Trail {
    return end ? new Trail(this.events.filter(({ sequence }) => sequence < end.sequence)) : this;
  }

  all(...types: AuditType[]): AuditEvent[] {
    return this.events.filter(({ type }) => (types as string[]).includes(type));
  }

  first(...types: AuditType[]): AuditEvent | undefined {
    return this.all(...types)[0];
  }

  last(...types: AuditType[]): AuditEvent | undefined {
    return this.all(...types).at(-1);
  }

  get ending(): AuditEvent | undefined {
    return this.events.find(({ type }) => type in ENDINGS);
  }

  /** Invitations are reported together, some time after they were mailed. */
  get isReported(): boolean {
    return this.first('invitation_sent', 'invitation_failed') !== undefined;
  }

  get mailedStatus(): unknown {
    if (this.first('invitation_sent', 'invitation_resent')) return 'sent';
    return this.isReported ? 'pending' : new OneOf('pending', 'sent');
  }
}

export const at = (event: AuditEvent | undefined) => event?.at ?? null;

/** A member of an event; null without it, unknown if it was erased. */
export const member = (event: AuditEvent | undefined, path: string): unknown =>
  event ? (valueAt(event, path) ?? (path in event.commitments ? UNKNOWN : null)) : null;
export const detail = (event: AuditEvent | undefined, name: string) => member(event, `details.${name}`);

export const times = (events: AuditEvent[]) => events.map((event) => event.at).sort();
