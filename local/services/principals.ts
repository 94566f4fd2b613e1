import { hash, randomBytes } from 'node:crypto';
import type { Credentials, Principal } from '../ports.ts';
import { assertReadable } from './iam/authorization.ts';
import { AuthenticationFailure } from './service.ts';
import { openDatabase } from './sqlite.ts';

/** The longest validity of an upload form: older credentials can be deleted. */
const RETENTION_MS = 7 * 24 * 3600 * 1000;

/**
 * The callers and their credentials. Each admission creates new credentials, so an access key identifies one worker.
 * Credentials are stored, so an upload form stays valid over a restart.
 */
export function openPrincipals(dataDir: string, now: () => number) {
  const database = openDatabase(dataDir, 'principals.sqlite', [
    `CREATE TABLE IF NOT EXISTS credentials (
      access_key_id TEXT PRIMARY KEY, secret_access_key TEXT NOT NULL, principal TEXT NOT NULL, created_at INTEGER NOT NULL)`,
  ]);
  const insert = database.prepare('INSERT OR REPLACE INTO credentials VALUES (?, ?, ?, ?)');
  const principals = new Map<string, Principal>();
  database.prepare('DELETE FROM credentials WHERE created_at < ?').run(now() - RETENTION_MS);
  const rows = database.prepare('SELECT access_key_id, secret_access_key, principal FROM credentials').all();
  const known = new Map(
    rows.map((row) => [
      String(row.access_key_id),
      { secret: String(row.secret_access_key), name: String(row.principal) },
    ]),
  );

  return {
    admit(principal: Principal, credentials = newCredentials(principal)): Credentials {
      if (principal.statements !== 'everything') assertReadable(principal.statements, principal.name);
      principals.set(principal.name, principal);
      const { accessKeyId, secretAccessKey } = credentials;
      insert.run(accessKeyId, secretAccessKey, principal.name, now());
      known.set(accessKeyId, { secret: secretAccessKey, name: principal.name });
      return credentials;
    },

    find(accessKeyId: string, sessionToken: unknown) {
      const key = known.get(accessKeyId);
      const principal = key && principals.get(key.name);
      if (!key || !principal || sessionToken !== sessionTokenOf(accessKeyId, key.secret)) {
        throw new AuthenticationFailure(
          'unknown-key',
          'The AWS Access Key Id you provided does not exist in our records.',
        );
      }
      return { principal, secretAccessKey: key.secret };
    },

    close: () => database.close(),
  };
}

const OF_USER = 'AKIA';
const OF_ROLE = 'ASIA';

/** The operator is a user; all others have roles. */
function newCredentials({ statements }: Principal): Credentials {
  const kind = statements === 'everything' ? OF_USER : OF_ROLE;
  const accessKeyId = kind + randomBytes(8).toString('hex').toUpperCase();
  const secretAccessKey = randomBytes(30).toString('base64');
  const sessionToken = sessionTokenOf(accessKeyId, secretAccessKey);
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}

/** Follows from the secret, so that it need not be stored. */
const sessionTokenOf = (accessKeyId: string, secretAccessKey: string): string | undefined =>
  accessKeyId.startsWith(OF_ROLE) ? hash('sha512', `session ${secretAccessKey}`, 'base64') : undefined;

export type Principals = ReturnType<typeof openPrincipals>;
