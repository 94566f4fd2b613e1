import { jest } from '@jest/globals';
import { codeMailed, requestCode } from '../../../shared/requests/codes.ts';
import { correct } from '../../../shared/requests/correcting.ts';
import { cancel } from '../../../shared/requests/ending.ts';
import { linkToken } from '../../../shared/requests/links.ts';
import type { SignatureRequest } from '../../../shared/requests/model.ts';
import { MINUTE, SECOND } from '../../../shared/runtime/time.ts';
import { metaKey, signerKey } from '../../../shared/store/keys.ts';
import { loadRequest, loadRequestWithTrail } from '../../../shared/store/requests.ts';
import { codeHash } from '../../../shared/verification/code.ts';
import { verifyCode } from '../../../shared/verification/verify-code.ts';
import { captureLog } from '../../support/captured-log.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { at, NOON, only, VISITOR } from '../../support/requests.ts';
import { changed, storedRequest } from '../../support/stored-requests.ts';

const memory = new MemoryDynamo();
const { table } = memory;
const PEPPER = Buffer.alloc(32, 7);
const RIGHT = '123456';
const WRONG = '654321';

let request: SignatureRequest;
let signerId: string;
let id: string;

const load = async (): Promise<SignatureRequest> => {
  const loaded = await loadRequest(table, id);
  if (!loaded) throw new Error('The request is gone.');
  return loaded;
};
const signer = async () => only((await load()).signers);
const trail = async () =>
  ((await loadRequestWithTrail(table, id))?.events ?? [])
    .slice(2)
    .map(({ type, details }) => [type, details]);

/** Stores the hash of a code and records its mail as sent. */
async function mail(code: string, now: Date): Promise<void> {
  const by = { signerId, visitor: VISITOR };
  const hash = codeHash(PEPPER, id, signerId, code);
  await changed(table, id, (current, time) => requestCode(current, { ...by, codeHash: hash }, time), now);
  await changed(
    table,
    id,
    (current, time) => codeMailed(current, { ...by, sent: true, error: null }, time),
    now,
  );
}

/** Verifies a code as a function does, with the request that it read before. */
async function attempt(code: string, now = at(SECOND), known?: SignatureRequest) {
  const parts = { table, codePepper: PEPPER, now: () => now, send: async () => {} };
  return verifyCode(parts, known ?? (await load()), signerId, { code, visitor: VISITOR });
}

/** The result of an attempt: attempts left, or the error code. */
const answer = async (...call: Parameters<typeof attempt>) =>
  attempt(...call).then(
    () => 'right',
    (error: { code: string; fields?: { attempts_left?: number } }) =>
      error.code === 'wrong_code' ? error.fields?.attempts_left : error.code,
  );

beforeEach(async () => {
  memory.clear();
  request = await storedRequest(table);
  id = request.state.id;
  signerId = only(request.signers).id;
  await mail(RIGHT, NOON);
});

describe('the right code', () => {
  it('a right code is accepted once', async () => {
    const verified = only((await attempt(RIGHT)).request.signers);
    expect(verified).toMatchObject({ code: null, codeAttempts: 0, lastAttemptAt: null });
    expect(await signer()).toMatchObject({ code: null, codeAttempts: 0, lastAttemptAt: null });
    expect(await trail()).toEqual([['code_verified', {}]]);
    expect(await answer(RIGHT)).toBe('code_expired');
  });

  it('of two concurrent calls with the right code one is accepted', async () => {
    const known = await load();
    const answers = await Promise.all([answer(RIGHT, at(SECOND), known), answer(RIGHT, at(SECOND), known)]);
    expect(answers.sort()).toEqual(['code_expired', 'right']);
    expect(await trail()).toEqual([['code_verified', {}]]);
  });

  it('the right code after four wrong ones is accepted and resets the count', async () => {
    for (const left of [4, 3, 2, 1]) expect(await answer(WRONG)).toBe(left);
    expect(await answer(RIGHT)).toBe('right');
    expect(await signer()).toMatchObject({ codeAttempts: 0 });
  });

  it('a code expires after ten minutes, without using an attempt', async () => {
    expect(await answer(RIGHT, at(10 * MINUTE))).toBe('code_expired');
    expect(await signer()).toMatchObject({ codeAttempts: 0 });
    expect(await answer(RIGHT, at(10 * MINUTE - 1))).toBe('right');
  });

  it('a code is refused if the request is cancelled while it is compared', async () => {
    memory.beforeWrites.push(() =>
      changed(table, id, (current, now) => cancel(current, { actor: 'client', reason: null }, now)),
    );
    expect(await answer(RIGHT)).toBe('link_cancelled');
  });

  it.each([
    ['the same code', RIGHT],
    ['another code', WRONG],
  ])(
    'a link that was replaced while its code was compared no longer exists, whoever has it next gets %s',
    async (_, code) => {
      memory.beforeWrites.push(() =>
        changed(table, id, (current, now) =>
          correct(
            { ...current, state: { ...current.state, invitationsReportedAt: now.toISOString() } },
            {
              signerId,
              email: 'right@example.com',
              accessToken: linkToken(id, 'next'),
              codeHash: codeHash(PEPPER, id, signerId, code),
            },
            now,
          ),
        ),
      );
      expect(await answer(RIGHT)).toBe('not_found');
      expect(await signer()).toMatchObject({ sessions: [], codeAttempts: 0 });
    },
  );

  it('a code is refused if the request no longer exists', async () => {
    memory.beforeWrites.push(() => table.delete(metaKey(id)));
    expect(await answer(RIGHT)).toBe('not_found');
  });

  it('another signer’s code is wrong', async () => {
    const other = codeHash(PEPPER, id, 'another-signer', RIGHT);
    memory.set({
      ...signerKey(id, 0),
      ...(await signer()),
      requestId: id,
      code: { hash: other, expiresAt: at(MINUTE).toISOString() },
    });
    expect(await answer(RIGHT)).toBe(4);
  });
});

