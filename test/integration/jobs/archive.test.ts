import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Fault } from '../../../local/ports.ts';
import { HOUR } from '../../../shared/runtime/time.ts';
import { Archive } from '../../support/archived-request.ts';
import { withSecret } from '../../support/aws.ts';
import { pem } from '../../support/demo-keys.ts';
import { makePdf } from '../../support/pdf.ts';
import { Pki } from '../../support/pki/pki.ts';
import { sealAt } from '../../support/pki/seal-at.ts';
import { follow } from '../../support/runbook.ts';
import { Service } from '../../support/service.ts';
import { someOf } from '../../support/thorough.ts';

/** Renewal of archived files by the job and by an operator, on the local cloud with a PKI of its own. */

const JOB = 'gather-revocation';

let service: Service;
let archive: Archive;
let folder: string;
beforeAll(async () => {
  service = await Service.startCold();
  archive = await Archive.open(service);
  folder = mkdtempSync(join(tmpdir(), 'archive-'));
}, 90_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await archive?.close();
  await service?.stop();
});

afterEach(() => archive.pki.repair());

const withAuthority = (work: () => Promise<void>) =>
  withSecret(service, 'TimestampSecretArn', archive.secret, work);
const events = async (id: string): Promise<unknown[]> => {
  const { body } = await archive.client.get(`/api/v1/signatures/${id}`);
  return body.audit_trail.events.filter(({ type }: { type: string }) => type === 'archive_renewed');
};
/** A command of the runbook. */
const followHere = (section: string, command: string, values = {}) => {
  const [, ...words] = follow(section, command, values);
  return service.admin(...words);
};

describe('archived files', () => {
  it('that cannot be renewed are shown with the reason, and renewed by an operator', async () => {
    const id = await archive.signed('fails@example.com');
    await archive.makeDue(id, 12);
    archive.pki.break('timestamps', 'ocsp', { status: 503 });
    archive.pki.break('timestamps', 'list', { status: 503 });
    await withAuthority(async () => {
      await service.runSchedule(JOB);
      const status = await followHere('Renewals that are overdue', 'admin archive status');
      expect(status.due).toBe(1);
      expect(status.due_requests).toMatchObject([
        { request_id: id, failures: 1, fault: expect.stringContaining('HTTP 503'), renewals: 0 },
      ]);
      expect(await archive.files(id, '?form=archival')).toEqual(await archive.files(id));
      archive.pki.repair();
      const renewed = await followHere('Renewals that are overdue', 'admin archive renew ID', { ID: id });
      expect(renewed).toMatchObject({ request_id: id, renewals: 1, failures: 0, fault: null });
      const { due, next_requests: next } = await service.admin('archive', 'status');
      expect([due, next]).toEqual([0, [expect.objectContaining({ request_id: id, overdue: false })]]);
    });
    await archive.expectRenewed(id);
    expect(await events(id)).toHaveLength(1);
  });

  it('are renewed by the next authority if the certificate of the first cannot be proved', async () => {
    const id = await archive.signed('unproved@example.com');
    await archive.makeDue(id, 12);
    const other = await Pki.open(new Date(service.cloud.clock.now()));
    for (const kind of ['ocsp', 'list'] as const) other.break('timestamps', kind, { status: 503 });
    const unproved = { url: other.stampUrl, ca_pem: pem(other.root.certificate) };
    const both = { authorities: [unproved, ...archive.secret.authorities] };
    await withSecret(service, 'TimestampSecretArn', both, async () => {
      await service.runSchedule(JOB);
    });
    await other.close();
    await archive.expectRenewed(id);
  });

  const beforeAndAfter = (name: string, operation: string): [string, string, Fault['effect']][] => [
    [name, operation, 'kill'],
    [name, operation, 'kill-after'],
  ];
  it.each(
    someOf(
      [
        ...beforeAndAfter('dynamodb', 'PutItem'),
        ...beforeAndAfter('s3', 'GetObject'),
        ...beforeAndAfter('s3', 'PutObject'),
        ...beforeAndAfter('dynamodb', 'TransactWriteItems'),
      ],
      2,
    ),
  )('whose renewal is interrupted at %s %s (%s) are renewed once', async (name, operation, effect) => {
    const id = await archive.signed(`${operation}-${effect}@example.com`.toLowerCase());
    await archive.makeDue(id, 12);
    await withAuthority(async () => {
      service.fault({ service: name, operation, function: JOB, after: 1, effect });
      await service.runSchedule(JOB).catch(() => undefined);
      expect(service.cloud.services.faults()).toEqual([]);
      await service.runSchedule(JOB);
    });
    await archive.expectRenewed(id);
    expect(await events(id)).toHaveLength(1);
    service.advance(2 * HOUR);
    await service.runSchedule('sweep');
    await archive.expectRenewed(id);
  });
});

describe('archive renew of a file at hand', () => {
  const write = (name: string, bytes: Uint8Array) => {
    const file = join(folder, name);
    writeFileSync(file, bytes);
    return file;
  };

  it('writes a longer file that begins with the given one, and never over another', async () => {
    archive.pki.now = new Date(service.cloud.clock.now());
    const { bytes } = await sealAt(archive.pki, 'B-LTA', await makePdf());
    const [file, out] = [write('sealed.pdf', bytes), join(folder, 'renewed.pdf')];
    await withAuthority(async () => {
      const { size } = await service.admin('archive', 'renew', file, '--out', out);
      const renewed = readFileSync(out);
      expect(size).toBe(renewed.length);
      expect(size).toBeGreaterThan(bytes.length);
      expect(renewed.subarray(0, bytes.length).equals(bytes)).toBe(true);
      await expect(service.admin('archive', 'renew', file, '--out', out)).rejects.toThrow('exists already');
    });
  });

  it('says why a file without a document timestamp is not renewed', async () => {
    const [file, out] = [write('plain.pdf', await makePdf()), join(folder, 'none.pdf')];
    await expect(service.admin('archive', 'renew', file, '--out', out)).rejects.toThrow(
      'there is no document timestamp',
    );
    expect(existsSync(out)).toBe(false);
  });

  it('says that a request has no such files', async () => {
    await expect(service.admin('archive', 'renew', 'no-request')).rejects.toThrow('There is no request');
  });
});
