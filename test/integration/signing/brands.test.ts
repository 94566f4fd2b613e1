import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from 'fast-png';
import { sha256Hex } from '../../../shared/runtime/hash.ts';
import { first, type Sent, SigningStage } from '../../support/signing-stage.ts';

/** An owner's brand, as its signers see it. */

let stage: SigningStage;
let logoFile: string;
beforeAll(async () => {
  stage = await SigningStage.open();
  const folder = await mkdtemp(join(tmpdir(), 'brand-'));
  logoFile = join(folder, 'logo.png');
  const data = new Uint8Array(80 * 20 * 3).fill(90);
  await writeFile(logoFile, encode({ width: 80, height: 20, channels: 3, depth: 8, data }));
}, 120_000);
afterAll(() => stage?.close());

const setBrand = (...options: string[]) =>
  stage.service.admin('brand', 'set', stage.client.ownerId, ...options);

it('one owner’s brand is on the pages of its own requests and on no other’s', async () => {
  const [signer, other] = [
    first((await stage.send()).signers),
    await stage.service.client().then(async (stranger) => {
      const { body } = await stranger.post<Sent>('/api/v1/signatures', {
        title: 'Of another',
        signers: [{ email: 'other-brand@example.com', name: 'Olli' }],
        document: { content_base64: stage.pdf.toString('base64') },
      });
      return first(body.signers);
    }),
  ];
  expect((await stage.linkOf(signer).open()).body.brand).toBeUndefined();
  const set = await setBrand(
    '--name',
    'Kotilinna',
    '--accent',
    '#7a1f3d',
    '--imprint',
    'https://example.com/imprint',
    '--logo',
    logoFile,
  );
  expect(await stage.service.admin('brand', 'show', stage.client.ownerId)).toEqual(set);

  // The request is older than the brand, which is read when it is shown.
  const { body: opened } = await stage.linkOf(signer).open();
  expect(opened.brand).toEqual({
    name: 'Kotilinna',
    logo: { path: `/api/signing/v1/logos/${set.logo.sha256}`, width: 80, height: 20 },
    accent: '#7a1f3d',
    imprint_url: 'https://example.com/imprint',
    privacy_url: null,
    support_url: null,
  });
  expect(JSON.stringify(opened)).not.toMatch(/Contract|Person|example\.com(?!\/imprint)/);
  const verified = await stage.verified(signer);
  expect((await verified.view()).body.brand).toEqual(opened.brand);
  for (const answer of [await stage.linkOf(other).open(), await (await stage.verified(other)).view()]) {
    expect(answer.status).toBe(200);
    expect(answer.body.brand).toBeUndefined();
    expect(JSON.stringify(answer.body)).not.toContain('Kotilinna');
  }

  await setBrand('--name', 'none');
  expect((await stage.linkOf(signer).open()).body.brand).toBeUndefined();
});

it('a logo is an immutable picture that runs nothing', async () => {
  const { logo } = await setBrand('--name', 'Kotilinna', '--logo', logoFile);
  const answer = await fetch(`${stage.service.baseUrl}/api/signing/v1/logos/${logo.sha256}`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(sha256Hex(Buffer.from(await answer.arrayBuffer()))).toBe(logo.sha256);
  for (const path of ['0'.repeat(64), 'x', `${logo.sha256}.png`, '..%2f..%2fopen'])
    expect((await fetch(`${stage.service.baseUrl}/api/signing/v1/logos/${path}`)).status).toBe(404);
});

it('invitations are mailed though the address for answers was copied with marks of direction', async () => {
  const { reply_to } = await setBrand('--reply-to', '\u202aOffice@example.com\u202c');
  expect(reply_to).toBe('office@example.com');
  expect((await stage.send()).signers).toMatchObject([{ email_sent: true, email_error: null }]);
  await setBrand('--reply-to', 'none');
});

it('a brand that could not be shown is refused with what is wrong', async () => {
  await expect(setBrand('--accent', '#ffee00')).rejects.toThrow(/--accent is too light/);
  await expect(setBrand('--support', 'http://example.com')).rejects.toThrow(/--support must be an https/);
  await expect(setBrand('--logo', '/nowhere.png')).rejects.toThrow(/cannot be read/);
});
