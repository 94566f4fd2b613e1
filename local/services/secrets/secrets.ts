/** Secrets with their versions. Each stage (AWSCURRENT, AWSPREVIOUS, ...) is attached to one version at a time. */
import type { SecretSettings } from '../../ports.ts';
import { ServiceError } from '../service.ts';
import { openDatabase, transaction } from '../sqlite.ts';

export interface SecretVersion {
  versionId: string;
  text: string;
  stages: string[];
  createdMs: number;
}

export function openSecrets(dataDir: string, now: () => number) {
  const database = openDatabase(dataDir, 'secrets.sqlite', [
    `CREATE TABLE IF NOT EXISTS versions (
      secret TEXT NOT NULL, version_id TEXT NOT NULL, text TEXT NOT NULL, created_at INTEGER NOT NULL,
      PRIMARY KEY (secret, version_id))`,
    `CREATE TABLE IF NOT EXISTS stages (
      secret TEXT NOT NULL, stage TEXT NOT NULL, version_id TEXT NOT NULL, PRIMARY KEY (secret, stage))`,
  ]);
  const insert = database.prepare(
    'INSERT INTO versions (secret, version_id, text, created_at) VALUES (?, ?, ?, ?)',
  );
  const attach = database.prepare('INSERT OR REPLACE INTO stages VALUES (?, ?, ?)');
  const detach = database.prepare('DELETE FROM stages WHERE secret = ? AND stage = ?');
  const byStage = database.prepare('SELECT version_id FROM stages WHERE secret = ? AND stage = ?');
  const stagesOf = database.prepare(
    'SELECT stage FROM stages WHERE secret = ? AND version_id = ? ORDER BY stage',
  );
  const allOf = database.prepare('SELECT * FROM versions WHERE secret = ? ORDER BY created_at, version_id');
  const settings = new Map<string, SecretSettings>();

  const atStage = (secret: string, stage: string) => {
    const row = byStage.get(secret, stage);
    return row && String(row.version_id);
  };
  /** Moving AWSCURRENT attaches AWSPREVIOUS to the version it leaves. */
  const move = (secret: string, stage: string, versionId: string) => {
    const current = atStage(secret, 'AWSCURRENT');
    if (stage === 'AWSCURRENT' && current !== undefined && current !== versionId)
      attach.run(secret, 'AWSPREVIOUS', current);
    attach.run(secret, stage, versionId);
  };
  const versions = (secret: string): SecretVersion[] =>
    allOf.all(secret).map((row) => ({
      versionId: String(row.version_id),
      text: String(row.text),
      stages: stagesOf.all(secret, String(row.version_id)).map((stage) => String(stage.stage)),
      createdMs: Number(row.created_at),
    }));
  const put = (secret: string, versionId: string, text: string, stages: string[]) =>
    transaction(database, () => {
      const existing = versions(secret).find((version) => version.versionId === versionId);
      if (existing && existing.text !== text) {
        throw new ServiceError(
          'ResourceExistsException',
          "You can't use ClientRequestToken because that value is already in use for another version of the secret.",
        );
      }
      if (existing) return;
      insert.run(secret, versionId, text, now());
      for (const stage of stages) move(secret, stage, versionId);
    });

  return {
    create(given: SecretSettings): void {
      settings.set(given.name, given);
      if (versions(given.name).length === 0)
        put(given.name, crypto.randomUUID(), given.initialValue, ['AWSCURRENT']);
    },

    /** By name or ARN, with or without the ARN's random suffix. */
    find(reference: string): SecretSettings {
      const found = [...settings.values()].find(
        ({ name, arn }) =>
          reference === name || reference === arn || reference === arn.replace(/-[^-:]{6}$/, ''),
      );
      if (!found)
        throw new ServiceError(
          'ResourceNotFoundException',
          "Secrets Manager can't find the specified secret.",
        );
      return found;
    },

    versions,
    put,

    changeStage(secret: string, stage: string, remove: string | undefined, moveTo: string | undefined): void {
      transaction(database, () => {
        assertHolder(stage, atStage(secret, stage), remove, moveTo);
        if (moveTo === undefined) detach.run(secret, stage);
        else if (versions(secret).some(({ versionId }) => versionId === moveTo)) move(secret, stage, moveTo);
        else
          throw new ServiceError(
            'ResourceNotFoundException',
            "Secrets Manager can't find the specified secret version.",
          );
      });
    },

    close: () => database.close(),
  };
}

/** A call that moves a stage must name the version that has it, and no other. */
function assertHolder(
  stage: string,
  holder: string | undefined,
  remove: string | undefined,
  moveTo: string | undefined,
): void {
  if (holder !== undefined && moveTo !== undefined && holder !== moveTo && remove !== holder)
    throw new ServiceError(
      'InvalidParameterException',
      `The parameter RemoveFromVersionId can't be empty. Staging label ${stage} is currently attached to version ${holder}.`,
    );
  if (remove !== undefined && remove !== holder)
    throw new ServiceError(
      'InvalidParameterException',
      `Staging label ${stage} is not attached to version ${remove}.`,
    );
}

export type Secrets = ReturnType<typeof openSecrets>;
