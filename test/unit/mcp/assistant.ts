import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { SignatureRequests } from '../../../client/src/node.ts';
import { Folders } from '../../../mcp/src/folders.ts';
import { makeServer } from '../../../mcp/src/server.ts';

export interface Call {
  method: string;
  path: string;
  body: unknown;
}

/** An API that gives the answer of the first path that a call's begins with. */
export function fakeApi(answers: Record<string, unknown>) {
  const calls: Call[] = [];
  const fetch = async (url: RequestInfo | URL, { method = 'GET', body }: RequestInit = {}) => {
    const path = `${method} ${String(url).replace('https://sign.example.com/api/v1', '')}`;
    calls.push({ method, path, body: typeof body === 'string' ? JSON.parse(body) : body });
    const [, answer] = Object.entries(answers).find(([start]) => path.startsWith(start)) ?? [];
    if (answer instanceof Response) return answer.clone();
    return new Response(JSON.stringify(answer ?? { error: 'not_found', message: 'There is none.' }), {
      status: answer === undefined ? 404 : 200,
    });
  };
  return { calls, fetch };
}

interface Options {
  folder: string;
  fetch?: typeof globalThis.fetch;
  /** The person's answer, where the assistant's program can ask; undefined: it cannot. */
  agrees?: boolean | Promise<boolean>;
  action?: 'accept' | 'decline' | 'cancel';
  isLive?: boolean;
  /** What the assistant's program says that it can ask, instead of everything. */
  elicitation?: { url: object };
}

/** An assistant connected to the server, in memory. */
export async function assistant({
  folder,
  fetch = fakeApi({}).fetch,
  agrees,
  action = 'accept',
  isLive = false,
  elicitation,
}: Options) {
  const client = new SignatureRequests({
    apiKey: 'esk_test_1',
    baseUrl: 'https://sign.example.com',
    fetch,
    retries: 0,
  });
  const inputEnded = new AbortController().signal;
  const server = makeServer({ client, folders: await Folders.of([folder]), isLive, inputEnded });
  const canAsk = agrees !== undefined;
  const asks = elicitation ?? (canAsk ? {} : undefined);
  const own = new Client({ name: 'test', version: '1' }, { capabilities: asks ? { elicitation: asks } : {} });
  const asked: string[] = [];
  if (canAsk)
    own.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      asked.push(params.message);
      return { action, content: { agreed: await agrees } };
    });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), own.connect(here)]);
  const call = async (name: string, input: Record<string, unknown>, options?: RequestOptions) =>
    textOf(await own.callTool({ name, arguments: input }, undefined, options));
  return {
    call,
    asked,
    instructions: () => own.getInstructions(),
    server: () => own.getServerVersion(),
    tools: async () => (await own.listTools()).tools,
  };
}

export function textOf(result: Awaited<ReturnType<Client['callTool']>>): { text: string; isError: boolean } {
  const [first] = result.content as { text: string }[];
  return { text: first?.text ?? '', isError: result.isError === true };
}

/** The token that a first call asks to be repeated. */
export const tokenIn = (text: string): string => /"confirm": "([^"]+)"/.exec(text)?.[1] ?? '';
