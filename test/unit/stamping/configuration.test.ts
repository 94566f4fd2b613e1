import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { certificatesOfPem } from '../../../shared/sealing/certificate.ts';
import { SealError } from '../../../shared/sealing/errors.ts';
import {
  anchorsOf,
  authoritiesOf,
  readFormer,
  readOwnCertificates,
  readSealKey,
  sealKeyOf,
  secretFault,
} from '../../../shared/stamping/configuration.ts';
import { pem, toPkcs12 } from '../../support/demo-keys.ts';
import { demoSealing } from '../sealing/sealing-kit.ts';

const secrets = mockClient(SecretsManagerClient);
const holds = (value: unknown) =>
  secrets.on(GetSecretValueCommand, { SecretId: 'arn' }).resolves({ SecretString: JSON.stringify(value) });

describe('the seal key', () => {
  it('a PKCS#12 file gives its key and chain', async () => {
    const { identity } = demoSealing();
    holds({ p12_base64: toPkcs12(identity, 'secret').toString('base64'), passphrase: 'secret' });
    expect((await readSealKey('arn')).certificateChain.map((der) => Buffer.from(der))).toEqual(
      demoSealing().key.certificateChain.map((der) => Buffer.from(der)),
    );
  });

  it('a PKCS#12 file may have an empty passphrase', () => {
    const { identity } = demoSealing();
    const secret = JSON.stringify({ p12_base64: toPkcs12(identity, '').toString('base64') });
    expect(sealKeyOf(secret).certificateChain.length).toBeGreaterThan(0);
  });

  it.each([sealKeyOf, authoritiesOf])(
    'a secret that is not JSON is not quoted by the error, which is logged',
    (open) => {
      expect(() => open('{"passphrase": open-sesame}')).toThrow(/^(?!.*open)/);
    },
  );

  it('a key is opened once, until the text of its secret changes', () => {
    const { identity } = demoSealing();
    const secret = { p12_base64: toPkcs12(identity, 'secret').toString('base64'), passphrase: 'secret' };
    const key = sealKeyOf(JSON.stringify(secret));
    expect(sealKeyOf(JSON.stringify(secret))).toBe(key);
    expect(() => sealKeyOf(JSON.stringify({ ...secret, passphrase: 'other' }))).toThrow(
      expect.objectContaining({ code: 'key_unreadable' }),
    );
  });

  it('a KMS key is used with its certificates', () => {
    const [certificate = new Uint8Array()] = demoSealing().key.certificateChain;
    const secret = { kms_key_id: 'key-1', certificate_chain_pem: pem(certificate) };
    expect(sealKeyOf(JSON.stringify(secret)).certificateChain).toHaveLength(1);
  });

  it.each([{}, { kms_key_id: 'key-1' }, { certificate_chain_pem: 'x' }, { passphrase: 'x' }])(
    'a secret without a whole key means that none is configured yet: %j',
    (secret) => {
      expect(() => sealKeyOf(JSON.stringify(secret))).toThrow(
        expect.objectContaining({ code: 'key_unavailable', permanent: false }),
      );
    },
  );
});

it('an unreadable secret is reported without its text, and a fault of its key keeps its own code', () => {
  const marked = Object.assign(new Error('marked for deletion'), { name: 'InvalidRequestException' });
  const fault = secretFault('timestamp_unavailable');
  const told = 'its secret cannot be read: InvalidRequestException';
  const expected = { code: 'timestamp_unavailable', told, permanent: false };
  expect(() => fault(marked)).toThrow(expect.objectContaining(expected));
  const unreadable = new SealError('key_unreadable', 'the passphrase is wrong');
  expect(() => fault(unreadable)).toThrow(unreadable);
});

