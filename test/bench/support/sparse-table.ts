import type { TableSettings } from '../../../local/ports.ts';
import { INDEXES } from '../../../shared/store/indexes.ts';

const keySchema = (pk: string, sk: string) => [
  { AttributeName: pk, KeyType: 'HASH' },
  { AttributeName: sk, KeyType: 'RANGE' },
];

/** The table with the same keys and indexes as in the stack (infra/data.ts). */
export function sparseTable(name: string): TableSettings {
  const keys = new Set(['pk', 'sk', ...INDEXES.flatMap(({ pk, sk }) => [pk, sk])]);
  return {
    name,
    attributeDefinitions: [...keys].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    keySchema: keySchema('pk', 'sk'),
    globalSecondaryIndexes: INDEXES.map(({ name: IndexName, pk, sk, attributes }) => ({
      IndexName,
      KeySchema: keySchema(pk, sk),
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: attributes },
    })),
    ttlAttribute: 'ttl',
  };
}
