import { erasePersonalData } from '../../../admin/person-erase.ts';
import { verifyAudit } from '../../../admin/verify-audit.ts';
import { documentViewed } from '../../../shared/requests/codes.ts';
import { correct } from '../../../shared/requests/correcting.ts';
import type { NewRequest } from '../../../shared/requests/creating.ts';
import { decline } from '../../../shared/requests/ending.ts';
import { invitationsReported } from '../../../shared/requests/inviting.ts';
import { sign } from '../../../shared/requests/signing.ts';
import { loadRequestWithTrail } from '../../../shared/store/requests.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { operatorOf } from '../../support/operator-terminal.ts';
import { DOCUMENT_SHA256, OWNER, purgedEarly, VISITOR } from '../../support/requests.ts';
import { changed, storedRequest } from '../../support/stored-requests.ts';

/** Requests to a person, as the commands about persons find them. */

export const memory = new MemoryDynamo();
export const { table } = memory;

export const operator = operatorOf(table);
export const EMAIL = 'anna.svensson@example.com';
export const NAMES =
  /anna|svensson|198\.51\.100\.9|secret-browser|typed mark|my reason|my company|my role|my id/i;

/** Salts are random letters, and could make up a short name. */
const withoutSalts = (name: string, value: unknown) => (name === 'salts' ? undefined : value);

/** The items that hold such words. */
export const itemsWith = (words: RegExp) =>
  memory.items
    .filter((item) => words.test(JSON.stringify(item, withoutSalts)))
    .map(({ pk, sk }) => `${pk} ${sk}`);

const invited = (email: string, name: string, n: number): NewRequest['signers'][number] => ({
  id: `00000000-0000-4000-8000-00000000000${n}`,
  email,
  name,
  locale: 'en',
  accessToken: `link-${n}`,
  codeHash: 'hash',
});
export const anna = invited(EMAIL, 'Anna Svensson', 1);
export const berta = invited('berta@example.com', 'Berta Bertasson', 2);
export const visitor = { ipAddress: '198.51.100.9', userAgent: 'secret-browser' };

/** Anna has signed with everything that a signature records, and Berta has declined. The files are gone. */
export async function endedRequest({ isPurged = true } = {}): Promise<string> {
  const { state } = await storedRequest(table, 2, { signers: [anna, berta] });
  const by = { signerId: anna.id, visitor };
  await changed(table, state.id, (request, now) => documentViewed(request, by, now));
  await changed(table, state.id, (request, now) =>
    sign(
      request,
      {
        ...by,
        name: 'Anna S. Svensson',
        documentSha256: DOCUMENT_SHA256,
        consentVersion: '1',
        consentLocale: 'en',
        signature: { type: 'typed', value: 'typed mark' },
        representing: { name: 'my company', role: 'my role', entityId: 'my id' },
      },
      now,
    ),
  );
  const declining = { signerId: berta.id, reason: 'Bertas reason', visitor: VISITOR };
  await changed(table, state.id, (request, now) => decline(request, declining, now));
  if (isPurged) await changed(table, state.id, purgedEarly);
  return state.id;
}

export const USER = { ...OWNER, id: 'user-1', type: 'user' } as const;
export const RIGHT = 'right@example.com';

/** Anna was invited by mistake: she looked at the request, and its sender put another person's address in place of hers. */
export async function correctedRequest(): Promise<string> {
  const { state } = await storedRequest(table, 2, { signers: [anna, berta] });
  const by = { signerId: anna.id, visitor };
  await changed(table, state.id, invitationsReported);
  await changed(table, state.id, (request, now) => documentViewed(request, by, now));
  await changed(table, state.id, (request, now) =>
    correct(
      request,
      { signerId: anna.id, email: RIGHT, name: 'The right one', accessToken: 'new-link', codeHash: 'hash' },
      now,
    ),
  );
  return state.id;
}

/** The corrected request when it was corrected to further addresses, it has ended, and its files are gone. */
export async function endedCorrection(further: readonly string[] = []): Promise<string> {
  const id = await correctedRequest();
  for (const [n, email] of further.entries()) {
    await changed(table, id, (request) => ({
      state: request.state,
      signers: request.signers.map((each) => ({ ...each, mailLeaseUntil: null })),
      audit: [],
      effects: [],
    }));
    await changed(table, id, (request, now) =>
      correct(request, { signerId: anna.id, email, accessToken: `further-${n}`, codeHash: 'hash' }, now),
    );
  }
  const declining = { signerId: berta.id, reason: 'Bertas reason', visitor: VISITOR };
  await changed(table, id, (request, now) => decline(request, declining, now));
  await changed(table, id, purgedEarly);
  return id;
}

export const erase = (email = EMAIL, purge = false) => erasePersonalData(email, { purge }, operator);

export async function verdict(id: string) {
  const stored = await loadRequestWithTrail(table, id);
  if (!stored) throw new Error('The request is stored.');
  return verifyAudit(id, stored, undefined, operator);
}
