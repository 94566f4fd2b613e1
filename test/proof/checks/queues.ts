import type { Snapshot } from '../snapshot.ts';
import { type Violation, violation } from './violation.ts';

const NO_REQUEST = { id: null };

/** Nothing waits anywhere. */
export const checkQueues = ({ queues, due }: Snapshot): Violation[] => [
  ...queues.flatMap(({ name, waiting, deadLetters }) => [
    ...(waiting > 0 ? [violation('waiting message', NO_REQUEST, `${waiting} in ${name}`)] : []),
    ...(deadLetters > 0 ? [violation('dead letter', NO_REQUEST, `${deadLetters} of ${name}`)] : []),
  ]),
  ...due.map(({ kind, what }) => violation('unfinished work', NO_REQUEST, `${kind} ${what}`)),
];
