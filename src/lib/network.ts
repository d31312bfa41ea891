/** The parts of an address of the URL parser's form, `2001:db8::1`, between its colons. */
const partsOf = (text: string): string[] => (text === '' ? [] : text.split(':'))

/** The eight groups of an IPv6 address, in hexadecimal digits without zeros before them; undefined for anything else. */
function groupsOf(address: string): string[] | undefined {
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

// https://www.iana.org/assignments/iana-ipv4-special-registry and …/iana-ipv6-special-registry: addresses that lead to the
// machine itself, to its neighbours, or to nobody.

/** IPv4 networks: the address as a number, and the bits that count. */
const NETWORKS: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]

const numberOf = (ipv4: string): number => ipv4.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

const isPrivateNumber = (address: number): boolean =>
  NETWORKS.some(([network, bits]) => {
    const size = 2 ** (32 - bits)
    return Math.floor(address / size) === Math.floor(numberOf(network) / size)
  })

function isPrivateIpv6(groups: readonly number[]): boolean {
  const [a = 0, b = 0, c = 0, , , , g = 0, h = 0] = groups
  const ipv4 = (high: number, low: number) => isPrivateNumber(high * 65_536 + low)
  const begins = (...prefix: number[]) => prefix.every((group, i) => groups[i] === group)
  // An IPv4 address inside of it: mapped, translated (NAT64), 6to4.
  if (begins(0, 0, 0, 0, 0, 0xffff) || begins(0x64, 0xff9b, 0, 0, 0, 0)) return ipv4(g, h)
  if (a === 0x2002) return ipv4(b, c)
  // All others that everybody can reach begin with the bits 001; Teredo, documentation and benchmarks are among them.
  return a >> 13 !== 1 || (a === 0x2001 && (b < 0x200 || b === 0xdb8)) || (a === 0x3fff && b < 0x1000)
}

/** Tells if an IP address, IPv4 or IPv6 without brackets, is none that everybody can reach. */
export function isPrivateAddress(address: string): boolean {
  const groups = groupsOf(address.replace(/%.*$/, ''))
  return groups
    ? isPrivateIpv6(groups.map(group => Number.parseInt(group, 16)))
    : isPrivateNumber(numberOf(address))
}

/**
 * Names of this machine and of local networks: RFC 6761, RFC 6762, RFC 8375, those that ICANN keeps free, and those without a
 * dot, which only a local network knows.
 */
const LOCAL_NAME = /^[^.]+$|\.(?:localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa)$/

/**
 * Tells if the host of an address is none that everybody can reach, as far as its name says: other names may lead to private
 * addresses as well, which only a resolver knows.
 *
 * @param hostname as `URL` gives it, which writes all notations of IPv4 addresses as four decimal numbers
 */
export function isPrivateHost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.+$/, '')
  if (name.startsWith('[')) return isPrivateAddress(name.slice(1, -1))
  return /^\d+(?:\.\d+){3}$/.test(name) ? isPrivateAddress(name) : LOCAL_NAME.test(name)
}
