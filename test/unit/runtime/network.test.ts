import { networkHash } from '../../../shared/runtime/network.ts';

it('an IPv6 network is the first half of the address, however it is written', () => {
  expect(networkHash('2001:db8:0:1::7')).toBe(networkHash('2001:0db8:0000:0001:ffff::1'));
  expect(networkHash('2001:db8::1')).toBe(networkHash('2001:db8:0:0:5:6:7:8'));
  expect(networkHash('2001:db8:0:1::7')).not.toBe(networkHash('2001:db8:0:2::7'));
  expect(networkHash('2001:db8::1:2:3:4:5')).toBe(networkHash('2001:db8:0:1::'));
  // 1 and 23, 12 and 3.
  expect(networkHash('2001:1:17:0::')).not.toBe(networkHash('2001:c:3:0::'));
});

it('an IPv4 network is the whole address, and none is another one', () => {
  const networks = ['203.0.113.7', '203.0.113.8', '::', null].map(networkHash);
  expect(new Set(networks).size).toBe(networks.length);
  expect(networkHash('203.0.113.7')).toBe(networks[0]);
});
