import { overdueAt } from '../../shared/requests/renewing.ts';
import { sha256Hex } from '../../shared/runtime/hash.ts';
import { present } from '../../shared/runtime/present.ts';
import { DAY } from '../../shared/runtime/time.ts';
import { readCertificate } from '../../shared/sealing/certificate.ts';
import { timestamper } from '../../shared/sealing/timestamp.ts';
import { keptProver, longTermAt } from '../../shared/stamping/kept-proofs.ts';
import { type Attempt, type Renewing, renewIfDue } from '../../shared/stamping/renew-stored.ts';
import { sealRequest } from '../../shared/stamping/seal-request.ts';
import type { Item } from '../../shared/store/items.ts';
import { ownerKey } from '../../shared/store/keys.ts';
import {
  archivalDocumentOf,
  archivalEvidenceOf,
  originalKey,
  sealedKey,
} from '../../shared/store/objects.ts';
import { sealOutboxId } from '../../shared/store/outbox.ts';
import { loadRequestWithTrail } from '../../shared/store/requests.ts';
import { processDue } from '../../shared/work/due.ts';
import type { DemoIdentity } from './demo-keys.ts';
import { MemoryDynamo } from './memory-dynamo.ts';
import { MemoryObjects } from './memory-objects.ts';
import { ownerItem } from './owners.ts';
import { makePdf } from './pdf.ts';
import { Pki, plainRetrieve } from './pki/pki.ts';
import { NOON, newRequest, OWNER, signedBy } from './requests.ts';
import { changed, storedRequest } from './stored-requests.ts';
import { fetchOf, type Misbehaviour, makeTestAuthority } from './timestamp-authority.ts';

export const YEAR = 365.25 * DAY;

interface FirstSealed {
  id: string;
  items: Item[];
  objects: MemoryObjects['objects'];
}

/** Requests at B-LTA under archive protection, in memory, with a PKI whose clock a test moves. */
export class ArchiveStage {
  readonly memory = new MemoryDynamo();
  readonly pki: Pki;
  readonly #original: Buffer;
  objects = new MemoryObjects();
  now = NOON;
  misbehaviour: Misbehaviour = {};
  /** The authority that is configured. */
  authority: DemoIdentity;
  stamps = 0;
  /** Nothing has happened since the reset. */
  #isFresh = false;
  /** The items and objects after the first sealing since a reset, by level and archive. */
  readonly #firstSealed = new Map<string, FirstSealed>();

  private constructor(pki: Pki, original: Buffer) {
    this.pki = pki;
    this.#original = original;
    this.authority = pki.authority;
  }

  static open = async () => new ArchiveStage(await Pki.open(NOON), await makePdf('A contract', 1));
  close = () => this.pki.close();

  reset(): void {
    this.memory.clear();
    this.objects = new MemoryObjects();
    this.pki.repair();
    this.authority = this.pki.authority;
    this.misbehaviour = {};
    this.stamps = 0;
    this.moveTo(NOON);
    this.#isFresh = true;
  }

  moveTo(time: Date | number | string): void {
    this.#isFresh = false;
    this.now = new Date(time);
    this.pki.now = this.now;
  }

  /** The next authority, issued now. */
  nextAuthority(years = 10): void {
    this.#isFresh = false;
    this.authority = this.pki.issueAuthority('Next authority', years);
  }

