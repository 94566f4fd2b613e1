import { browserNetwork } from '../../../web/signing/network.ts';

const HOUR = 3_600_000;

it.each(['online', 'Try now'])('“%s” ends the pauses of all calls that wait', async (how) => {
  const window = Object.assign(new EventTarget(), { fetch });
  Object.assign(globalThis, { window });
  const { network, tryNow } = browserNetwork({ onDelay: () => {}, onServerTime: () => {} });
  const pauses = Promise.all([network.pause(HOUR), network.pause(HOUR)]);
  if (how === 'online') window.dispatchEvent(new Event('online'));
  else tryNow();
  await expect(pauses).resolves.toEqual([undefined, undefined]);
});
