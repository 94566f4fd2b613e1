/** Runs before a container's own code: `Date` follows the local clock, and the process ends with the local cloud. */
import { followLocalClock } from './local-date.ts';

const offset = new Float64Array([Number(process.env.LOCAL_CLOCK_OFFSET_MS)]);
delete process.env.LOCAL_CLOCK_OFFSET_MS;
followLocalClock(offset);
process.on('message', (milliseconds) => {
  offset[0] = Number(milliseconds);
});
process.on('disconnect', () => process.exit());
// The clock's messages must not keep the process alive.
process.channel?.unref();
