import { md5OfAttributes, sizeOfAttributes } from '../../../local/services/sqs/message-attributes.ts';

it('The digest of attributes is the one that SQS gives', () => {
  // The value that the tests of moto, another emulator, pin for these attributes.
  const attributes = { timestamp: { DataType: 'Number', StringValue: '1493147359900' } };
  expect(md5OfAttributes(attributes)).toBe('235c5c510d26fb653d073faed50ae77c');
  expect(md5OfAttributes({})).toBeUndefined();
});

it('The digest does not hang on the order of attributes, but on whether a value is text or bytes', () => {
  const a = { DataType: 'String', StringValue: 'x' };
  const b = { DataType: 'String', StringValue: 'y' };
  expect(md5OfAttributes({ a, b })).toBe(md5OfAttributes({ b, a }));
  const bytes = { DataType: 'String', BinaryValue: Buffer.from('x').toString('base64') };
  expect(md5OfAttributes({ a: bytes })).not.toBe(md5OfAttributes({ a }));
});

it('The size of attributes counts names, types and values in bytes', () => {
  expect(sizeOfAttributes({ ü: { DataType: 'Binary', BinaryValue: 'AAAA' } })).toBe(2 + 6 + 3);
});
