/** A page waits for one of them before it makes a call again: for the connection, or for a busy service. */
export type Delay = 'lost' | 'busy';

/** The page says so if it waits longer than this for a busy service. */
export const TOLD_PAUSE_MS = 5_000;
