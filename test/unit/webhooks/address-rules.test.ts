import { checkAddress } from '../../../shared/webhooks/address-rules.ts';
import { HOSTILE_URLS, LOOPBACK_URLS } from './hostile-urls.ts';

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
    'https://[2606:4700:4700::1111]/hook',
    'https://notlocalhost.com/',
    'https://internal.example.com/',
  ])('a webhook URL of %s is allowed', (url) => {
    expect(isRefused(url)).toBe(false);
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
