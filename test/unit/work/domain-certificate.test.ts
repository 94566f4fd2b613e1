import { connect } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { certificatesOfPem } from '../../../shared/sealing/certificate.ts';
import { domainExpiry } from '../../../shared/work/domain-certificate.ts';
import { closeReceivers, httpsReceiver, rawReceiver } from '../webhooks/receivers.ts';

const before = getCACertificates('default');
afterEach(() => {
  closeReceivers();
  setDefaultCACertificates(before);
});

/** Attempts that follow one another without a pause. */
const at = (port: number) => ({ port, pauses: [0] });
const received = (name: string) => httpsReceiver(name, (_request, response) => response.end());

describe('the certificate of the domain', () => {
  it('ends when the one ends that the domain shows', async () => {
    const { port, certificate } = await received('localhost');
    setDefaultCACertificates([...before, certificate]);
    const [end] = certificatesOfPem(certificate).map(({ notAfter }) => notAfter.toISOString());
    expect(await domainExpiry('localhost', at(port))).toEqual({
      certificate: 'domain',
      expiresAt: end,
      fault: null,
    });
  });

  it('is read over a connection that is closed at once', async () => {
    const { port, certificate } = await received('localhost');
    setDefaultCACertificates([...before, certificate]);
    const closed = Promise.withResolvers<void>();
    const proxy = await rawReceiver((socket) => {
      socket.pipe(connect(port, '127.0.0.1')).pipe(socket);
      socket.once('end', closed.resolve);
    });
    await domainExpiry('localhost', { ...at(proxy), limitMs: 60_000 });
    await closed.promise;
  });

  it('is at fault if browsers do not trust it', async () => {
    const { port } = await received('localhost');
    expect(await domainExpiry('localhost', at(port))).toMatchObject({
      expiresAt: null,
      fault: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
  });

  it('is at fault if it names another host', async () => {
    const { port, certificate } = await received('other.example.com');
    setDefaultCACertificates([...before, certificate]);
    expect(await domainExpiry('localhost', at(port))).toMatchObject({
      expiresAt: null,
      fault: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
  });

  it('is at fault if DNS does not know the domain', async () => {
    expect(await domainExpiry('none.invalid', at(443))).toMatchObject({
      expiresAt: null,
      fault: expect.any(String),
    });
  });

  it('is read once the domain answers again, for one attempt may fail', async () => {
    const { port, certificate } = await received('localhost');
    setDefaultCACertificates([...before, certificate]);
    let calls = 0;
    const proxy = await rawReceiver((socket) => {
      calls += 1;
      if (calls === 1) socket.destroy();
      else socket.pipe(connect(port, '127.0.0.1')).pipe(socket);
    });
    expect(await domainExpiry('localhost', at(proxy))).toMatchObject({
      expiresAt: expect.any(String),
      fault: null,
    });
  });

  it('is at fault if the domain takes the connection and says nothing', async () => {
    const port = await rawReceiver(() => {});
    expect(await domainExpiry('localhost', { ...at(port), limitMs: 20 })).toMatchObject({
      expiresAt: null,
      fault: 'no answer in time',
    });
  });
});
