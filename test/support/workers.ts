import { availableParallelism, totalmem } from 'node:os';

const GIB = 2 ** 30;
const LEAST_OF_A_WORKER = 1.75 * GIB;
const ENOUGH_OF_A_WORKER = 3 * GIB;

/** A worker for each processor that has memory for one: many processors do not always come with as much. */
export const workersFor = (processors: number, memory: number): number =>
  Math.max(1, Math.min(processors, Math.floor(memory / LEAST_OF_A_WORKER)));

/** Idle functions are most of a worker's memory. With half as many, more calls begin with a cold start. */
export const idleEnvironmentsFor = (memory: number): number => (memory < ENOUGH_OF_A_WORKER ? 24 : 48);

/** Of the container or of the machine; Node says 0 if it does not know whether a container limits it. */
const MEMORY = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem());

export const WORKERS = workersFor(availableParallelism(), MEMORY);
export const IDLE_ENVIRONMENTS = idleEnvironmentsFor(MEMORY / WORKERS);
