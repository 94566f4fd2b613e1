import { ACCESS_TOKEN, REQUEST_ID } from '../../../shared/contract/words/samples.ts';
import { assertLink, copyEndsAt } from '../../../shared/requests/lifecycle.ts';
import {
  copyUrl,
  downloadUrl,
  linkToken,
  requestIdOfToken,
  requestUrl,
  signUrl,
} from '../../../shared/requests/links.ts';
import { DAY } from '../../../shared/runtime/time.ts';
import { newAccessToken } from '../../../shared/verification/code.ts';
import { allBlocks } from '../../support/docs-blocks.ts';
import { sentRequest } from '../../support/requests.ts';
import { iso, refusal, signerOf, withState } from './rules.ts';

const BASE = 'https://sign.example.com';

it('the links lead to the pages and to the API, and a copy’s token stays in the browser', () => {
  expect(signUrl(BASE, { accessToken: 'abc' })).toBe('https://sign.example.com/sign/abc');
  expect(new URL(copyUrl(BASE, 'abc'))).toMatchObject({ pathname: '/sign/copy', hash: '#abc' });
  expect(requestUrl(BASE, 'id-1')).toBe('https://sign.example.com/app/requests/id-1');
  expect(new URL(downloadUrl(BASE, 'id-1')).pathname).toBe('/api/v1/signatures/id-1/document');
});

it('a link’s token names its request, and one of an earlier version none', () => {
  const id = '0b318cbc-70f2-46fd-a0bf-e4b462501297';
  const secret = newAccessToken();
  const token = linkToken(id, secret);
  expect(token).toMatch(/^[\w-]{65}$/);
  expect(token.endsWith(secret)).toBe(true);
  expect(requestIdOfToken(token)).toBe(id);
  for (const other of [secret, token.slice(1), `${token}x`, token.replace(/^./, '.'), ''])
    expect(requestIdOfToken(other)).toBeUndefined();
});

it('a token in the documentation is as long as a real one, and names its request, so that nobody plans for a shorter one', () => {
  expect(requestIdOfToken(ACCESS_TOKEN)).toBe(REQUEST_ID);
  const block = allBlocks('docs/guides/quick-start.md').find(({ language }) => language === 'json');
  const { id, signers } = JSON.parse(block?.code ?? '');
  expect(requestIdOfToken(signers[0].access_token)).toBe(id);
  expect(signers[0].sign_url).toContain(`/sign/${signers[0].access_token}`);
});

it('a link that was replaced does not exist any more', () => {
  const request = sentRequest(1);
  const { id, accessToken } = signerOf(request);
  expect(refusal(() => assertLink(request, id, accessToken))).toBe('accepted');
  expect(refusal(() => assertLink(request, id, 'earlier'))).toBe('not_found');
});

it('a copy can be downloaded until the purge, and no longer than links work', () => {
  const endsAt = (endedAt: string | null, purgeAt: string | null) =>
    copyEndsAt(withState(sentRequest(1), { endedAt, purgeAt }).state);
  expect(endsAt(iso(0), iso(7 * DAY))).toBe(iso(7 * DAY));
  expect(endsAt(iso(0), null)).toBe(iso(30 * DAY));
  expect(endsAt(iso(0), iso(31 * DAY))).toBe(iso(30 * DAY));
  expect(endsAt(null, null)).toBeNull();
});
