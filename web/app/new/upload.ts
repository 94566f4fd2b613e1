/** Called with the part that has been sent, from 0 to 1. */
export type OnProgress = (part: number) => void;

/** A connection over which nothing more was sent for so long is broken; a slow one takes the time that it needs. */
const IDLE_MS = 300_000;

/** A `fetch` that reports upload progress, which the browser's own cannot. */
export const fetchWithProgress =
  (onProgress: OnProgress): typeof fetch =>
  (input, { method = 'GET', headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const call = new XMLHttpRequest();
      let timer: ReturnType<typeof setTimeout>;
      const wait = () => {
        clearTimeout(timer);
        timer = setTimeout(() => call.abort(), IDLE_MS);
      };
      call.open(method, String(input));
      for (const [name, value] of new Headers(headers)) call.setRequestHeader(name, value);
      call.upload.onprogress = ({ loaded, total }) => {
        wait();
        onProgress(total ? loaded / total : 0);
      };
      call.onload = () => resolve(answerOf(call));
      call.onerror = () => reject(new TypeError('The connection failed.'));
      call.onabort = () =>
        reject(signal?.aborted ? signal.reason : new TypeError('The connection stands still.'));
      call.onloadend = () => clearTimeout(timer);
      signal?.addEventListener('abort', () => call.abort());
      wait();
      call.send(body as XMLHttpRequestBodyInit | null | undefined);
    });

function answerOf(call: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of call.getAllResponseHeaders().trim().split('\r\n')) {
    const [name = '', ...value] = line.split(': ');
    if (name) headers.append(name, value.join(': '));
  }
  // A 204 response must have no body, not even an empty one.
  return new Response(call.responseText || null, { status: call.status, headers });
}
