import { jest } from '@jest/globals';
import fc from 'fast-check';
import { attemptCode, documentViewed, requestCode } from '../../shared/requests/codes.ts';
import { correct } from '../../shared/requests/correcting.ts';
import {
  cancel,
  decline,
  deletionRequested,
  expire,
  protect,
  purged,
  restamp,
  sealed,
  sealFailed,
} from '../../shared/requests/ending.ts';
import { erasePerson } from '../../shared/requests/erasing.ts';
import { invitationsReported, rotateCode } from '../../shared/requests/inviting.ts';
import { linkToken } from '../../shared/requests/links.ts';
import type { Change, SignatureRequest } from '../../shared/requests/model.ts';
import { open, sign } from '../../shared/requests/signing.ts';
import { changeRequest } from '../../shared/store/change.ts';
import { sealedKey } from '../../shared/store/objects.ts';
import { loadRequest } from '../../shared/store/requests.ts';
import { newSession } from '../../shared/verification/session.ts';
import { MemoryDynamo } from '../support/memory-dynamo.ts';
import { always } from '../support/property.ts';
import { Races, SOME_RACES, seeds } from '../support/races.ts';
import { DOCUMENT_SHA256, NOON, VISITOR } from '../support/requests.ts';
import { changed, storedRequest } from '../support/stored-requests.ts';
import { skipPauses } from '../support/virtual-time.ts';
import { wholeRequest } from '../support/whole-request.ts';

const OF_REQUEST = [
  'cancel',
  'expire',
  'seal',
  'fail to seal',
  'restamp',
  'delete',
  'purge',
  'protect',
] as const;
const OF_SIGNER = [
  'open',
  'read',
  'sign',
  'decline',
  'enter',
  'mistype',
  'ask',
  'resend',
  'correct',
  'erase',
] as const;
type Action = { does: (typeof OF_REQUEST)[number] } | { does: (typeof OF_SIGNER)[number]; signer: number };

const memory = new MemoryDynamo();
const { table } = memory;
let id: string;

/** The rule of an action. */
function decide(action: Action, request: SignatureRequest, now: Date): Change | undefined {
  const by = { actor: 'client', reason: null } as const;
  switch (action.does) {
    case 'cancel':
      return cancel(request, by, now);
    case 'expire':
      return expire(request, new Date(request.state.expiresAt));
    case 'seal': {
      const record = {
        sealedAt: NOON.toISOString(),
        objectKey: sealedKey(id),
        size: 1,
        pagesAdded: 1,
        technical: {},
      };
      const seal = {
        record,
        documentHash: DOCUMENT_SHA256,
        archiveProtected: false,
        baseUrl: 'https://example.com',
      };
      return sealed(request, seal, now);
    }
    case 'fail to seal':
      return sealFailed(request, { code: 'key_mismatch' }, now);
    case 'restamp':
      return restamp(request, now);
    case 'delete':
      return deletionRequested(request, { archive: false, actor: 'client' }, now);
    case 'purge':
      return purged(request, now);
    case 'protect':
      return protect(request, true, now);
    default:
      return decideOf(action, request, now);
  }
}

function decideOf(
  { does, signer }: Extract<Action, { signer: number }>,
  request: SignatureRequest,
  now: Date,
): Change | undefined {
  const signerId = request.signers[signer]?.id ?? '';
  const by = { signerId, visitor: VISITOR };
  switch (does) {
    case 'open':
      return open(request, by, now);
    case 'read':
      return documentViewed(request, by, now);
    case 'sign':
      return sign(
        request,
        {
          ...by,
          name: 'Me',
          documentSha256: DOCUMENT_SHA256,
          consentVersion: '1',
          consentLocale: 'en',
          signature: { type: 'typed', value: 'Me' },
          representing: null,
        },
        now,
      );
    case 'decline':
      return decline(request, { ...by, reason: null }, now);
    case 'enter':
      return attemptCode(request, { ...by, codeHash: 'hash', opens: newSession(now).stored }, now);
    case 'mistype':
      return attemptCode(request, { ...by, codeHash: 'hash', opens: null }, now);
    case 'ask':
      return requestCode(request, { ...by, codeHash: 'another hash' }, now);
    case 'resend':
      return rotateCode(request, { signerId, codeHash: 'another hash', locale: undefined }, now);
    case 'correct':
      // All to one address, which can be that of one signer only.
      return correct(
        request,
        {
          signerId,
          email: 'new@example.com',
          accessToken: linkToken(id, `new-${signer}`.padEnd(43, '_')),
          codeHash: 'hash',
        },
        now,
      );
    case 'erase':
      return erasePerson(request, { signerId, shownAs: `Signer ${signer + 1}` }, now);
  }
}

/** With the request as it was read before, as functions call it. */
async function act(action: Action): Promise<string> {
  const known = await loadRequest(table, id);
  await changeRequest(
    { table, now: () => NOON },
    id,
    (request, now) => decide(action, request, now),
    known ? { known } : {},
  );
  return 'done';
}

/** Everything that people can see. */
async function look(): Promise<string> {
  const { state, signers, events } = await wholeRequest(table, id);
  const { status, signedCount, purgeAt, purgedAt, archiveProtected, version } = state;
  return JSON.stringify({
    state: { status, signedCount, purgeAt, purgedAt, archiveProtected, version },
    signers: signers.map(({ sessions, code, ...signer }) =>
      [signer.status, signer.email, code?.hash, signer.codeAttempts, sessions.length, signer.version].join(
        ' ',
      ),
    ),
    events: events.map(({ type, signerId }) => `${type} ${signerId}`).sort(),
    outbox: memory.items.flatMap(({ kind, eventType }) => (kind ? [`${kind} ${eventType}`] : [])).sort(),
    lookUps: memory.items.map(({ pk, sk }) => `${pk} ${sk}`).filter((key) => /^(SIGNER|TOKEN)#/.test(key)),
  });
}

beforeAll(() => void skipPauses(NOON));
afterAll(() => jest.useRealTimers());

const signer = fc.nat(2);
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ does: fc.constantFrom(...OF_REQUEST) }),
  fc.record({ does: fc.constantFrom(...OF_SIGNER), signer }),
  // They change the most items.
  fc.record({ does: fc.constantFrom('sign' as const, 'correct' as const), signer }),
);

describe('calls for one request at the same time', () => {
  it('leave request, trail and outbox as some order of them would, one after another', async () => {
    const earlier = fc.array(action, { maxLength: 6 });
    const together = fc.array(action, { minLength: 2, maxLength: 3 });
    await always(
      fc.asyncProperty(earlier, together, seeds, async (before, actions, drawn) => {
        memory.clear();
        ({
          state: { id },
        } = await storedRequest(table, 3));
        await changed(table, id, invitationsReported);
        for (const each of before) await act(each).catch(() => undefined);
        await new Races(memory, { act, look }).expectSomeOrder(actions, drawn);
      }),
      ...SOME_RACES,
    );
  });
});
