import { certificateExpiries, daysLeft } from '../../../shared/stamping/expiries.ts';
import { makeDemoCa, makeDemoSealIdentity, pem, toPkcs12 } from '../../support/demo-keys.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');

describe('certificateExpiries', () => {
  it('the expiries are those of the configured certificates, or null', () => {
    const ca = makeDemoCa(NOW);
    const p12 = toPkcs12(makeDemoSealIdentity(ca, { now: NOW, test: false }), 'secret').toString('base64');
    const seal = JSON.stringify({ p12_base64: p12, passphrase: 'secret' });
    const timestamp = JSON.stringify({
      authorities: [{ url: 'http://tsa.example.com', ca_pem: pem(ca.certificate) }],
    });
    expect(certificateExpiries({ seal, testSeal: '{}', timestamp }, NOW)).toEqual([
      { certificate: 'seal', expiresAt: expect.stringMatching(/^2029-11-20/), fault: null },
      { certificate: 'test_seal', expiresAt: null, fault: null },
      { certificate: 'timestamp', expiresAt: expect.stringMatching(/^20[34]\d-/), fault: null },
    ]);
  });

  it('an unreadable secret is reported without its content', () => {
    const [seal, testSeal] = certificateExpiries(
      { seal: '{"p12_base64":"AAAA","passphrase":"hush"}', testSeal: 'hush', timestamp: '{}' },
      NOW,
    );
    expect(seal).toMatchObject({ expiresAt: null, fault: expect.stringContaining('key_unreadable') });
    expect(testSeal).toMatchObject({ expiresAt: null, fault: expect.any(String) });
    expect(JSON.stringify([seal, testSeal])).not.toContain('hush');
  });

  it('an expired root counts only if its authority has no other root', () => {
    const rootOf = (year: number) => pem(makeDemoCa(new Date(Date.UTC(year)), `Root of ${year}`).certificate);
    const endsIn = (...roots: string[]) => {
      const authorities = roots.map((ca_pem, index) => ({ url: `http://tsa-${index}.example.com`, ca_pem }));
      const secrets = { seal: '{}', testSeal: '{}', timestamp: JSON.stringify({ authorities }) };
      return certificateExpiries(secrets, NOW)[2]?.expiresAt?.slice(0, 4);
    };
    // Each is valid for twenty years.
    const [ended, ends, lasts] = [rootOf(2002), rootOf(2010), rootOf(2020)];
    expect(endsIn(ended + lasts)).toBe('2039');
    expect(endsIn(ended + lasts + ends)).toBe('2029');
    expect(endsIn(ended, lasts)).toBe('2021');
  });

  it('the remaining time is counted in whole days', () => {
    expect(daysLeft('2026-12-21T12:00:00.000Z', NOW)).toBe(30);
    expect(daysLeft('2026-12-21T11:59:59.999Z', NOW)).toBe(29);
    expect(daysLeft('2026-11-21T11:00:00.000Z', NOW)).toBe(-1);
  });
});
