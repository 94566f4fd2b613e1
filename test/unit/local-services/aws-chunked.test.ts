import { unwrap } from '../../../local/services/s3/body.ts';

/** Cuts the text into pieces of this size, so that chunk borders fall anywhere. */
async function* pieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string, size = 7) {
  const trailers = new Map<string, string>();
  const chunks: Buffer[] = [];
  for await (const chunk of unwrap(pieces(text, size), trailers)) chunks.push(chunk);
  return { body: Buffer.concat(chunks).toString(), trailers: Object.fromEntries(trailers) };
}

const STREAM =
  '5\r\nhello\r\n12;ext=1\r\n, chunked \r\nwörld\r\n0\r\nX-Amz-Checksum-CRC32: abc=\r\nx-other:1\r\n\r\n';

it.each([1, 2, 3, 7, 1000])(
  'an aws-chunked stream received in pieces of %s bytes yields its body and trailers',
  async (size) => {
    expect(await read(STREAM, size)).toEqual({
      body: 'hello, chunked \r\nwörld',
      trailers: { 'x-amz-checksum-crc32': 'abc=', 'x-other': '1' },
    });
  },
);

it('an aws-chunked stream may lack trailers and the last line end', async () => {
  expect(await read('2\r\nab\r\n0\r\n')).toEqual({ body: 'ab', trailers: {} });
});

it.each([
  ['ends in a chunk', '5\r\nhel'],
  ['ends between chunks', '5\r\nhello\r\n'],
  ['has a size that is not a number', 'zz\r\nhello\r\n0\r\n\r\n'],
  ['has a chunk longer than its size', '4\r\nhello\r\n0\r\n\r\n'],
])('an aws-chunked stream that %s is refused', async (_what, text) => {
  await expect(read(text)).rejects.toMatchObject({ code: 'IncompleteBody' });
});
