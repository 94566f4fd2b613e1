import { jest } from '@jest/globals';
import { sha256Hex } from '../../../shared/runtime/hash.ts';
import { present } from '../../../shared/runtime/present.ts';
import { certificatesOfPem } from '../../../shared/sealing/certificate.ts';
import { OIDS } from '../../../shared/sealing/oids.ts';
import { timestamper } from '../../../shared/sealing/timestamp.ts';
import { longTermAt } from '../../../shared/stamping/kept-proofs.ts';
import { guardedRetrieve } from '../../../shared/stamping/retrieve.ts';
import { sealRequest } from '../../../shared/stamping/seal-request.ts';
import { originalKey, sealedKey } from '../../../shared/store/objects.ts';
import { sealOutboxId } from '../../../shared/store/outbox.ts';
import { addOwner } from '../../../shared/store/owners.ts';
import { loadRequestWithTrail } from '../../../shared/store/requests.ts';
import { findSealFaults, recordSealFault } from '../../../shared/store/seal-faults.ts';
import { extensions } from '../../support/demo-keys.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { MemoryObjects } from '../../support/memory-objects.ts';
import { ownerItem } from '../../support/owners.ts';
import { makePdf } from '../../support/pdf.ts';
import { type Fault, Pki } from '../../support/pki/pki.ts';
import { at, NOON, newRequest, signedBy } from '../../support/requests.ts';
import { changed, storedRequest } from '../../support/stored-requests.ts';
import { someOf } from '../../support/thorough.ts';
import { fetchOf, type Misbehaviour, makeTestAuthority } from '../../support/timestamp-authority.ts';

/** Faults of everything that a seal above B-T needs from others. */

const memory = new MemoryDynamo();
const { table } = memory;
const HOUR = 3_600_000;
const hours = (count: number) => at(count * HOUR);
const [CA, SERVICE_DOWN] = ['seals', { status: 503 }] as const;

let pki: Pki;
let original: Buffer;
let objects: MemoryObjects;
let id: string;
let misbehaviour: Misbehaviour;
/** Ends the answers that are waited for. */
let patience = new AbortController();

beforeAll(async () => {
  pki = await Pki.open(NOON);
  original = await makePdf('A contract', 1);
});
afterAll(() => pki.close());

beforeEach(async () => {
  memory.clear();
  objects = new MemoryObjects();
  pki.repair();
  misbehaviour = {};
  await addOwner(table, ownerItem());
  const { content, state } = newRequest(1).request;
  const { state: stored } = await storedRequest(table, 1, {
    owner: {
      id: 'owner-1',
      type: 'organization',
      name: 'Acme',
      mode: 'live',
      archive: false,
      reminders: true,
    },
    content: {
      ...content,
      documentSha256: sha256Hex(original),
      documentKey: originalKey(state.id),
      alreadySigned: false,
    },
    id: state.id,
  });
  id = stored.id;
  await changed(table, id, (request, now) => signedBy(request, 0, now));
  objects.objects.set(`documents/${originalKey(id)}`, { bytes: original });
});

/** As a new function: nothing in memory. The key comes without its issuers, so that chains need the network too. */
function run() {
  const now = () => NOON;
  const { certificate } = pki.seal;
  const key = { ...pki.sealKey, certificateChain: [certificate] };
  const tsa = makeTestAuthority({
    now: NOON,
    ca: pki.root,
    signer: { ...pki.authority, issuers: [pki.timestamps.certificate] },
  });
  const retrieve = guardedRetrieve({
    development: true,
    resolve: async () => [],
    deadline: () => patience.signal,
  });
  const { authority } = tsa;
  const sealing = {
    isRepeated: true,
    anchors: async () => certificatesOfPem(authority.caPem),
    table,
    s3: objects.s3,
    bucket: 'documents',
    baseUrl: 'https://sign.example.com',
    keyFor: async () => key,
    timestamp: timestamper([authority], { fetch: fetchOf(tsa, () => misbehaviour), now }),
    longTerm: longTermAt('B-LTA', { table, retrieve, now }),
    trustFor: async () => ({
      certificates: [{ der: certificate }],
      anchors: certificatesOfPem(authority.caPem),
    }),
    now: () => hours(0.001),
  };
  return sealRequest(sealing, sealOutboxId(id), id);
}

const load = async () => {
  const request = await loadRequestWithTrail(table, id);
  if (!request) throw new Error('The request is gone.');
  return request;
};

