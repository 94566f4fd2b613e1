import { hkdfSync } from 'node:crypto';
import { setting } from '../runtime/config.ts';
import { memoize, parseSecret, readSecret } from '../runtime/secrets.ts';

/** The service's internal keys, derived from one stored secret. */
export interface SigningKeys {
  codePepper: Buffer;
  cursor: Buffer;
}

const derive = (root: string, purpose: string) =>
  Buffer.from(hkdfSync('sha256', root, 'signature-requests', purpose, 32));

export const signingKeys = memoize(async (): Promise<SigningKeys> => {
  const { root } = parseSecret<{ root: string }>(await readSecret(setting('SIGNING_SECRETS_ARN')));
  if (!root) throw new Error('The signing secret has no root value.');
  return {
    codePepper: derive(root, 'code'),
    cursor: derive(root, 'cursor'),
  };
});