describe('the certificates whose seals are ours', () => {
  const replacedAt = new Date('2026-11-21T10:00:00Z');
  const secretOf = ({ certificateChain }: { certificateChain: Uint8Array[] }, more = {}) =>
    JSON.stringify({
      kms_key_id: 'key-1',
      certificate_chain_pem: certificateChain.map(pem).join(''),
      ...more,
    });
  const at = (VersionStage: string) => secrets.on(GetSecretValueCommand, { SecretId: 'arn', VersionStage });
  const missing = Object.assign(new Error('none'), { name: 'ResourceNotFoundException' });
  const [own, issuer] = demoSealing().key.certificateChain.map((der) => Buffer.from(der));
  const current = () =>
    at('AWSCURRENT').resolves({ SecretString: secretOf(demoSealing().key), CreatedDate: replacedAt });
  const read = async () =>
    (await readOwnCertificates('arn')).map(({ der, ...rest }) => ({ der: Buffer.from(der), ...rest }));

  it('our certificates are the current one without issuers, and the former one until five minutes after its replacement', async () => {
    current();
    at('AWSPREVIOUS').resolves({
      SecretString: secretOf({ certificateChain: [issuer ?? Buffer.alloc(0)] }),
      CreatedDate: new Date(0),
    });
    const until = new Date('2026-11-21T10:05:00Z');
    expect(await read()).toEqual([{ der: own }, { der: issuer, until }]);
  });

  it('our certificates include the older ones listed in the secret, each until its replacement', async () => {
    const oldest = { der_base64: 'b2xkZXN0', until: '2024-11-21T10:05:00.000Z' };
    at('AWSCURRENT').resolves({
      SecretString: secretOf(demoSealing().key, { former: [oldest] }),
      CreatedDate: replacedAt,
    });
    at('AWSPREVIOUS').resolves({
      SecretString: secretOf({ certificateChain: [issuer ?? Buffer.alloc(0)] }),
      CreatedDate: new Date(0),
    });
    const until = new Date('2026-11-21T10:05:00Z');
    const before = { der: Buffer.from('oldest'), until: new Date(oldest.until) };
    expect(await read()).toEqual([{ der: own }, { der: issuer, until }, before]);
    // The next value holds both: the one that is current now becomes the version before.
    expect(await readFormer('arn')).toEqual({
      former: [{ der_base64: issuer?.toString('base64'), until: until.toISOString() }, oldest],
    });
  });

  it('the secret lists at most twelve older certificates, so that it stays within its size limit', async () => {
    const former = Array.from({ length: 13 }, (_, year) => ({
      der_base64: 'b2xk',
      until: new Date(Date.UTC(2030 - year)).toISOString(),
    }));
    at('AWSCURRENT').resolves({
      SecretString: secretOf(demoSealing().key, { former }),
      CreatedDate: replacedAt,
    });
    at('AWSPREVIOUS').rejects(missing);
    expect(await readFormer('arn')).toEqual({ former: former.slice(0, 12) });
  });

  it('our only certificate is the current one if there is no readable former one', async () => {
    current();
    at('AWSPREVIOUS').rejects(missing);
    expect(await read()).toEqual([{ der: own }]);
    for (const SecretString of ['{}', '{"p12_base64": "…', 'null']) {
      at('AWSPREVIOUS').resolves({ SecretString, CreatedDate: new Date(0) });
      expect(await read()).toEqual([{ der: own }]);
      expect(await readFormer('arn')).toBeUndefined();
    }
  });

  it.each([{}, { until: '21.11.2024 10:05' }])(
    'cannot be told if a former one, added by hand, does not say until when it counts: %j',
    async (until) => {
      const SecretString = secretOf(demoSealing().key, { former: [{ der_base64: 'b2xk', ...until }] });
      at('AWSCURRENT').resolves({ SecretString, CreatedDate: replacedAt });
      at('AWSPREVIOUS').rejects(missing);
      const fault = { code: 'key_unavailable', permanent: false };
      await expect(read()).rejects.toMatchObject(fault);
      await expect(readFormer('arn')).rejects.toMatchObject(fault);
    },
  );

  it('our certificates cannot be read before a seal key is configured', async () => {
    at('AWSPREVIOUS').rejects(missing);
    at('AWSCURRENT').rejects(missing);
    await expect(read()).rejects.toMatchObject({ code: 'key_unavailable', permanent: false });
    at('AWSCURRENT').rejects(new Error('throttled'));
    await expect(read()).rejects.toThrow('throttled');
  });
});

describe('timestamp authorities', () => {
  it('authorities are read in order, with the settings they have', () => {
    const secret = JSON.stringify({
      authorities: [
        { url: 'https://a.example.com', ca_pem: 'A', username: 'u', password: 'p', policy_oid: '1.2.3' },
        { url: 'https://b.example.com', ca_pem: 'B' },
      ],
    });
    expect(authoritiesOf(secret)).toEqual([
      { url: 'https://a.example.com', caPem: 'A', username: 'u', password: 'p', policyOid: '1.2.3' },
      { url: 'https://b.example.com', caPem: 'B' },
    ]);
  });

  it('the anchors are the pinned certificates of all authorities', () => {
    const { caPem } = demoSealing().tsa.authority;
    const secret = JSON.stringify({
      authorities: [
        { url: 'https://a.example.com', ca_pem: caPem },
        { url: 'https://b.example.com', ca_pem: caPem },
      ],
    });
    expect(anchorsOf(secret)).toEqual([...certificatesOfPem(caPem), ...certificatesOfPem(caPem)]);
  });

  it('an empty timestamp secret has no authorities', () => {
    expect(authoritiesOf('{}')).toEqual([]);
  });
});
