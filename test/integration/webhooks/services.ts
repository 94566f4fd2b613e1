import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import type { SignatureRequest } from '../../../shared/requests/model.ts';
import { creationWrites } from '../../../shared/store/requests.ts';
import { Table } from '../../../shared/store/table.ts';
import { createEndpoint } from '../../../shared/webhooks/endpoints.ts';
import { encryptSecret, endpointContext } from '../../../shared/webhooks/secrets.ts';
import { NOON, newRequest } from '../../support/requests.ts';
import { type Cloud, key, startCloud, table as tableSettings } from '../local-services/harness.ts';

/** Emulated AWS services without the functions, for tests that call the product's code concurrently. */
export interface Services {
  cloud: Cloud;
  table: Table;
  kms: KMSClient;
  keyArn: string;
}

const index = (IndexName: string, hash: string, range: string) => ({
  IndexName,
  KeySchema: [
    { AttributeName: hash, KeyType: 'HASH' },
    { AttributeName: range, KeyType: 'RANGE' },
  ],
  Projection: { ProjectionType: 'ALL' },
});

export async function startServices(): Promise<Services> {
  const cloud = await startCloud();
  const names = ['pk', 'sk', 'owner_pk', 'created_sk', 'due_pk', 'due_sk'];
  await cloud.services.createTable(
    tableSettings('product', {
      attributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      globalSecondaryIndexes: [
        index('byOwner', 'owner_pk', 'created_sk'),
        index('byDue', 'due_pk', 'due_sk'),
      ],
    }),
  );
  const webhookKey = key('webhooks');
  await cloud.services.createKey(webhookKey);
  return {
    cloud,
    table: new Table(new DynamoDBClient(cloud.operator), 'product'),
    kms: new KMSClient(cloud.operator),
    keyArn: webhookKey.arn,
  };
}

/** Stores a new request in the table. */
export async function storedRequest({ table }: Services): Promise<SignatureRequest> {
  const { request, change } = newRequest(3);
  const { writes, state } = creationWrites(change, request.content, NOON);
  await table.transact(writes);
  return { ...request, state };
}

export async function registerEndpoint({ table, kms, keyArn }: Services, ownerId: string, url: string) {
  return createEndpoint(
    { url },
    {
      table,
      owner: { ownerId, mode: 'live' },
      now: new Date(),
      encrypt: (secret, id) => encryptSecret(kms, keyArn, secret, endpointContext(id, ownerId)),
    },
  );
}
