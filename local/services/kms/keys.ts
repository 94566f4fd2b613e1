/** Key material, one file for each key, generated when the key is created. */
import {
  createPrivateKey,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { KeySettings } from '../../ports.ts';
import { assertReadable } from '../iam/authorization.ts';
import { ResourceChanged, ServiceError } from '../service.ts';

const stored = z.union([z.object({ secret: z.base64() }), z.object({ pkcs8: z.base64() })]);
type Stored = z.infer<typeof stored>;

export interface Key {
  settings: KeySettings;
  /** A secret or a private key. */
  material: KeyObject;
}

export function openKeys(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const keys = new Map<string, Key>();

  return {
    create(settings: KeySettings): void {
      const { id, arn, spec, policy } = settings;
      assertReadable(policy, arn);
      const material = materialOf(readOrGenerate(join(folder, `${id}.json`), spec));
      if (specOf(material) !== spec) throw new ResourceChanged(`The kind of the key ${id}`);
      keys.set(id, { settings, material });
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

function readOrGenerate(path: string, spec: KeySettings['spec']): Stored {
  if (!existsSync(path)) {
    writeFileSync(`${path}.new`, JSON.stringify(generate(spec)), { mode: 0o600, flush: true });
    renameSync(`${path}.new`, path);
  }
  return stored.parse(JSON.parse(readFileSync(path, 'utf8')));
}

function generate(spec: KeySettings['spec']): Stored {
  if (spec === 'SYMMETRIC_DEFAULT') return { secret: randomBytes(32).toString('base64') };
  const pair =
    spec === 'ECC_NIST_P256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: Number(spec.slice('RSA_'.length)) });
  return { pkcs8: pair.privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64') };
}

const materialOf = (key: Stored): KeyObject =>
  'secret' in key
    ? createSecretKey(key.secret, 'base64')
    : createPrivateKey({ key: Buffer.from(key.pkcs8, 'base64'), format: 'der', type: 'pkcs8' });

function specOf({ type, asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string {
  if (type === 'secret') return 'SYMMETRIC_DEFAULT';
  return asymmetricKeyType === 'ec' ? 'ECC_NIST_P256' : `RSA_${asymmetricKeyDetails?.modulusLength}`;
}
