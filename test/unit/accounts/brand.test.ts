import { encode } from 'fast-png';
import { type BrandChanges, changeBrand } from '../../../shared/accounts/brand.ts';
import { LIMITS } from '../../../shared/contract/limits.ts';
import { sha256Hex } from '../../../shared/runtime/hash.ts';
import { ownerKey } from '../../../shared/store/keys.ts';
import { findLogo } from '../../../shared/store/logos.ts';
import { addOwner, findOwner } from '../../../shared/store/owners.ts';
import { readPng } from '../../../shared/typesetting/png.ts';
import { brandOf } from '../../../shared/views/brand.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { ownerItem } from '../../support/owners.ts';

const memory = new MemoryDynamo();
const { table } = memory;

const png = (width: number, height: number, value = 120) =>
  Buffer.from(
    encode({ width, height, channels: 3, depth: 8, data: new Uint8Array(width * height * 3).fill(value) }),
  );

/** A text chunk right after the header, which browsers ignore and which may hold anything. */
const withMetadata = (file: Buffer) => {
  const chunk = Buffer.concat([
    Buffer.from([0, 0, 0, 13]),
    Buffer.from('tEXtGPS\0the house'),
    Buffer.alloc(4),
  ]);
  return Buffer.concat([file.subarray(0, 33), chunk, file.subarray(33)]);
};

const change = (changes: BrandChanges) => changeBrand(table, 'owner-1', changes);
const brand = async () => (await findOwner(table, 'owner-1'))?.brand;

beforeEach(async () => {
  memory.clear();
  await addOwner(table, ownerItem({ id: 'owner-1' }));
});

