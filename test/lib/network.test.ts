import { expect, it } from 'vitest'
import { networkOf } from '../../src/lib/network.ts'

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['1::', '1:0:0:0::/64'],
  ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
  ['::ffff:192.0.2.1', '0:0:0:0:0:ffff:c000:201'],
  ['::ffff:192.0.2.2', '0:0:0:0:0:ffff:c000:202'],
  ['fe80::1%eth0', 'fe80::1%eth0'],
  ['no address: really', 'no address: really'],
])('the network of %s is %s', (address, network) => expect(networkOf(address)).toBe(network))