  #timestamp() {
    const tsa = makeTestAuthority({
      now: this.now,
      ca: this.pki.root,
      signer: { ...this.authority, issuers: [this.pki.timestamps.certificate] },
    });
    const answer = fetchOf(tsa, () => this.misbehaviour);
    return timestamper([tsa.authority], {
      now: () => this.now,
      fetch: (...call) => {
        this.stamps += 1;
        return answer(...call);
      },
    });
  }

  /** As a new function: nothing in memory. */
  renewing(): Renewing {
    const { table } = this.memory;
    const now = () => this.now;
    return {
      table,
      s3: this.objects.s3,
      bucket: 'documents',
      prove: keptProver({ table, retrieve: plainRetrieve, now }),
      timestamp: this.#timestamp(),
      anchors: [readCertificate(this.pki.root.certificate)],
      now,
    };
  }

  /** A run of the job. */
  async run(): Promise<Attempt[]> {
    const renewing = this.renewing();
    const attempts: Attempt[] = [];
    const time = { now: renewing.now, until: new Date(this.now.getTime() + DAY) };
    const { failed } = await processDue(this.memory.table, 'RENEW', time, async ({ id }) => {
      const attempt = await renewIfDue(renewing, String(id));
      attempts.push(attempt);
      return attempt.renewed;
    });
    if (failed > 0) throw new Error('The job left an item.');
    return attempts;
  }

  /** A request that was signed and sealed at this level. The first after a reset is sealed once; others get a copy of it. */
  async sealed({ level = 'B-LTA', archive = true } = {}): Promise<string> {
    if (!this.#isFresh) return this.#seal(level, archive);
    this.#isFresh = false;
    const kind = `${level} ${archive}`;
    const first = this.#firstSealed.get(kind);
    if (!first) {
      const id = await this.#seal(level, archive);
      const { memory, objects } = this;
      this.#firstSealed.set(kind, { id, items: memory.items, objects: new Map(objects.objects) });
      return id;
    }
    for (const { pk, sk, ...item } of first.items)
      this.memory.set({ ...item, pk: String(pk), sk: String(sk) });
    for (const [key, object] of first.objects) this.objects.objects.set(key, object);
    return first.id;
  }

  async #seal(level: string, archive: boolean): Promise<string> {
    const { table } = this.memory;
    const { content, state } = newRequest(1).request;
    const { id } = state;
    this.memory.set({ ...ownerKey(OWNER.id), ...ownerItem({ id: OWNER.id, archive }) });
    await storedRequest(table, 1, {
      owner: { ...OWNER, archive },
      content: {
        ...content,
        documentSha256: sha256Hex(this.#original),
        documentKey: originalKey(id),
        alreadySigned: false,
      },
      id,
    });
    await changed(table, id, (request, now) => signedBy(request, 0, now));
    this.objects.objects.set(`documents/${originalKey(id)}`, { bytes: this.#original });
    const key = this.pki.sealKey;
    const now = () => this.now;
    const { s3, bucket, timestamp, anchors } = this.renewing();
    await sealRequest(
      {
        table,
        s3,
        bucket,
        timestamp,
        isRepeated: false,
        anchors: async () => anchors,
        baseUrl: 'https://sign.example.com',
        keyFor: async () => key,
        longTerm: longTermAt(level, { table, retrieve: plainRetrieve, now }),
        trustFor: async () => ({ certificates: [{ der: this.pki.seal.certificate }], anchors }),
        now,
      },
      sealOutboxId(id),
      id,
    );
    return id;
  }

  async load(id: string) {
    const request = await loadRequestWithTrail(this.memory.table, id);
    if (!request) throw new Error('The request is gone.');
    return request;
  }

  renewalOf = async (id: string) => present((await this.load(id)).state.renewal, 'renewal');
  dueAt = async (id: string) => (await this.renewalOf(id)).dueAt;
  overdueAt = async (id: string) => overdueAt(await this.renewalOf(id));

  /** The files as they were sealed, and with their newest timestamps. */
  async files(id: string) {
    const { state } = await this.load(id);
    const bytesOf = (key: string) => present(this.objects.objects.get(`documents/${key}`), key).bytes;
    return {
      sealed: bytesOf(sealedKey(id)),
      document: bytesOf(present(archivalDocumentOf(state), 'document').key),
      evidence: bytesOf(present(archivalEvidenceOf(state), 'evidence').key),
    };
  }

  events = async (id: string) =>
    (await this.load(id)).events.filter(({ type }) => type === 'archive_renewed');

  /** The keys of renewed files that are stored. */
  renewedObjects = () => [...this.objects.objects.keys()].filter((key) => key.includes('/renewed/'));
}
