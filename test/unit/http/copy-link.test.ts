import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { getSealedDocument, openLink } from '../../../shared/contract/signing.ts';
import { copyHolder } from '../../../shared/http/copy-link.ts';
import { sealedFileEndpoint } from '../../../shared/http/signing-endpoint.ts';
import { changeOf, type SignatureRequest } from '../../../shared/requests/model.ts';
import { after, DAY } from '../../../shared/runtime/time.ts';
import { copyLinkWrite } from '../../../shared/store/copy-links.ts';
import { captureLog } from '../../support/captured-log.ts';
import { call, functionEnvironment, httpEvent } from '../../support/http-call.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { NOON } from '../../support/requests.ts';
import { changed, storedRequest } from '../../support/stored-requests.ts';
import { virtualTime } from '../../support/virtual-time.ts';

const memory = new MemoryDynamo();
const { table } = memory;
let request: SignatureRequest;

const signerId = () => request.signers[1]?.id ?? '';
const linked = (token: string, requestId = request.state.id) =>
  table.transact([copyLinkWrite(token, { id: requestId, endedAt: NOON.toISOString() }, signerId())]);
const holderOf = (headers: Record<string, string>) => copyHolder(table, httpEvent({ headers }));

beforeAll(() => functionEnvironment());
beforeEach(async () => {
  virtualTime(NOON);
  captureLog();
  memory.clear();
  request = await storedRequest(table, 2);
  await linked('copy');
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('the link of the mail with the sealed document', () => {
  it('a copy link leads to the request and the signer whom it was mailed to', async () => {
    expect(await holderOf({ 'X-Copy-Token': 'copy' })).toMatchObject({
      request: { state: { id: request.state.id } },
      signer: { id: signerId() },
    });
  });

  it('a call without the header has no copy link', async () => {
    expect(await holderOf({})).toBeUndefined();
  });

  it('a copy link does not exist with another token, or once its request is gone', async () => {
    await linked('gone', randomUUID());
    for (const token of ['', 'other', 'gone', 'x'.repeat(100)])
      await expect(holderOf({ 'X-Copy-Token': token })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('a token that is too long for a copy link is not looked for', async () => {
    memory.mock.resetHistory();
    const token = 'x'.repeat(101);
    await expect(holderOf({ 'X-Copy-Token': token })).rejects.toMatchObject({ code: 'not_found' });
    expect(memory.mock.calls()).toHaveLength(0);
  });

  it('a copy link has an end, and says so in the signer’s language', async () => {
    await changed(table, request.state.id, ({ state, signers }) => ({
      ...changeOf(request, {}),
      state: { ...state, endedAt: after(NOON, -30 * DAY) },
      signers: signers.map((signer) => ({ ...signer, locale: 'fi' })),
    }));
    await expect(holderOf({ 'X-Copy-Token': 'copy' })).rejects.toMatchObject({
      code: 'link_expired',
      fields: { locale: 'fi' },
    });
  });
});

it('a sealed file opens with its copy link alone, or with a session', async () => {
  const callers: unknown[] = [];
  const endpoint = { ...getSealedDocument, answer: openLink.answer };
  const handler = sealedFileEndpoint(endpoint, async ({ caller, table: given, json }) => {
    callers.push([caller.signer.id, await given.get({ pk: 'none', sk: 'none' })]);
    return json({
      signer_status: 'signed',
      locale: 'en',
      code_expires_at: null,
      attempts_left: 5,
      locked_until: null,
      code_entry_ended: false,
    });
  });
  const status = async (headers: Record<string, string>) =>
    (await call(handler, httpEvent({ headers }))).statusCode;
  const signing = { 'X-Signing-Token': request.signers[1]?.accessToken ?? '' };
  expect(await status({ 'X-Copy-Token': 'copy' })).toBe(200);
  expect(callers).toEqual([[signerId(), undefined]]);
  expect(await status(signing)).toBe(401);
  expect(await status({ ...signing, 'X-Copy-Token': 'other' })).toBe(404);
  expect(await status({})).toBe(404);
  expect(callers).toHaveLength(1);
});
