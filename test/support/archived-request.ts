import { sha256Hex } from '../../shared/runtime/hash.ts';
import { after, MINUTE } from '../../shared/runtime/time.ts';
import { holdsUntil } from '../../shared/sealing/long-term/holds-until.ts';
import type { Item } from '../../shared/store/items.ts';
import { metaKey } from '../../shared/store/keys.ts';
import { evidenceKey, sealedKey } from '../../shared/store/objects.ts';
import { loadRequest } from '../../shared/store/requests.ts';
import { retryOnConflict } from '../../shared/store/retry-on-conflict.ts';
import type { Table } from '../../shared/store/table.ts';
import { bucket, output, replaceObject, tableOf } from './aws.ts';
import { pem } from './demo-keys.ts';
import { makePdf } from './pdf.ts';
import { Pki } from './pki/pki.ts';
import { sealAt } from './pki/seal-at.ts';
import type { ApiClient, Service } from './service.ts';

/** The stored requests of a client with an archive, with files at B-LTA as a stack of that level would have stored them. */
export class Archive {
  readonly pki: Pki;
  readonly client: ApiClient;
  readonly table: Table;
  readonly #service: Service;

  private constructor(service: Service, pki: Pki, client: ApiClient) {
    this.#service = service;
    this.pki = pki;
    this.client = client;
    this.table = tableOf(service);
  }

  static async open(service: Service): Promise<Archive> {
    const pki = await Pki.open(new Date(service.cloud.clock.now()), '', 'rsa');
    return new Archive(service, pki, await service.client({ archive: true }));
  }

  close = () => this.pki.close();

  /** The timestamp secret of a service that asks this PKI's authority. */
  get secret() {
    return { authorities: [{ url: this.pki.stampUrl, ca_pem: pem(this.pki.root.certificate) }] };
  }

  /** A signed request of one signer, with other files in place of its own. */
  async signed(email: string): Promise<string> {
    const content_base64 = (await makePdf()).toString('base64');
    const { body } = await this.client.post('/api/v1/signatures', {
      title: 'Contract',
      signers: [{ email, name: 'Ann' }],
      document: { content_base64 },
    });
    const signer = await this.#service.verifiedSigner(body.signers[0].access_token, email);
    await signer.sign();
    await this.#service.untilStatus(this.client, body.id, 'signed');
    const { bytes } = await sealAt(this.pki, 'B-LTA', await makePdf());
    const s3 = bucket(this.#service);
    for (const key of [sealedKey(body.id), evidenceKey(body.id)])
      await replaceObject(s3, { Bucket: output(this.#service, 'DocumentsBucket'), Key: key, Body: bytes });
    s3.destroy();
    const hash = sha256Hex(bytes);
    const endsAt = holdsUntil(bytes) ?? '';
    const renewal = { dueAt: endsAt, endsAt, failures: 0, fault: null, nextAttemptAt: null };
    await this.set(body.id, { documentHash: hash, evidenceHash: hash, renewal });
    return body.id;
  }

  /** Its renewal is due now, by an authority with a new certificate. The shard is the first one. */
  async makeDue(id: string, years: number): Promise<void> {
    const now = new Date(this.#service.cloud.clock.now());
    this.pki.now = now;
    this.pki.stampsWith = this.pki.issueAuthority(`Authority of ${years} years`, years);
    const { renewal } = await this.state(id);
    // A minute ago: the clock of a command may be behind that of the service by a moment.
    const dueAt = after(now, -MINUTE);
    await this.set(id, {
      renewal: { ...renewal, dueAt, nextAttemptAt: null },
      due_pk: 'RENEW#0',
      due_sk: `${dueAt}#${id}`,
    });
  }

  /** As a change of the request would: mails that are under way write it too. */
  set = (id: string, values: Item): Promise<void> =>
    retryOnConflict(async () => {
      const { version } = await this.state(id);
      const unchanged = { expression: '#version = :version', values: { version } };
      await this.table.update(metaKey(id), { ...values, version: version + 1 }, unchanged);
    });

  async state(id: string) {
    const request = await loadRequest(this.table, id);
    if (!request) throw new Error('The request is gone.');
    return request.state;
  }

  /** Both files, as they were sealed or in another form. */
  async files(id: string, query = ''): Promise<Buffer[]> {
    const path = `/api/v1/signatures/${id}`;
    const answers = [
      await this.client.get(`${path}/document${query}`),
      await this.client.get(`${path}/evidence.pdf${query}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    return answers.map(({ bytes }) => bytes);
  }

  /** Checks that the archival forms are longer files which begin with the sealed ones. */
  async expectRenewed(id: string): Promise<void> {
    const [sealed, archival] = [await this.files(id), await this.files(id, '?form=archival')];
    for (const [index, longer] of archival.entries()) {
      const shorter = sealed[index] ?? Buffer.alloc(0);
      expect(longer.length).toBeGreaterThan(shorter.length);
      expect(longer.subarray(0, shorter.length).equals(shorter)).toBe(true);
    }
  }
}
