import { LIMITS } from '../../../shared/contract/limits.ts';
import { checkAddress, configuredAddressPolicy } from '../../../shared/webhooks/address-rules.ts';
import { HOSTILE_URLS, LOOPBACK_URLS } from '../../support/hostile-urls.ts';

const isRefused = (url: string, development = false) => 'problem' in checkAddress(url, { development });

describe('checkAddress', () => {
  it.each(HOSTILE_URLS)('a webhook URL of $shown is refused: $why', ({ url }) => {
    expect(isRefused(url)).toBe(true);
  });

  it.each(HOSTILE_URLS)('a webhook URL of $shown is refused even in development: $why', ({ url }) => {
    expect(isRefused(url, true)).toBe(true);
  });

  it('the list of hostile URLs contains more than sixty', () => {
    expect(HOSTILE_URLS.length).toBeGreaterThan(60);
  });

  it.each([
    'https://example.com/hook',
    'https://example.com',
    'https://example.com:443/hook',
    'https://hooks.example.co.uk/a/b?c=d&e=%20',
    'https://münchen.example/hook',
    'https://8.8.8.8/hook',
    'https://notlocalhost.com/',
    'https://internal.example.com/',
  ])('a webhook URL of %s is allowed', (url) => {
    expect(isRefused(url)).toBe(false);
  });

  it('a webhook URL of an IPv6 address is refused, since the service would never reach it', () => {
    const checked = checkAddress('https://[2606:4700:4700::1111]/hook', { development: false });
    expect(checked).toEqual({ problem: 'must have a name or an IPv4 address: nothing is called by IPv6' });
  });

  it('a webhook URL in development has the addresses of the loopback, to which the connection is held', () => {
    const loopbackOf = (url: string) => {
      const checked = checkAddress(url, { development: true });
      return 'problem' in checked ? checked.problem : checked.loopback;
    };
    expect(loopbackOf('http://localhost:3000/')).toEqual(['127.0.0.1', '::1']);
    expect(loopbackOf('http://127.0.0.1:3000/')).toEqual(['127.0.0.1']);
    expect(loopbackOf('http://[::1]:3000/')).toEqual(['::1']);
    expect(loopbackOf('https://example.com/')).toBeUndefined();
  });

  it('a webhook URL can be as long as the contract says, and its host as long as DNS allows', () => {
    const long = (length: number) => `https://example.com/${'a'.repeat(length - 20)}`;
    expect(
      [LIMITS.webhookUrlLength, LIMITS.webhookUrlLength + 1].map((length) => isRefused(long(length))),
    ).toEqual([false, true]);
    // It is kept as a URI, and checked again before each delivery.
    expect(isRefused(`https://example.com/${'ä'.repeat(LIMITS.webhookUrlLength / 6)}`)).toBe(true);
    const host = (length: number) => `https://${'a.'.repeat((length - 5) / 2)}a.com/`;
    expect([253, 255].map((length) => isRefused(host(length)))).toEqual([false, true]);
  });

  it('a URL that is refused says what to change', () => {
    const problems = [
      'http://example.com/',
      'https://a@example.com/',
      'https://example.com:8443/',
      'example.com/hook',
      'https://example.com/a hook',
      `https://example.com/${'ä'.repeat(LIMITS.webhookUrlLength / 6)}`,
      'https://example.com./',
      'https://10.0.0.1/',
    ].map((url) => {
      const checked = checkAddress(url, { development: false });
      return 'problem' in checked && checked.problem;
    });
    expect(problems).toEqual([
      'must be an https address',
      'must not contain a user name or password',
      'must use port 443',
      'must be a whole address, such as https://client.example.com/hooks',
      'must not contain spaces, backslashes or characters that cannot be seen',
      'must be at most 2048 characters, encoded as a URI',
      'must have a host name of at most 253 characters, without a dot at its end',
      'must point to a public address',
    ]);
  });

  it('local addresses are allowed where the setting says so, and nowhere else', () => {
    const allowed = (value: string | undefined) => {
      if (value === undefined) delete process.env.ALLOW_LOCAL_WEBHOOKS;
      else process.env.ALLOW_LOCAL_WEBHOOKS = value;
      return configuredAddressPolicy().development;
    };
    expect([allowed('true'), allowed('false'), allowed(undefined)]).toEqual([true, false, false]);
  });

  it.each(LOOPBACK_URLS)('a webhook URL of %s is allowed in development only', (url) => {
    expect(isRefused(url, true)).toBe(false);
    expect(isRefused(url)).toBe(true);
  });

  it.each([
    'http://127.0.0.2/',
    'http://127.1/',
    'http://2130706433/',
    'http://localhost.:3000/',
    'http://foo.localhost:3000/',
    'http://user@localhost/',
    'http://localhost@10.0.0.1/',
    'http://[::ffff:127.0.0.1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://0.0.0.0:3000/',
    'http://10.0.0.1/',
    'https://localhost:3000/',
    'https://127.0.0.1/',
  ])('a webhook URL of %s is refused even in development', (url) => {
    expect(isRefused(url, true)).toBe(true);
  });
});
