import { hkdfSync } from 'node:crypto';
import { setting } from '../runtime/config.ts';
import { once, readSecret } from '../runtime/secrets.ts';

/** The keys that are only ever used inside the service, derived from one stored secret. */
export interface SigningKeys {
  codePepper: Buffer;
  session: Buffer;
  cursor: Buffer;
}

const derive = (root: string, use: string) =>
  Buffer.from(hkdfSync('sha256', root, 'signature-requests', use, 32));

export const signingKeys = once(async (): Promise<SigningKeys> => {
  const { root } = JSON.parse(await readSecret(setting('SIGNING_SECRETS_ARN'))) as { root: string };
  if (!root) throw new Error('The signing secret has no root value.');
  return {
    codePepper: derive(root, 'code'),
    session: derive(root, 'session'),
    cursor: derive(root, 'cursor'),
  };
});
