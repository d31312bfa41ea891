import type { ValidationErrors } from './errors.ts'
import { codedReason, MISSING } from './reasons.ts'
import { refuse, toHttpUrl } from './values.ts'

/** The parts between the colons of an address as the URL parser writes it, `2001:db8::1`. */
const ipv6Groups = (text: string): string[] => (text === '' ? [] : text.split(':'))

/**
 * The eight groups of an IPv6 address, in hexadecimal digits without leading zeros; undefined for anything
 * else.
 */
function groupsOf(address: string): string[] | undefined {
  const host = `http://[${address}]`
  if (!address.includes(':') || !URL.canParse(host)) return undefined
  const [frontHalf = '', backHalf = ''] = new URL(host).hostname.slice(1, -1).split('::')
  const first = ipv6Groups(frontHalf)
  const last = ipv6Groups(backHalf)
  return [...first, ...new Array<string>(8 - first.length - last.length).fill('0'), ...last]
}

/**
 * The network of an IP address that may belong to one person: for IPv4 the address alone, for IPv6 its /64,
 * since every connection gets 2^64 addresses. Any other text is returned unchanged.
 */
export function networkOf(address: string): string {
  const groups = groupsOf(address)
  if (!groups) return address
  // IPv4 addresses in IPv6 (::ffff:192.0.2.1) stay whole, because all of them are in one /64.
  return groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
    ? groups.join(':')
    : `${groups.slice(0, 4).join(':')}::/64`
}

/**
 * The wider network around a network of `networkOf`. For IPv6, this is its /56, the most that homes usually
 * get (RIPE-690). Anything else is returned as it is.
 */
export function widerNetworkOf(network: string): string {
  const [, front, last] = /^(.*:)([\da-f]{1,4})::\/64$/.exec(network) ?? []
  return last === undefined ? network : `${front}${(Number.parseInt(last, 16) & 0xff00).toString(16)}::/56`
}

/** The address of a feed, with `https:` instead of `webcal:`, the scheme of calendar programs. */
export const httpAddress = (address: string): string => address.replace(/^webcals?:/i, 'https:')

// https://www.iana.org/assignments/iana-ipv4-special-registry and …/iana-ipv6-special-registry: addresses of
// this machine, of its local network, or of nobody.

/** IPv4 networks: the address, and the number of bits that count. */
const PRIVATE_NETWORKS: readonly (readonly [string, number])[] = [
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

const ipv4Number = (ipv4: string): number =>
  ipv4.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

const isPrivateNumber = (address: number): boolean =>
  PRIVATE_NETWORKS.some(([network, bits]) => {
    const size = 2 ** (32 - bits)
    return Math.floor(address / size) === Math.floor(ipv4Number(network) / size)
  })

function isPrivateIpv6(groups: readonly number[]): boolean {
  const [a = 0, b = 0, c = 0, , , , g = 0, h = 0] = groups
  const isPrivateIpv4 = (high: number, low: number) => isPrivateNumber(high * 65_536 + low)
  const hasPrefix = (...prefix: number[]) => prefix.every((group, i) => groups[i] === group)
  // IPv4 addresses inside IPv6: mapped, translated (NAT64), 6to4.
  if (hasPrefix(0, 0, 0, 0, 0, 0xffff) || hasPrefix(0x64, 0xff9b, 0, 0, 0, 0)) return isPrivateIpv4(g, h)
  if (a === 0x2002) return isPrivateIpv4(b, c)
  // All other public addresses begin with the bits 001, except for Teredo, documentation and benchmarks.
  return a >> 13 !== 1 || (a === 0x2001 && (b < 0x200 || b === 0xdb8)) || (a === 0x3fff && b < 0x1000)
}

/** True if an IP address, IPv4 or IPv6 without brackets, is not public. */
export function isPrivateAddress(address: string): boolean {
  const groups = groupsOf(address.replace(/%.*$/s, ''))
  return groups
    ? isPrivateIpv6(groups.map(group => Number.parseInt(group, 16)))
    : isPrivateNumber(ipv4Number(address))
}

/**
 * Names of this machine and of local networks: RFC 6761, RFC 6762, RFC 8375, names that ICANN has reserved,
 * and names without a dot, which only a local network knows.
 */
const LOCAL_NAME =
  /^[^.]+$|\.(?:localhost|local|localdomain|internal|intranet|lan|home|corp)$|(?:^|\.)home\.arpa$/

/**
 * True if the name of a host shows that the host is not public. Other names may lead to private addresses as
 * well: only a resolver knows.
 *
 * @param hostname as `URL` returns it, which writes every notation of an IPv4 address as four decimal numbers
 */
export function isPrivateHost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/(?<!\.)\.+$/, '')
  if (name.startsWith('[')) return isPrivateAddress(name.slice(1, -1))
  return /^\d+(?:\.\d+){3}$/.test(name) ? isPrivateAddress(name) : LOCAL_NAME.test(name)
}

/** The first port above the reserved ports of system services. */
const FIRST_FREE_PORT = 1024
const WEB_PORTS = ['', '80', '443']

/** True if a port may be a web server's, and not another service's, such as mail. */
export const isWebPort = ({ port }: URL): boolean =>
  WEB_PORTS.includes(port) || Number(port) >= FIRST_FREE_PORT

/** The message for an address with another port. */
export const NO_WEB_PORT = `must have the port 80, 443, or one from ${FIRST_FREE_PORT} on`

/**
 * Reads the address of a server that the calendar sends requests to.
 *
 * @param noLogin the message for an address with a login
 * @throws InvalidValue if it is empty or not valid
 */
export function toOutgoingUrl(raw: string, noLogin = 'must not contain a login'): string {
  const text = toHttpUrl(raw)
  if (text === '') return refuse(MISSING)
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') refuse(codedReason('not_public', noLogin))
  if (!isWebPort(url)) refuse(codedReason('not_public', NO_WEB_PORT))
  url.hash = ''
  return url.href
}

/** Adds an error for an address that visibly leads into a private network, unless the settings allow it. */
export function checkHost(
  { allowsPrivateHosts }: { allowsPrivateHosts: boolean },
  url: string,
  errors: ValidationErrors,
): void {
  if (!allowsPrivateHosts && isPrivateHost(new URL(url).hostname))
    errors.add('url', codedReason('not_public', 'must not lead into a private network'))
}

/** True if the name of a host means this machine. */
export const isLocalHost = (hostname: string): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

/** True if an address belongs to local development, which doesn't use https. */
export const isLocal = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && isLocalHost(hostname)

/** True if browsers keep the cookies that a page at an address sets. */
export const isSecure = (url: URL): boolean => url.protocol === 'https:' || isLocal(url)
