import { jest } from '@jest/globals';
import { Service } from '../../../../web/app/service.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The calls of a browser, of which the test decides how they go on. */
class FakeCall extends EventTarget {
  static readonly all: FakeCall[] = [];
  readonly upload: { onprogress?(progress: { loaded: number; total: number }): void } = {};
  status = 200;
  responseText = '{"id":"request-1"}';
  isAborted = false;
  onload?: () => void;
  onabort?: () => void;
  onloadend?: () => void;

  constructor() {
    super();
    FakeCall.all.push(this);
  }

  open() {}
  setRequestHeader() {}
  send() {}
  getAllResponseHeaders = () => 'content-type: application/json';

  abort() {
    this.isAborted = true;
    this.onabort?.();
    this.onloadend?.();
  }

  sent(part: number) {
    this.upload.onprogress?.({ loaded: part, total: 1 });
  }

  answer() {
    this.onload?.();
    this.onloadend?.();
  }
}

const service = new Service({
  baseUrl: 'https://sign.example.com',
  fetch: () => Promise.reject(new TypeError('No other call is made.')),
  watched: (fetch) => fetch,
  headers: () => ({}),
  recover: async () => false,
  pause: async () => {},
});

const send = () =>
  service.createRequest(
    { title: 'Lease', signers: [{ email: 'ann@example.com' }], file: new Uint8Array(10) },
    'key',
    () => {},
  );

const call = async (number: number) => {
  while (FakeCall.all.length < number) await Promise.resolve();
  return FakeCall.all[number - 1] as FakeCall;
};

beforeEach(() => {
  FakeCall.all.length = 0;
  Object.assign(globalThis, { XMLHttpRequest: FakeCall });
  jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick'] });
});
afterEach(() => {
  jest.useRealTimers();
  Reflect.deleteProperty(globalThis, 'XMLHttpRequest');
});

it('a document may take any time on a slow line, as long as it goes on', async () => {
  const sending = send();
  const slow = await call(1);
  for (let minute = 1; minute <= 20; minute += 1) {
    await jest.advanceTimersByTimeAsync(MINUTE);
    slow.sent(minute / 20);
    expect({ minute, isAborted: slow.isAborted }).toEqual({ minute, isAborted: false });
  }
  slow.answer();
  expect(await sending).toEqual({ id: 'request-1' });
  expect(FakeCall.all).toHaveLength(1);
});

it('an upload that has stood still for five minutes is tried again', async () => {
  const sending = send();
  const first = await call(1);
  first.sent(0.5);
  await jest.advanceTimersByTimeAsync(5 * MINUTE - SECOND);
  expect(first.isAborted).toBe(false);
  await jest.advanceTimersByTimeAsync(SECOND);
  expect(first.isAborted).toBe(true);
  (await call(2)).answer();
  expect(await sending).toEqual({ id: 'request-1' });
  expect(jest.getTimerCount()).toBe(0);
});
