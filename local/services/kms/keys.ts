/** Key material, one file for each key, generated when the key is created. */
import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { KeySettings } from '../../ports.ts';
import { assertReadable } from '../iam/authorization.ts';
import { ServiceError } from '../service.ts';

const material = z.object({ secret: z.base64().optional(), pkcs8: z.base64().optional() });

export interface Key {
  settings: KeySettings;
  /** Of a symmetric key. */
  secret(): Buffer;
  /** Of an asymmetric key. */
  privateKey(): KeyObject;
}

export function openKeys(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const keys = new Map<string, Key>();

  return {
    create(settings: KeySettings): void {
      assertReadable(settings.policy, settings.arn);
      keys.set(
        settings.id,
        toKey(settings, readOrGenerate(join(folder, `${settings.id}.json`), settings.spec)),
      );
    },

    /** By id or ARN. */
    find(reference: string): Key {
      const key = keys.get(reference.split('/').at(-1) ?? '');
      if (!key) throw new ServiceError('NotFoundException', `Key '${reference}' does not exist`);
      return key;
    },
  };
}

export type Keys = ReturnType<typeof openKeys>;

function readOrGenerate(path: string, spec: KeySettings['spec']): z.infer<typeof material> {
  if (!existsSync(path)) {
    writeFileSync(`${path}.new`, JSON.stringify(generate(spec)), { mode: 0o600, flush: true });
    renameSync(`${path}.new`, path);
  }
  return material.parse(JSON.parse(readFileSync(path, 'utf8')));
}

function generate(spec: KeySettings['spec']): { secret: string } | { pkcs8: string } {
  if (spec === 'SYMMETRIC_DEFAULT') return { secret: randomBytes(32).toString('base64') };
  const pair =
    spec === 'ECC_NIST_P256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: Number(spec.slice('RSA_'.length)) });
  return { pkcs8: pair.privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64') };
}

function toKey(settings: KeySettings, { secret = '', pkcs8 = '' }: z.infer<typeof material>): Key {
  let privateKey: KeyObject | undefined;
  return {
    settings,
    secret: () => Buffer.from(secret, 'base64'),
    privateKey: () => {
      privateKey ??= createPrivateKey({ key: Buffer.from(pkcs8, 'base64'), format: 'der', type: 'pkcs8' });
      return privateKey;
    },
  };
}
