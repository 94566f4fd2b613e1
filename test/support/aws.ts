import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { Service } from './service.ts';

const settingsOf = ({ cloud }: Service) => ({
  endpoint: cloud.endpointUrl,
  region: cloud.region,
  credentials: cloud.operator,
  systemClockOffset: cloud.clock.offsetMs(),
});

/** What an operator does with the AWS SDK, outside of the product. */
export const database = (service: Service) => new DynamoDBClient(settingsOf(service));

export function output(service: Service, name: string): string {
  const value = service.cloud.outputs[name];
  if (value === undefined) throw new Error(`The stack has no output ${name}.`);
  return value;
}

/** Replaces a secret while `work` runs. */
export async function withSecret(
  service: Service,
  outputName: string,
  value: unknown,
  work: () => Promise<void>,
): Promise<void> {
  const secrets = new SecretsManagerClient(settingsOf(service));
  const SecretId = output(service, outputName);
  const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId }));
  await secrets.send(new PutSecretValueCommand({ SecretId, SecretString: JSON.stringify(value) }));
  try {
    await work();
  } finally {
    await secrets.send(new PutSecretValueCommand({ SecretId, SecretString }));
  }
}
