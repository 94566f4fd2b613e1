/** Secrets Manager: the values of a secret and the stages that move between its versions. */
import * as z from 'zod';
import { jsonService, operation } from '../json-protocol.ts';
import { type Service, ServiceError } from '../service.ts';
import type { Secrets, SecretVersion } from './secrets.ts';

const reference = z.strictObject({ SecretId: z.string() });
const newValue = reference.extend({
  ClientRequestToken: z.string().min(32).max(64).optional(),
  SecretString: z.string({ error: 'only secrets that are text are implemented' }).max(65_536),
  VersionStages: z.array(z.string()).min(1).default(['AWSCURRENT']),
});

export function secretsService(secrets: Secrets): Service {
  const may = (action: string) => (input: z.infer<typeof reference>) => {
    const { arn } = secrets.find(input.SecretId);
    return [{ action: `secretsmanager:${action}`, resources: [arn] }];
  };
  return jsonService({
    name: 'secretsmanager',
    contentType: 'application/x-amz-json-1.1',
    validationCode: 'InvalidParameterException',
    operations: {
      GetSecretValue: operation(
        reference.extend({ VersionId: z.string().optional(), VersionStage: z.string().optional() }),
        may('GetSecretValue'),
        (input) => {
          const { arn, name } = secrets.find(input.SecretId);
          const version = findVersion(secrets.versions(name), input.VersionId, input.VersionStage);
          return {
            ARN: arn,
            Name: name,
            VersionId: version.versionId,
            VersionStages: version.stages,
            CreatedDate: version.createdMs / 1000,
            SecretString: version.text,
          };
        },
      ),
      PutSecretValue: operation(newValue, may('PutSecretValue'), (input) => {
        const { arn, name } = secrets.find(input.SecretId);
        const versionId = input.ClientRequestToken ?? crypto.randomUUID();
        secrets.put(name, versionId, input.SecretString, input.VersionStages);
        return { ARN: arn, Name: name, VersionId: versionId, VersionStages: input.VersionStages };
      }),
      DescribeSecret: operation(reference, may('DescribeSecret'), (input) => {
        const { arn, name } = secrets.find(input.SecretId);
        const versions = secrets.versions(name);
        const staged = versions.filter(({ stages }) => stages.length > 0);
        return {
          ARN: arn,
          Name: name,
          CreatedDate: Math.min(...versions.map(({ createdMs }) => createdMs)) / 1000,
          LastChangedDate: Math.max(...versions.map(({ createdMs }) => createdMs)) / 1000,
          VersionIdsToStages: Object.fromEntries(staged.map(({ versionId, stages }) => [versionId, stages])),
        };
      }),
      UpdateSecretVersionStage: operation(
        reference.extend({
          VersionStage: z.string(),
          RemoveFromVersionId: z.string().optional(),
          MoveToVersionId: z.string().optional(),
        }),
        may('UpdateSecretVersionStage'),
        (input) => {
          const { arn, name } = secrets.find(input.SecretId);
          secrets.changeStage(name, input.VersionStage, input.RemoveFromVersionId, input.MoveToVersionId);
          return { ARN: arn, Name: name };
        },
      ),
    },
  });
}

function findVersion(
  versions: SecretVersion[],
  versionId: string | undefined,
  stage: string | undefined,
): SecretVersion {
  const wantedStage = stage ?? (versionId === undefined ? 'AWSCURRENT' : undefined);
  const found = versions.find(
    (version) =>
      (versionId === undefined || version.versionId === versionId) &&
      (wantedStage === undefined || version.stages.includes(wantedStage)),
  );
  if (!found) {
    const what = versionId === undefined ? `staging label: ${wantedStage}` : `VersionId: ${versionId}`;
    throw new ServiceError(
      'ResourceNotFoundException',
      `Secrets Manager can't find the specified secret value for ${what}`,
    );
  }
  return found;
}
