/** The parts of an address of the URL parser's form, `2001:db8::1`, between its colons. */
const partsOf = (text: string): string[] => (text === '' ? [] : text.split(':'))

/** The eight groups of an IPv6 address, in hexadecimal digits without zeros before them; undefined for anything else. */
export function groupsOf(address: string): string[] | undefined {
  const host = `http://[${address}]`
  if (!address.includes(':') || !URL.canParse(host)) return undefined
  const [front = '', back = ''] = new URL(host).hostname.slice(1, -1).split('::')
  const [first, last] = [partsOf(front), partsOf(back)]
  return [...first, ...new Array<string>(8 - first.length - last.length).fill('0'), ...last]
}

/**
 * The network of an IP address that one person may have: an address of IPv4 is one, of IPv6 it is a /64, whose 2^64 addresses
 * every connection gets. Anything else is returned as it is.
 */
export function networkOf(address: string): string {
  const groups = groupsOf(address)
  if (!groups) return address
  // An address of IPv4 in IPv6 (::ffff:192.0.2.1) keeps all of itself, for all of them are in one /64.
  return groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
    ? groups.join(':')
    : `${groups.slice(0, 4).join(':')}::/64`
}

/** An address of a feed with `https:` for the scheme `webcal:` that calendar programs write. */
export const httpAddress = (address: string): string => address.replace(/^webcals?:/i, 'https:')
