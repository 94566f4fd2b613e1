import { jest } from '@jest/globals';
import { guardedRetrieve } from '../../../shared/stamping/retrieve.ts';
import { closeReceivers, rawReceiver } from '../webhooks/receivers.ts';

afterEach(closeReceivers);

it('one address has ten seconds', async () => {
  const timeout = jest.spyOn(AbortSignal, 'timeout');
  const port = await rawReceiver((socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n'));
  await guardedRetrieve({ development: true, resolve: async () => [] })(`http://127.0.0.1:${port}/`);
  expect(timeout.mock.calls[0]).toEqual([10_000]);
  timeout.mockRestore();
});

it('an answer without a length that the time limit cut off counts as timed out', async () => {
  const timeLimit = new AbortController();
  const port = await rawReceiver((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\nhalf', () => setTimeout(() => timeLimit.abort(), 50));
  });
  const retrieve = guardedRetrieve({
    development: true,
    resolve: async () => [],
    deadline: () => timeLimit.signal,
  });
  await expect(retrieve(`http://127.0.0.1:${port}/`)).rejects.toThrow('no answer in time');
});
