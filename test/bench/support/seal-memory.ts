/**
 * Prints the peak memory, in bytes, of a process that seals the largest request: the file in the argument, with 20 signers
 * whose drawings have the largest size, signature page and evidence file. A process of its own, since a peak is a process's.
 */
import { readFileSync } from 'node:fs';
import { LIMITS } from '../../../shared/contract/limits.ts';
import { sha256Hex } from '../../../shared/runtime/hash.ts';
import { present } from '../../../shared/runtime/present.ts';
import { certificatesOfPem } from '../../../shared/sealing/certificate.ts';
import { pkcs12Key } from '../../../shared/sealing/keys/pkcs12.ts';
import { sealRequest } from '../../../shared/stamping/seal-request.ts';
import { drawnSignatureKey } from '../../../shared/store/objects.ts';
import { sealOutboxId } from '../../../shared/store/outbox.ts';
import { PNG_MAX_HEIGHT, PNG_MAX_WIDTH } from '../../../shared/typesetting/png.ts';
import { makeDemoCa, makeDemoSealIdentity, toPkcs12 } from '../../support/demo-keys.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { MemoryObjects } from '../../support/memory-objects.ts';
import { newRequest, signedBy } from '../../support/requests.ts';
import { drawnSignature } from '../../support/signature-input.ts';
import { changed, storedRequest } from '../../support/stored-requests.ts';
import { makeTestAuthority, timestamperOf } from '../../support/timestamp-authority.ts';

const now = new Date();
const original = readFileSync(process.argv[2] ?? '');
const { table } = new MemoryDynamo();
const { s3, objects } = new MemoryObjects();
const { content } = newRequest().request;
const { state, content: stored } = await storedRequest(table, LIMITS.signers, {
  content: { ...content, documentSha256: sha256Hex(original), documentSize: original.length },
});
objects.set(`documents/${stored.documentKey}`, { bytes: original });
const png = drawnSignature(PNG_MAX_WIDTH, PNG_MAX_HEIGHT);
for (let place = 0; place < LIMITS.signers; place += 1)
  await changed(table, state.id, (request) => {
    const value = drawnSignatureKey(state.id, present(request.signers[place], 'signer').id, sha256Hex(png));
    objects.set(`documents/${value}`, { bytes: png });
    return signedBy(request, place, undefined, { type: 'drawn', value, drawingSha256: sha256Hex(png) });
  });

const key = pkcs12Key(
  toPkcs12(
    makeDemoSealIdentity(makeDemoCa(now, 'Demo CA', { algorithm: 'rsa' }), { now, algorithm: 'rsa' }),
    'bench',
  ),
  'bench',
);
const tsa = makeTestAuthority({ now, algorithm: 'rsa' });
await sealRequest(
  {
    table,
    s3,
    bucket: 'documents',
    baseUrl: 'https://sign.example.com',
    isRepeated: false,
    keyFor: async () => key,
    anchors: async () => certificatesOfPem(tsa.authority.caPem),
    timestamp: timestamperOf(tsa),
    trustFor: async () => ({
      certificates: key.certificateChain.slice(0, 1).map((der) => ({ der })),
      anchors: certificatesOfPem(tsa.authority.caPem),
    }),
    now: () => new Date(),
  },
  sealOutboxId(state.id),
  state.id,
);
const sealed = [...objects.keys()].filter((name) => /(sealed|evidence)\.pdf$/.test(name));
if (sealed.length !== 2) throw new Error('The request was not sealed.');
console.log(Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1_024);