/** OCSP fails in this way, and there is no list. */
const ocsp = (fault: Fault) => () => {
  pki.break(CA, 'ocsp', fault);
  pki.break(CA, 'list', { status: 404 });
};
/** The list fails in this way, and there is no OCSP. */
const list = (fault: Fault) => () => {
  pki.break(CA, 'ocsp', { status: 404 });
  pki.break(CA, 'list', fault);
};
const hangs = () => {
  patience.abort(new DOMException('The time is over.', 'TimeoutError'));
  patience = new AbortController();
};
const issuer = (fault: Fault) => () => pki.break(CA, 'issuer', fault);
const stamp = (deviation: Misbehaviour) => () => {
  misbehaviour = deviation;
};
const delegate = (own: Uint8Array[]) => ocsp({ responder: pki.issueResponder(CA, own) });

type Row = [name: string, apply: () => void, code: string, told: string];
const UNPROVED = 'revocation_unavailable';
const UNSTAMPED = 'timestamp_unavailable';

const FAULTS: Row[] = [
  ['the responder is down', ocsp(SERVICE_DOWN), UNPROVED, 'HTTP 503'],
  ['the responder hangs', ocsp({ hangs }), UNPROVED, 'no answer in time'],
  ['the responder redirects', ocsp({ status: 302 }), UNPROVED, 'HTTP 302'],
  ['the responder answers with a page', ocsp({ body: Buffer.from('<html>') }), UNPROVED, 'cannot be read'],
  ['the responder answers with nothing', ocsp({ body: Buffer.alloc(0) }), UNPROVED, 'cannot be read'],
  ['the answer is oversized', ocsp({ body: Buffer.alloc(200_000) }), UNPROVED, 'too long'],
  ['the responder says malformed', ocsp({ ocsp: { status: 1 } }), UNPROVED, 'malformed request'],
  ['the responder has an internal error', ocsp({ ocsp: { status: 2 } }), UNPROVED, 'internal error'],
  ['the responder says try later', ocsp({ ocsp: { status: 3 } }), UNPROVED, 'try later'],
  ['the responder wants a signature', ocsp({ ocsp: { status: 5 } }), UNPROVED, 'signature required'],
  ['the responder does not serve us', ocsp({ ocsp: { status: 6 } }), UNPROVED, 'unauthorized'],
  ['the answer is of an unknown type', ocsp({ ocsp: { type: '1.2.3' } }), UNPROVED, 'unknown type'],
  ['the answer has ended', ocsp({ ocsp: { nextUpdate: hours(-1) } }), UNPROVED, 'ended at'],
  ['the answer is from the future', ocsp({ ocsp: { thisUpdate: hours(2) } }), UNPROVED, 'from the future'],
  ['the answer has another nonce', ocsp({ ocsp: { nonce: 'other' } }), UNPROVED, 'nonce'],
  ['the answer is of SHA-1', ocsp({ ocsp: { digest: 'sha1' } }), UNPROVED, 'weak or unknown'],
  [
    'the answer is about another certificate',
    ocsp({ ocsp: { otherCertificate: true } }),
    UNPROVED,
    'another certificate',
  ],
  [
    'the answer has an unknown critical extension',
    ocsp({ ocsp: { criticalExtension: 'answer' } }),
    UNPROVED,
    'critical',
  ],
  [
    'the responder does not know the certificate, and there is no list',
    () => {
      pki.setStanding(pki.seal, 'unknown');
      pki.break(CA, 'list', { status: 404 });
    },
    UNPROVED,
    'does not know',
  ],
  ['the delegate is not for OCSP', () => delegate([extensions.ocspNoCheck()])(), UNPROVED, 'not for OCSP'],
  [
    'the delegate would need a proof itself',
    () => delegate([extensions.extendedKeyUsage(false, OIDS.ocspSigning)])(),
    UNPROVED,
    'own revocation',
  ],
  [
    'the certificate is suspended',
    () => pki.setStanding(pki.seal, { revokedAt: NOON, reason: 6 }),
    UNPROVED,
    'suspended',
  ],
  ['the list is missing', list({ status: 404 }), UNPROVED, 'HTTP 404'],
  ['the list hangs', list({ hangs }), UNPROVED, 'no answer in time'],
  ['the list is oversized', list({ body: Buffer.alloc(200_000) }), UNPROVED, 'too long'],
  ['the list is no list', list({ body: Buffer.from('PEM?') }), UNPROVED, 'cannot be read'],
  ['the list has ended', list({ list: { nextUpdate: hours(-1) } }), UNPROVED, 'ended at'],
  ['the list names no end', list({ list: { nextUpdate: null } }), UNPROVED, 'no end'],
  ['the list is wrongly signed', list({ list: { brokenSignature: true } }), UNPROVED, 'signature is wrong'],
  ['the list is of SHA-1', list({ list: { digest: 'sha1' } }), UNPROVED, 'weak or unknown'],
  ['the list is a delta list', list({ list: { delta: true } }), UNPROVED, 'delta list'],
  ['the list is for authorities', list({ list: { scope: { authorities: true } } }), UNPROVED, 'not complete'],
  ['the list is indirect', list({ list: { scope: { indirect: true } } }), UNPROVED, 'not complete'],
  ['the issuer cannot be had', issuer({ status: 404 }), UNPROVED, 'issuer cannot be found'],
  [
    'another issuer is there',
    () => pki.break(CA, 'issuer', { body: pki.timestamps.certificate }),
    UNPROVED,
    'no issuer of it',
  ],
  ['the issuer is no certificate', issuer({ body: Buffer.from('x') }), UNPROVED, 'cannot be read'],
  ['the issuer hangs', issuer({ hangs }), UNPROVED, 'no answer in time'],
  ['the authority refuses', stamp({ status: 2 }), UNSTAMPED, 'refused'],
  ['the authority stamps something else', stamp({ imprint: Buffer.alloc(32) }), UNSTAMPED, 'imprint'],
  ['the authority signs wrongly', stamp({ signature: 'broken' }), UNSTAMPED, 'signature is wrong'],
  [
    'the authority is revoked',
    () => pki.setStanding(pki.authority, { revokedAt: NOON }),
    UNSTAMPED,
    'revoked',
  ],
];

