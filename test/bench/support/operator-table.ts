import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { LocalCloud } from '../../../local/cloud.ts';

/** The cloud's database with the operator's rights, and the name of the service's table in it. */
export function operatorTable({ endpointUrl, region, operator, outputs }: LocalCloud) {
  if (!outputs.TableName) throw new Error('The stack has no output TableName.');
  const client = new DynamoDBClient({ endpoint: endpointUrl, region, credentials: operator });
  return { client, name: outputs.TableName };
}
