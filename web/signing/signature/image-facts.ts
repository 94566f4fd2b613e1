interface ImageFacts {
  readonly type: 'image/png' | 'image/jpeg';
  readonly width: number;
  readonly height: number;
}

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const PNG_SIZE_AT = 16;

/** Reads the size that a PNG or JPEG states, before decoding it. Null for other files. */
export function imageFacts(bytes: Uint8Array): ImageFacts | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (PNG_SIGNATURE.every((byte, at) => bytes[at] === byte))
      return {
        type: 'image/png',
        width: view.getUint32(PNG_SIZE_AT),
        height: view.getUint32(PNG_SIZE_AT + 4),
      };
    return bytes[0] === 0xff && bytes[1] === 0xd8 ? jpegFacts(view) : null;
  } catch {
    // The file ends before its size.
    return null;
  }
}

/** A frame header (SOF) has the size. The markers C4, C8 and CC in this range are other segments. */
const isFrameHeader = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function jpegFacts(view: DataView): ImageFacts | null {
  for (let at = 2; view.getUint8(at) === 0xff; ) {
    const marker = view.getUint8(at + 1);
    // Fill bytes may precede a marker.
    if (marker === 0xff) at += 1;
    else if (isFrameHeader(marker))
      return { type: 'image/jpeg', height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    else at += 2 + view.getUint16(at + 2);
  }
  return null;
}