describe('a wrong code', () => {
  it('each wrong code reports the attempts left, and the fifth locks the link', async () => {
    const answers = [];
    for (let n = 0; n < 6; n += 1) answers.push(await answer(WRONG, at(n * SECOND)));
    expect(answers).toEqual([4, 3, 2, 1, 'locked', 'locked']);
    expect(await trail()).toEqual([
      ...[4, 3, 2, 1, 0].map((left) => ['code_wrong', { attempts_left: left }]),
      ['link_locked', {}],
    ]);
    expect(await signer()).toMatchObject({ codeAttempts: 5, lastAttemptAt: at(4 * SECOND).toISOString() });
  });

  it('the lock lasts fifteen minutes from the last attempt', async () => {
    for (let n = 0; n < 4; n += 1) await answer(WRONG);
    await expect(attempt(WRONG, at(2 * SECOND))).rejects.toMatchObject({
      code: 'locked',
      fields: { locked_until: at(2 * SECOND + 15 * MINUTE).toISOString() },
    });
    expect(await answer(RIGHT, at(MINUTE))).toBe('locked');
  });

  it('nobody learns whether a code is right before the attempt is stored', async () => {
    for (const code of [RIGHT, WRONG]) {
      memory.beforeWrites.push(() => {
        throw new Error('The table is out of order.');
      });
      await expect(attempt(code)).rejects.toThrow('out of order');
    }
    expect(await signer()).toMatchObject({ codeAttempts: 0, code: { hash: expect.any(String) } });
    expect(await trail()).toEqual([]);
  });

  it('a code asked for during the fifth wrong attempt does not lift the lock', async () => {
    for (let n = 0; n < 4; n += 1) await answer(WRONG);
    const asked = mail('000000', at(MINUTE));
    memory.beforeWrites.push(async () => {
      await answer(WRONG, at(MINUTE));
    });
    await expect(asked).rejects.toMatchObject({ code: 'locked' });
    expect(await answer('000000', at(2 * MINUTE))).toBe('locked');
  });

  it('a wrong code is measured, a right one is not', async () => {
    const lines = captureLog();
    await answer(WRONG);
    await answer(RIGHT);
    jest.restoreAllMocks();
    expect(lines.filter((line) => line.WrongCodes === 1)).toHaveLength(1);
  });

  it('any number of concurrent guesses gets five attempts, and the right code after them is refused', async () => {
    const known = await load();
    const guesses = Array.from({ length: 12 }, (_, n) => String(n).padStart(6, '0'));
    const answers = await Promise.all(guesses.map((code) => answer(code, at(SECOND), known)));
    expect(answers.filter((left) => typeof left === 'number').sort()).toEqual([1, 2, 3, 4]);
    expect(answers.filter((word) => word === 'locked')).toHaveLength(8);
    expect(await answer(RIGHT, at(SECOND), known)).toBe('locked');
    expect(await signer()).toMatchObject({ codeAttempts: 5, code: { hash: expect.any(String) } });
  });

  it('an attempt that raced with a newer code is expired and does not count against the newer one', async () => {
    const known = await load();
    await mail('000000', at(MINUTE));
    expect(await answer(RIGHT, at(MINUTE), known)).toBe('code_expired');
    expect(await signer()).toMatchObject({ codeAttempts: 0 });
    expect(await answer('000000', at(MINUTE))).toBe('right');
  });
});
