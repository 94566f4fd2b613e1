import { imageFacts } from '../../../web/signing/signature/image-facts.ts';
import { drawnSignature } from '../../support/signature-input.ts';

const JPEG_START = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0];
const frame = (marker: number) => [0xff, marker, 0, 11, 8, 0x01, 0x2c, 0x02, 0x58, 1, 1, 0x11, 0];
const jpeg = (...bytes: number[]) => Uint8Array.from([...JPEG_START, ...bytes]);

it('the size of a PNG is read from its header', () => {
  const png = drawnSignature();
  const header = Buffer.from(png);
  expect(imageFacts(png)).toEqual({
    type: 'image/png',
    width: header.readUInt32BE(16),
    height: header.readUInt32BE(20),
  });
});

it.each([
  ['baseline', frame(0xc0)],
  ['progressive', frame(0xc2)],
  ['after tables, whose markers look alike', [0xff, 0xc4, 0, 3, 0, ...frame(0xc0)]],
  ['after fill bytes', [0xff, 0xff, ...frame(0xc0)]],
])('the size of a JPEG is read from its frame header: %s', (_, bytes) => {
  expect(imageFacts(jpeg(...bytes))).toEqual({ type: 'image/jpeg', width: 600, height: 300 });
});

it.each([
  ['no image', new TextEncoder().encode('<svg width="9" height="9"/>')],
  ['nothing', new Uint8Array()],
  ['a PNG that ends early', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0])],
  ['a JPEG that ends early', jpeg(0xff, 0xc0, 0)],
  ['a JPEG without a frame', jpeg(0xff, 0xd9, 0, 2, 0)],
])('a file without a size is refused: %s', (_, bytes) => {
  expect(imageFacts(bytes)).toBeNull();
});
