/** The parts of an address of the URL parser's form, `2001:db8::1`, between its colons. */
const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':'))

/**
 * The network of an IP address that one person may have: an address of IPv4 is one, of IPv6 it is a /64, whose 2^64 addresses
 * every connection gets. Anything else is returned as it is.
 */
export function networkOf(address: string): string {
  if (!URL.canParse(`http://[${address}]`)) return address
  const [front = '', back = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [first, last] = [groupsOf(front), groupsOf(back)]
  const zeros = new Array<string>(8 - first.length - last.length).fill('0')
  const groups = [...first, ...zeros, ...last]
  // An address of IPv4 in IPv6 (::ffff:192.0.2.1) keeps all of itself, for all of them are in one /64.
  return groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
    ? groups.join(':')
    : `${groups.slice(0, 4).join(':')}::/64`
}
