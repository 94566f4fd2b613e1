/** Runs before a container's own code: its `Date` follows the local cloud's clock, and it ends with the local cloud. */
import { followLocalClock } from './localDate.ts';

const offset = new Float64Array([Number(process.env.LOCAL_CLOCK_OFFSET_MS)]);
delete process.env.LOCAL_CLOCK_OFFSET_MS;
followLocalClock(offset);
process.on('message', (milliseconds) => {
  offset[0] = Number(milliseconds);
});
process.on('disconnect', () => process.exit());
// Listening for the clock is no reason to stay alive.
process.channel?.unref();
