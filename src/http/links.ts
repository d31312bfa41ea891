/** Characters of a header, at most: many clients refuse responses whose headers have more than eight or sixteen thousand. */
const MOST = 4_096

/** Tells if an address, encoded, is short enough for a header. */
export const fitsHeader = (address: string): boolean => address.length <= MOST

/**
 * The `Link` header (RFC 8288); none if the addresses, which repeat all that the request asked for, are too long for it.
 *
 * @param links addresses by relation
 */
export function linkHeader(
  links: Readonly<Record<string, string | false | undefined>>,
): Record<string, string> {
  const relations = Object.entries(links).flatMap(([rel, address]) =>
    address ? [`<${address}>; rel="${rel}"`] : [],
  )
  const Link = relations.join(', ')
  return Link !== '' && fitsHeader(Link) ? { Link } : {}
}
