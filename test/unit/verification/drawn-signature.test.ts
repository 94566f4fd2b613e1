import { createHash } from 'node:crypto';
import { decode, encode } from 'fast-png';
import { readPng } from '../../../shared/typesetting/png.ts';
import { redraw } from '../../../shared/verification/drawn-signature.ts';

const WHITE = [255, 255, 255];

/** A picture of one colour whose last pixel has another. */
function picture(background: number[], pixel = background, width = 5, height = 3): string {
  const data = new Uint8Array(Array.from({ length: width * height }, () => background).flat());
  data.set(pixel, data.length - pixel.length);
  const channels = background.length as 3 | 4;
  return Buffer.from(encode({ width, height, channels, depth: 8, data })).toString('base64');
}

/** The same picture with a text chunk. */
function withComment(base64: string, comment: string): string {
  const png = Buffer.from(base64, 'base64');
  const chunk = Buffer.alloc(12 + comment.length);
  chunk.writeUInt32BE(comment.length, 0);
  chunk.write(`tEXt${comment}`, 4, 'latin1');
  return Buffer.concat([png.subarray(0, -12), chunk, png.subarray(-12)]).toString('base64');
}

const refusal = (base64: string) => {
  try {
    redraw(base64);
    return undefined;
  } catch (error) {
    return error;
  }
};

describe('drawn signatures', () => {
  it.each([
    ['a dark pixel', WHITE, [0, 0, 0]],
    ['a pixel that lacks red', WHITE, [223, 255, 255]],
    ['a pixel that lacks green', WHITE, [255, 223, 255]],
    ['a pixel that lacks blue', WHITE, [255, 255, 223]],
    ['a pixel that just shows', [255, 255, 255, 255], [0, 0, 0, 33]],
    ['a dark one among clear ones', [0, 0, 0, 0], [10, 20, 30, 255]],
  ])('a drawing with %s keeps its size and pixels', (_what, background, pixel) => {
    const sent = picture(background, pixel);
    const { png, sha256 } = redraw(sent);
    const [before, after] = [decode(Buffer.from(sent, 'base64')), decode(png)];
    expect(after).toMatchObject({ width: 5, height: 3, channels: background.length, depth: 8 });
    expect([...after.data]).toEqual([...before.data]);
    expect(sha256).toBe(createHash('sha256').update(png).digest('hex'));
  });

  it.each([
    ['white', WHITE, WHITE],
    ['white but for a pixel that is as good as white', WHITE, [224, 224, 224]],
    ['clear', [0, 0, 0, 0], [0, 0, 0, 0]],
    ['clear but for a pixel that is as good as clear', [255, 255, 255, 0], [0, 0, 0, 32]],
    ['white on white', [255, 255, 255, 255], [255, 255, 255, 255]],
  ])('a drawing that is %s is refused as empty', (_what, background, pixel) => {
    expect(refusal(picture(background, pixel))).toMatchObject({
      code: 'invalid_signature',
      message: expect.stringContaining('signature.png_base64 is empty'),
      fields: { field: '/signature/png_base64' },
    });
  });

  it('only the pixels of the uploaded file are kept', () => {
    const sent = withComment(picture(WHITE, [0, 0, 0]), 'Author\0someone');
    expect(redraw(sent).png.includes('someone')).toBe(false);
  });

  it('the same pixels give the same file, however they were uploaded', () => {
    const sent = picture(WHITE, [0, 0, 0]);
    expect(redraw(withComment(sent, 'x\0y')).sha256).toBe(redraw(sent).sha256);
    expect(redraw(picture(WHITE, [0, 0, 1])).sha256).not.toBe(redraw(sent).sha256);
  });

  it('a drawing in grey is stored in colour', () => {
    const grey = encode({ width: 2, height: 1, channels: 1, depth: 8, data: new Uint8Array([0, 255]) });
    const { data } = readPng(redraw(Buffer.from(grey).toString('base64')).png);
    expect([...data]).toEqual([0, 0, 0, 255, 255, 255, 255, 255]);
  });

  it.each([
    ['no PNG', Buffer.from('GIF89a and so on, and so on, and on'), 'is not a PNG'],
    ['nothing', Buffer.alloc(0), 'is not a PNG'],
    ['too wide', sized(2_001, 10), 'at most 2000 by 1000'],
    ['too high', sized(10, 1_001), 'at most 2000 by 1000'],
    ['interlaced', interlaced(), 'must not be interlaced'],
    ['cut off', Buffer.from(picture(WHITE, [0, 0, 0]), 'base64').subarray(0, -20), 'is damaged'],
  ])('a drawing that is %s is refused with the reason', (_what, bytes, reason) => {
    expect(refusal(bytes.toString('base64'))).toMatchObject({
      code: 'invalid_signature',
      message: expect.stringMatching(new RegExp(`^signature\\.png_base64 .*${reason}`)),
    });
  });
});

function sized(width: number, height: number): Buffer {
  const png = Buffer.from(picture(WHITE, [0, 0, 0]), 'base64');
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png;
}

function interlaced(): Buffer {
  const png = Buffer.from(picture(WHITE, [0, 0, 0]), 'base64');
  png.writeUInt8(1, 28);
  return png;
}
