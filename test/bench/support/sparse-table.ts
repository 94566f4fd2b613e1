import { DUE, LISTED } from '../../../infra/data.ts';
import type { TableSettings } from '../../../local/ports.ts';

/** The table as the stack makes it (infra/data.ts). */
export function sparseTable(name: string): TableSettings {
  const index = (IndexName: string, pk: string, sk: string, NonKeyAttributes: string[]) => ({
    IndexName,
    KeySchema: [
      { AttributeName: pk, KeyType: 'HASH' },
      { AttributeName: sk, KeyType: 'RANGE' },
    ],
    Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes },
  });
  const keys = ['pk', 'sk', 'owner_pk', 'status_pk', 'created_sk', 'due_pk', 'due_sk'];
  return {
    name,
    attributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    keySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    globalSecondaryIndexes: [
      index('byOwner', 'owner_pk', 'created_sk', LISTED),
      index('byStatus', 'status_pk', 'created_sk', LISTED),
      index('byDue', 'due_pk', 'due_sk', DUE),
    ],
    ttlAttribute: 'ttl',
  };
}
