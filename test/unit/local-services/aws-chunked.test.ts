import { unwrap } from '../../../local/services/s3/body.ts';

function read(text: string) {
  const { body, trailers } = unwrap(Buffer.from(text));
  return { body: body.toString(), trailers: Object.fromEntries(trailers) };
}

const STREAM =
  '5\r\nhello\r\n12;ext=1\r\n, chunked \r\nwörld\r\n0\r\nX-Amz-Checksum-CRC32: abc=\r\nx-other:1\r\n\r\n';

it('an aws-chunked body yields its content and its trailers', () => {
  expect(read(STREAM)).toEqual({
    body: 'hello, chunked \r\nwörld',
    trailers: { 'x-amz-checksum-crc32': 'abc=', 'x-other': '1' },
  });
});

it('an aws-chunked body may lack trailers and the last line end', () => {
  expect(read('2\r\nab\r\n0\r\n')).toEqual({ body: 'ab', trailers: {} });
});

it.each([
  ['ends in a chunk', '5\r\nhel'],
  ['ends between chunks', '5\r\nhello\r\n'],
  ['has a size that is not a number', 'zz\r\nhello\r\n0\r\n\r\n'],
  ['has a chunk longer than its size', '4\r\nhello\r\n0\r\n\r\n'],
])('an aws-chunked body that %s is refused', (_what, text) => {
  expect(() => read(text)).toThrow('The request body terminated unexpectedly');
});
