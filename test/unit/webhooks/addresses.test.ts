import fc from 'fast-check';
import { isPublicAddress } from '../../../shared/webhooks/addresses.ts';

describe('isPublicAddress', () => {
  it.each(['8.8.8.8', '1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '2a00:1450:4010:c0e::71'])(
    '%s is a public address',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each(['', 'example.com', '8.8.8', '134744072', '0x8.8.8.8', '8.8.8.8 ', '[2606:4700::1]'])(
    '%j is not an IP address',
    (text) => expect(isPublicAddress(text)).toBe(false),
  );

  it('an IPv6 address that embeds an IPv4 address is never public', () => {
    const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
    fc.assert(
      fc.property(
        group,
        group,
        fc.constantFrom('::ffff:', '::ffff:0:', '::', '64:ff9b::', '2002:'),
        (high, low, prefix) => {
          const tail = prefix === '2002:' ? '::' : '';
          return !isPublicAddress(`${prefix}${high}:${low}${tail}`);
        },
      ),
    );
  });

  it('an address of a private IPv4 network is never public', () => {
    const byte = fc.integer({ min: 0, max: 255 });
    const inside = fc.oneof(
      fc.tuple(fc.constant(10), byte, byte, byte),
      fc.tuple(fc.constant(127), byte, byte, byte),
      fc.tuple(fc.constant(0), byte, byte, byte),
      fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
      fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
      fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte),
    );
    fc.assert(fc.property(inside, (bytes) => !isPublicAddress(bytes.join('.'))));
  });
});
