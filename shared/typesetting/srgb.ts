/**
 * The sRGB colour space (IEC 61966-2-1) as an ICC profile, version 4.2 (ISO 15076-1): a matrix and one curve, in 500
 * bytes. Numbers are relative to the D50 white that profiles count from.
 */
export function srgbProfile(): Buffer {
  const curve = parametricCurve(2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045);
  const tags: [string, Buffer][] = [
    ['desc', text('sRGB')],
    ['cprt', text('No copyright')],
    ['wtpt', xyz(0.9642, 1, 0.8249)],
    ['chad', adaptation(1.04788, 0.02292, -0.0502, 0.02957, 0.99049, -0.01707, -0.00924, 0.01508, 0.75168)],
    ['rXYZ', xyz(0.43607, 0.22249, 0.01392)],
    ['gXYZ', xyz(0.38515, 0.71687, 0.09708)],
    ['bXYZ', xyz(0.14307, 0.06061, 0.7141)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ];
  const table = Buffer.alloc(4 + tags.length * 12);
  table.writeUInt32BE(tags.length);
  const data: Buffer[] = [];
  let end = HEADER_BYTES + table.length;
  tags.forEach(([signature, content], index) => {
    const at = 4 + index * 12;
    table.write(signature, at, 'latin1');
    table.writeUInt32BE(end, at + 4);
    table.writeUInt32BE(content.length, at + 8);
    data.push(content);
    end += content.length;
  });
  return Buffer.concat([header(end), table, ...data]);
}

const HEADER_BYTES = 128;

function header(size: number): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.writeUInt32BE(size);
  bytes.writeUInt32BE(0x04200000, 8);
  bytes.write('mntrRGB XYZ ', 12, 'latin1');
  // The date, which is required: 1 January 2026.
  [2026, 1, 1].forEach((part, index) => {
    bytes.writeUInt16BE(part, 24 + index * 2);
  });
  bytes.write('acsp', 36, 'latin1');
  numbers(0.9642, 1, 0.8249).copy(bytes, 68);
  return bytes;
}

/** ICC's s15Fixed16Number. */
function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => {
    bytes.writeInt32BE(Math.round(value * 65_536), index * 4);
  });
  return bytes;
}

const tag = (type: string, ...content: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from(`${type}\0\0\0\0`, 'latin1'), ...content]);

const xyz = (...values: number[]): Buffer => tag('XYZ ', numbers(...values));
const adaptation = (...values: number[]): Buffer => tag('sf32', numbers(...values));

/** Function type 3: a line up to the last parameter, a power above. */
const parametricCurve = (...parameters: number[]): Buffer =>
  tag('para', Buffer.from([0, 3, 0, 0]), numbers(...parameters));

/** One record in American English; padded, since tags start at multiples of four. */
function text(value: string): Buffer {
  const utf16 = Buffer.from(value, 'utf16le').swap16();
  const record = Buffer.alloc(20);
  record.writeUInt32BE(1, 0);
  record.writeUInt32BE(12, 4);
  record.write('enUS', 8, 'latin1');
  record.writeUInt32BE(utf16.length, 12);
  record.writeUInt32BE(28, 16);
  return tag('mluc', record, utf16, Buffer.alloc(-utf16.length & 3));
}
