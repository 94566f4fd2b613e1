/** DynamoDB: authorizes each call, passes it to the engine, and reads its consumed capacity for the call log. */
import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { orUndefined } from '../../or-undefined.ts';
import { JSON_ERRORS, jsonError, parseBody, targetOperation } from '../json-protocol.ts';
import type { Answer, Call, Service } from '../service.ts';
import { dynamodbPermissions, type Naming } from './access.ts';
import type { Engine } from './engine.ts';
import type { EngineAnswer } from './engine-client.ts';
import { assertStartInRange } from './query-start.ts';

const CONTENT_TYPE = 'application/x-amz-json-1.0';
const OPERATIONS = new Set([
  'GetItem',
  'BatchGetItem',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'Query',
  'TransactWriteItems',
]);

export function dynamodbService(engine: Engine, naming: Naming): Service {
  return {
    name: 'dynamodb',
    operations: [...OPERATIONS],
    operationOf: (head) => {
      const name = targetOperation(head);
      return name !== undefined && OPERATIONS.has(name) ? name : undefined;
    },
    prepare: (call) => {
      const input = parseBody(call.body);
      return {
        permissions: dynamodbPermissions(call.operation, input, naming),
        run: async () => {
          if (call.operation === 'Query') assertStartInRange(input);
          return forward(engine, call);
        },
      };
    },
    ...JSON_ERRORS,
    errorAnswer: (error) => withChecksum(jsonError(error, CONTENT_TYPE)),
  };
}

async function forward(engine: Engine, call: Call): Promise<Answer> {
  const answer = await engine.send(call.operation, askForCapacity(call.body));
  if (answer.status !== 200) return toAnswer(answer);
  const cut = withoutCapacity(answer.body);
  if (cut) {
    call.consumedCapacity = capacityOf(cut.capacity);
    return toAnswer({ status: answer.status, body: cut.body });
  }
  const { ConsumedCapacity, ...output } = answerWithCapacity.parse(parseBody(answer.body));
  call.consumedCapacity = capacityOf({ ConsumedCapacity });
  return toAnswer({ status: answer.status, body: Buffer.from(JSON.stringify(output)) });
}

/** Inserts the field in front of the caller's own: cheaper than serializing a large body again. */
function askForCapacity(body: Buffer): Buffer {
  const open = body.indexOf('{') + 1;
  const rest = body.subarray(open);
  const separator = rest.toString('latin1', 0, 20).trimStart().startsWith('}') ? '' : ',';
  return Buffer.concat([Buffer.from(`{"ReturnConsumedCapacity":"TOTAL"${separator}`), rest]);
}

/** The engine names the capacity last. Cutting it off is cheaper than reading and writing a large answer again. */
function withoutCapacity(body: Buffer): { body: Buffer; capacity: object } | undefined {
  const start = body.lastIndexOf('"ConsumedCapacity":');
  if (start < 0) return undefined;
  const end: unknown = orUndefined(() => JSON.parse(`{${body.toString('utf8', start)}`));
  if (typeof end !== 'object' || end === null || Object.keys(end).length !== 1) return undefined;
  const rest = body.subarray(0, body.at(start - 1) === COMMA ? start - 1 : start);
  return { body: Buffer.concat([rest, CLOSE]), capacity: end };
}

const COMMA = ','.charCodeAt(0);
const CLOSE = Buffer.from('}');

const cost = z.object({ CapacityUnits: z.number() });
const capacityHolder = z.object({ ConsumedCapacity: z.union([cost, z.array(cost)]).optional() });
const answerWithCapacity = capacityHolder.loose();

function capacityOf(output: unknown): number | null {
  const { data } = capacityHolder.safeParse(output);
  if (data?.ConsumedCapacity === undefined) return null;
  return [data.ConsumedCapacity].flat().reduce((total, { CapacityUnits }) => total + CapacityUnits, 0);
}

const toAnswer = (answer: EngineAnswer): Answer =>
  withChecksum({ status: answer.status, headers: { 'content-type': CONTENT_TYPE }, body: answer.body });

function withChecksum(answer: Answer): Answer {
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
  if (!(body instanceof Uint8Array)) return answer;
  return { ...answer, headers: { ...answer.headers, 'x-amz-crc32': crc32(body) } };
}