describe('a change of the brand', () => {
  it('keeps what is left out, and null makes a member neutral', async () => {
    await change({ name: 'Acme', replyTo: 'office@example.com' });
    await change({ timeZone: 'Europe/Helsinki', replyTo: null });
    expect(await brand()).toMatchObject({ name: 'Acme', replyTo: null, timeZone: 'Europe/Helsinki' });
    expect(await change({ name: null })).toMatchObject({ brand: { name: null } });
  });

  it('stores texts without the blanks around them, blanks alone as neutral, and links as URIs', async () => {
    await change({
      name: '\u00a0Acme ',
      replyTo: 'office@example.com\u00a0',
      imprintUrl: ' https://example.com',
    });
    expect(await brand()).toMatchObject({
      name: 'Acme',
      replyTo: 'office@example.com',
      imprintUrl: 'https://example.com',
    });
    expect(await change({ supportUrl: 'https://bücher.example/"<b>' })).toMatchObject({
      brand: { supportUrl: 'https://xn--bcher-kva.example/%22%3Cb%3E' },
    });
    expect(await change({ name: 'Info@Acme.example' })).toMatchObject({
      brand: { name: 'Info@Acme.example' },
    });
    await change({ name: ' \u00a0', replyTo: ' ' });
    expect(await brand()).toMatchObject({ name: null, replyTo: null });
  });

  it.each(['\u202aOffice@example.com\u202c', 'office@example.com\u200b', 'off\u00adice@example.com'])(
    'stores the address %j without what cannot be seen, which SES would refuse',
    async (replyTo) => {
      await change({ replyTo });
      expect(await brand()).toMatchObject({ replyTo: 'office@example.com' });
    },
  );

  it('of nobody changes nothing', async () => {
    expect(await changeBrand(table, 'nobody', { name: 'Acme', logo: png(10, 10) })).toBeUndefined();
    expect(await findLogo(table, sha256Hex(png(10, 10)))).toBeUndefined();
  });

  it('two at the same time both last', async () => {
    await Promise.all([change({ name: 'Acme' }), change({ supportUrl: 'https://example.com/help' })]);
    expect(await brand()).toMatchObject({ name: 'Acme', supportUrl: 'https://example.com/help' });
  });

  it.each<[BrandChanges, RegExp]>([
    [{ name: 'two\nlines' }, /one line/],
    [{ name: '\u202e\u200b' }, /can be seen/],
    [{ accent: 'red' }, /#0b5a53/],
    [{ accent: '#ff0;x' }, /#0b5a53/],
    [{ accent: '#ffcc00' }, /too light/],
    // Enough on white, but not on the ground of the page.
    [{ accent: '#707070' }, /contrast of 4.4, and need 4.5/],
    [{ replyTo: 'a@example.com\r\nBcc: b@example.com' }, /address/],
    [{ replyTo: 'nobody' }, /address/],
    [{ imprintUrl: 'http://example.com' }, /https/],
    [{ privacyUrl: 'http://localhost/' }, /https/],
    [{ supportUrl: 'https://example.com/\ud800' }, /https/],
    [{ privacyUrl: 'javascript:alert(1)' }, /https/],
    [{ supportUrl: 'https://user:secret@example.com' }, /password/],
    [{ supportUrl: 'https://example.com/\u202egnp.exe' }, /https/],
    [{ supportUrl: `https://example.com/${'x'.repeat(2_100)}` }, /at most/],
    [{ timeZone: 'Nowhere/Land' }, /time zone/],
    [{ timeZone: '+02:00' }, /time zone/],
    [{ logo: Buffer.from('GIF89a') }, /not a PNG/],
    [{ logo: png(801, 10) }, /800 by 200/],
    [{ logo: png(10, 201) }, /800 by 200/],
    [{ logo: Buffer.concat([png(10, 10)], 102_401) }, /100 KB/],
    [{ logo: png(40, 40).subarray(0, 60) }, /damaged/],
  ])('is refused for %j', async (changes, problem) => {
    const [member] = Object.keys(changes);
    const before = memory.items;
    await expect(async () => change(changes)).rejects.toMatchObject({
      faults: [{ member, problem: expect.stringMatching(problem) }],
    });
    expect(memory.items).toEqual(before);
  });

  it('takes a logo of the greatest size, the lightest accent, and an address of the greatest length', async () => {
    const changes = {
      logo: png(800, 200),
      accent: '#6f6f6f',
      supportUrl: `https://example.com/${'x'.repeat(LIMITS.returnUrlLength - 20)}`,
    };
    expect(await change(changes)).toMatchObject({ brand: { logo: { width: 800, height: 200 } } });
  });

  it('names everything that is wrong, and nothing that is right', async () => {
    const changes = {
      name: 'Acme',
      accent: 'yellow',
      replyTo: 'nobody',
      timeZone: ' Europe/Helsinki ',
      logo: png(801, 10),
    };
    await expect(async () => change(changes)).rejects.toMatchObject({
      faults: [{ member: 'accent' }, { member: 'replyTo' }, { member: 'logo' }],
      message: expect.stringMatching(/^accent .*; replyTo .*; logo /),
    });
    expect(await brand()).toBeUndefined();
  });
});

describe('a logo', () => {
  it('is stored under the hash of its bytes, with the pixels that were sent and nothing else', async () => {
    const sent = withMetadata(png(80, 20));
    expect(sent.includes('the house')).toBe(true);
    await change({ logo: sent });
    const { logo } = (await brand()) ?? {};
    expect(logo).toMatchObject({ width: 80, height: 20 });
    const stored = Buffer.from((await findLogo(table, logo?.sha256 ?? '')) ?? []);
    expect(sha256Hex(stored)).toBe(logo?.sha256);
    expect(stored.includes('the house')).toBe(false);
    expect(readPng(stored).data).toEqual(readPng(sent).data);
  });

  it('stays while other members change, until null takes it away', async () => {
    await change({ logo: png(10, 10) });
    await change({ name: 'Acme' });
    expect((await brand())?.logo).toMatchObject({ width: 10 });
    await change({ logo: null });
    expect((await brand())?.logo).toBeNull();
  });

  it('of before stays for pages that show it still', async () => {
    await change({ logo: png(10, 10, 1) });
    const first = (await brand())?.logo?.sha256 ?? '';
    await change({ logo: png(10, 10, 2) });
    expect((await brand())?.logo?.sha256).not.toBe(first);
    expect(await findLogo(table, first)).toBeDefined();
  });
});

describe('a page', () => {
  it('shows a brand that has a name, and nothing of an owner whose brand has none', async () => {
    expect(await brandOf(table, { ownerId: 'owner-1' })).toEqual({});
    await change({ replyTo: 'office@example.com', timeZone: 'Europe/Helsinki' });
    expect(await brandOf(table, { ownerId: 'owner-1' })).toEqual({});
    await change({ name: 'Acme', accent: '#0b5a53', logo: png(80, 20) });
    expect(await brandOf(table, { ownerId: 'owner-1' })).toEqual({
      brand: {
        name: 'Acme',
        logo: {
          path: expect.stringMatching(/^\/api\/signing\/v1\/logos\/[0-9a-f]{64}$/),
          width: 80,
          height: 20,
        },
        accent: '#0b5a53',
        imprint_url: null,
        privacy_url: null,
        support_url: null,
      },
    });
  });

  it('shows nothing of an owner from before there were brands', async () => {
    await table.update(ownerKey('owner-1'), { brand: undefined });
    expect(await brandOf(table, { ownerId: 'owner-1' })).toEqual({});
  });
});
