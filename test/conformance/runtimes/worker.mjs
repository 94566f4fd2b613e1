import { life } from './life.mjs';

/** On a worker: there are no paths, and the lines are the answer's body. */
export default {
  async fetch(request) {
    const { baseUrl, apiKey, webhook, pdf } = await request.json();
    const file = Uint8Array.from(atob(pdf), (character) => character.charCodeAt(0));
    const lines = life({ baseUrl, apiKey, webhook, file });
    const text = new TextEncoder();
    const body = new ReadableStream({
      async pull(controller) {
        const { done, value } = await lines.next();
        if (done) controller.close();
        else controller.enqueue(text.encode(`${value}\n`));
      },
    });
    return new Response(body);
  },
};
