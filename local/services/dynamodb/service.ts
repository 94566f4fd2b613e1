import { crc32 } from 'node:zlib';
import * as z from 'zod';
import {
  authenticationError,
  jsonError,
  parseBody,
  targetOperation,
  unknownOperation,
} from '../json-protocol.ts';
import { type Answer, type Call, type Service, ServiceError } from '../service.ts';
import { dynamodbPermissions, type Naming, tableOperations } from './access.ts';
import type { Engine, EngineAnswer } from './engine.ts';

/** DynamoDB: the engine does the work; here a call is judged, and its cost is learned for the call log. */

const contentType = 'application/x-amz-json-1.0';
const operations = new Set([
  ...tableOperations,
  'BatchGetItem',
  'BatchWriteItem',
  'TransactGetItems',
  'TransactWriteItems',
  'ListTables',
]);
const costless = new Set(['DescribeTable', 'DescribeTimeToLive', 'ListTables']);

export function dynamodbService(engine: Engine, naming: Naming): Service {
  return {
    name: 'dynamodb',
    streams: false,
    operationOf: (head) => {
      const name = targetOperation(head);
      return name !== undefined && operations.has(name) ? name : undefined;
    },
    prepare: (call) => {
      const input = parseBody(call.body);
      return {
        permissions: dynamodbPermissions(call.operation, input, naming),
        run: () => forward(engine, call, input),
      };
    },
    authenticationError,
    accessDenied: (message) => new ServiceError('AccessDeniedException', message),
    unknownOperation,
    errorAnswer: (error) => withChecksum(jsonError(error, contentType)),
  };
}

async function forward(engine: Engine, call: Call, input: unknown): Promise<Answer> {
  const asked = typeof input === 'object' && input !== null && 'ReturnConsumedCapacity' in input;
  if (costless.has(call.operation) || asked) {
    const answer = await engine.send(call.operation, call.body);
    if (asked) call.consumedCapacity = capacityOf(parseBody(answer.body));
    return toAnswer(answer);
  }
  const answer = await engine.send(call.operation, askForCapacity(call.body));
  if (answer.status !== 200) return toAnswer(answer);
  const { ConsumedCapacity, ...output } = capacityHolder.loose().parse(parseBody(answer.body));
  call.consumedCapacity = capacityOf({ ConsumedCapacity });
  return toAnswer({ status: answer.status, body: Buffer.from(JSON.stringify(output)) });
}

/** Written in front of the caller's own fields: cheaper than writing a large body anew. */
function askForCapacity(body: Buffer): Buffer {
  const open = body.indexOf('{') + 1;
  const rest = body.subarray(open);
  const separator = rest.toString('latin1', 0, 20).trimStart().startsWith('}') ? '' : ',';
  return Buffer.concat([Buffer.from(`{"ReturnConsumedCapacity":"TOTAL"${separator}`), rest]);
}

const cost = z.object({ CapacityUnits: z.number() });
const capacityHolder = z.object({ ConsumedCapacity: z.union([cost, z.array(cost)]).optional() });

function capacityOf(output: unknown): number | null {
  const { data } = capacityHolder.safeParse(output);
  if (data?.ConsumedCapacity === undefined) return null;
  return [data.ConsumedCapacity].flat().reduce((total, { CapacityUnits }) => total + CapacityUnits, 0);
}

const toAnswer = (answer: EngineAnswer): Answer =>
  withChecksum({ status: answer.status, headers: { 'content-type': contentType }, body: answer.body });

function withChecksum(answer: Answer): Answer {
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
  if (!(body instanceof Uint8Array)) return answer;
  return { ...answer, headers: { ...answer.headers, 'x-amz-crc32': crc32(body) } };
}
