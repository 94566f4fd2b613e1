import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalClock } from '../../local/clock.ts';
import { TimestampAuthority } from '../../local/timestamp-authority/authority.ts';

/** The timestamp authority of the local cloud, judged by openssl. */

const folder = mkdtempSync(join(tmpdir(), 'timestamps-'));
const file = (name: string) => join(folder, name);
const clock = new LocalClock();
const authority = new TimestampAuthority(folder, clock);

afterAll(() => rmSync(folder, { recursive: true }));

function ask(...options: string[]): Buffer {
  writeFileSync(file('data'), 'what is stamped');
  return execFileSync('openssl', ['ts', '-query', '-data', file('data'), ...options], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** The answer as openssl reads it. */
function told(answer: Buffer): string {
  writeFileSync(file('answer'), answer);
  return execFileSync('openssl', ['ts', '-reply', '-in', file('answer'), '-text'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

function verify(answer: Buffer, ...against: string[]): boolean {
  writeFileSync(file('answer'), answer);
  return (
    spawnSync('openssl', ['ts', '-verify', '-in', file('answer'), '-CAfile', authority.caFile, ...against])
      .status === 0
  );
}

describe('the local timestamp authority', () => {
  it.each(['-sha256', '-sha384', '-sha512'])('openssl verifies its token over %s', (hash) => {
    const query = ask(hash, '-cert');
    writeFileSync(file('query'), query);
    const answer = authority.answer(query);
    // With the query, openssl compares the nonce too.
    expect(verify(answer, '-queryfile', file('query'))).toBe(true);
    expect(verify(answer, '-data', file('data'))).toBe(true);
    writeFileSync(file('other'), 'something else');
    expect(verify(answer, '-data', file('other'))).toBe(false);
    writeFileSync(file('query'), ask(hash, '-cert'));
    expect(verify(answer, '-queryfile', file('query'))).toBe(false);
  });

  it('the certificate is included only on request', () => {
    const answer = authority.answer(ask('-sha256'));
    expect(verify(answer, '-data', file('data'))).toBe(false);
    expect(verify(answer, '-data', file('data'), '-untrusted', file('certificate.pem'))).toBe(true);
  });

  it('its certificate is for timestamps alone, issued by its own root', () => {
    const extensions = execFileSync(
      'openssl',
      ['x509', '-in', file('certificate.pem'), '-noout', '-ext', 'extendedKeyUsage,keyUsage'],
      { encoding: 'utf8' },
    );
    expect(extensions.replaceAll(/\s+/g, ' ').trim()).toBe(
      'X509v3 Key Usage: critical Digital Signature X509v3 Extended Key Usage: critical Time Stamping',
    );
  });

  it('tokens carry the local clock and unique serial numbers', () => {
    clock.advance(400 * 86_400_000);
    const [first, second] = [told(authority.answer(ask())), told(authority.answer(ask()))];
    const time = Date.parse(/Time stamp: (.+)/.exec(first)?.[1] ?? '');
    expect(Math.abs(time - clock.now())).toBeLessThan(5_000);
    const serial = (text: string) => /Serial number: (\S+)/.exec(text)?.[1];
    expect(serial(first)).not.toBe(serial(second));
  });

  it.each([
    ['what is no request', () => Buffer.from('hello'), 'the data submitted has the wrong format'],
    ['nothing', () => Buffer.alloc(0), 'the data submitted has the wrong format'],
    ['half a request', () => ask('-sha256').subarray(0, 20), 'the data submitted has the wrong format'],
    ['an old hash', () => ask('-sha1'), 'unrecognized or unsupported algorithm'],
  ])('%s is refused with the status of the protocol', (_what, request, reason) => {
    const text = told(authority.answer(request()));
    expect(text).toContain('Status: Rejected.');
    expect(text).toContain(reason);
  });

  it('certificates survive a restart', () => {
    const answer = new TimestampAuthority(folder, clock).answer(ask('-cert'));
    expect(verify(answer, '-data', file('data'))).toBe(true);
  });
});