it.each(FAULTS)('A seal waits while %s', async (_, apply, code, told) => {
  apply();
  await expect(run()).rejects.toMatchObject({
    code,
    permanent: false,
    message: expect.stringContaining(told),
  });
  expect((await load()).state.status).toBe('awaiting_stamp');
  const [kept] = await findSealFaults(table, [id]);
  expect(kept).toMatchObject({ code, reason: expect.stringContaining(told), tries: 1 });
  expect(kept?.reason).toMatch(/^(.*CN=[^:]+|tsa\.test): /);
  expect(objects.objects.has(`documents/${sealedKey(id)}`)).toBe(false);
});

it.each(someOf(FAULTS, 5))(
  'A seal that waited because %s is made at its level by a later run',
  async (_, apply) => {
    apply();
    await expect(run()).rejects.toThrow();
    pki.repair();
    misbehaviour = {};
    await run();
    const { state } = await load();
    expect(state.status).toBe('signed');
    expect(state.seal?.technical).toMatchObject({ level: 'B-LTA' });
  },
);

it('A revoked seal certificate fails for good, and the trail says why', async () => {
  pki.setStanding(pki.seal, { revokedAt: hours(-24), reason: 1 });
  await expect(run()).rejects.toMatchObject({ name: 'StampFailed', code: 'certificate_revoked' });
  const { state, events } = await load();
  expect(state.status).toBe('stamp_failed');
  const kept = { code: 'certificate_revoked', reason: expect.stringContaining('revoked since') };
  expect(await findSealFaults(table, [id])).toMatchObject([kept]);
  expect(events.at(-1)).toMatchObject({ type: 'seal_failed', details: { code: 'certificate_revoked' } });
  expect(objects.objects.has(`documents/${sealedKey(id)}`)).toBe(false);
});

it('The reason of a seal that waits counts its attempts since the first, and starts anew when the seal is queued again', async () => {
  pki.break(CA, 'ocsp', SERVICE_DOWN);
  pki.break(CA, 'list', { status: 404 });
  await expect(run()).rejects.toThrow('HTTP 503');
  const [first] = await findSealFaults(table, [id]);
  pki.break(CA, 'list', { status: 410 });
  await expect(run()).rejects.toThrow('HTTP 410');
  const [second] = await findSealFaults(table, [id]);
  expect(second).toMatchObject({
    tries: 2,
    since: first?.since,
    reason: expect.stringContaining('HTTP 410'),
  });
  await recordSealFault(table, { ...present(second, 'fault'), queuedAt: hours(1).toISOString() }, hours(2));
  expect(await findSealFaults(table, [id])).toMatchObject([{ tries: 1, since: hours(2).toISOString() }]);
});

it('A seal waits for its own fault even if the reason cannot be kept', async () => {
  pki.break(CA, 'issuer', { status: 404 });
  const put = jest.spyOn(table, 'put').mockRejectedValue(new Error('no database'));
  try {
    await expect(run()).rejects.toMatchObject({ code: UNPROVED });
    expect(put).toHaveBeenCalled();
  } finally {
    put.mockRestore();
  }
  expect((await load()).state.status).toBe('awaiting_stamp');
});
