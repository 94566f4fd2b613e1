import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { LocalCloud } from '../../local/cloud.ts';

/** The service's table, with a client that has the operator's permissions. */
export function operatorTable({ endpointUrl, region, operator, outputs }: LocalCloud) {
  if (!outputs.TableName) throw new Error('The stack has no output TableName.');
  const client = new DynamoDBClient({ endpoint: endpointUrl, region, credentials: operator });
  return { client, name: outputs.TableName };
}
