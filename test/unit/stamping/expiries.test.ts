import { makeDemoSealIdentity, pem, toPkcs12 } from '../../../admin/demo-keys.ts';
import { certificateExpiries, daysLeft } from '../../../shared/stamping/expiries.ts';
import { testCa } from '../../support/test-ca.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');

describe('certificateExpiries', () => {
  it('the expiries are those of the configured certificates, or null', () => {
    const ca = testCa(NOW);
    const p12 = toPkcs12(makeDemoSealIdentity(ca, { now: NOW, test: false }), 'secret').toString('base64');
    const seal = JSON.stringify({ p12_base64: p12, passphrase: 'secret' });
    const timestamp = JSON.stringify({
      authorities: [{ url: 'http://tsa.example.com', ca_pem: pem(ca.certificate) }],
    });
    expect(certificateExpiries({ seal, testSeal: '{}', timestamp })).toEqual([
      { certificate: 'seal', expiresAt: expect.stringMatching(/^2029-11-20/), fault: null },
      { certificate: 'test_seal', expiresAt: null, fault: null },
      { certificate: 'timestamp', expiresAt: expect.stringMatching(/^20[34]\d-/), fault: null },
    ]);
  });

  it('an unreadable secret is reported without its content', () => {
    const [seal, testSeal] = certificateExpiries({
      seal: '{"p12_base64":"AAAA","passphrase":"hush"}',
      testSeal: 'hush',
      timestamp: '{}',
    });
    expect(seal).toMatchObject({ expiresAt: null, fault: expect.stringContaining('key_unreadable') });
    expect(testSeal).toMatchObject({ expiresAt: null, fault: expect.any(String) });
    expect(JSON.stringify([seal, testSeal])).not.toContain('hush');
  });

  it('the remaining time is counted in whole days', () => {
    expect(daysLeft('2026-12-21T12:00:00.000Z', NOW)).toBe(30);
    expect(daysLeft('2026-12-21T11:59:59.999Z', NOW)).toBe(29);
    expect(daysLeft('2026-11-21T11:00:00.000Z', NOW)).toBe(-1);
  });
});
