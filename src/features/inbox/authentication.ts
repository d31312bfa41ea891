import type { Header } from 'postal-mime'
import { isMailAddress } from '../../kit/lib/values.ts'
import { headerValues } from './mime.ts'

// Authentication-Results (RFC 8601): what the server that took an e-mail has found out about its sender.
// Anybody can write such a header, so only the header of Cloudflare's server counts. The server puts it above
// all that came with the e-mail.

/** The name by which Email Routing signs its results. */
const AUTHORITY = 'mx.cloudflare.net'

/** The result of one method, with the domains that it is about. */
type MethodResult = { method: string; result: string; properties: ReadonlyMap<string, string> }

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/**
 * True if an e-mail is certainly from the domain of its sender: a signature (DKIM) of that domain is valid,
 * or the server that sent it may send for that domain (SPF), as DMARC demands. A result for the domain above
 * counts as well. A result for a domain below, which may belong to somebody else, only counts if DMARC itself
 * has passed.
 *
 * @param sender the address in `From`
 * @param envelope the address that bounces go to, which SPF is about
 */
export function isAuthentic(
  headers: readonly Header[],
  { sender, envelope }: { sender: string; envelope: string },
): boolean {
  // The server repeats the envelope in its header: with quotes or brackets, an envelope could add results of
  // its own there.
  if (envelope !== '' && !isMailAddress(envelope)) return false
  const statements = headerValues(headers, 'authentication-results').map(readResults)
  if (statements[0]?.authority !== AUTHORITY) return false
  // A second header of the same name that says less was forged, or was there before the e-mail was forwarded.
  return statements
    .filter(({ authority }) => authority === AUTHORITY)
    .every(({ results }) => isAligned(results, domainOf(sender)))
}

function isAligned(results: readonly MethodResult[], domain: string): boolean {
  const passed = results.filter(({ result }) => result === 'pass')
  const hasDmarc = passed.some(
    ({ method, properties }) => method === 'dmarc' && properties.get('header.from') === domain,
  )
  return passed.some(({ method, properties }) => {
    const domainIn = (name: string) => domainOf(properties.get(name) ?? '')
    const provenDomain =
      method === 'dkim'
        ? domainIn('header.d') || domainIn('header.i')
        : method === 'spf'
          ? domainIn('smtp.mailfrom')
          : ''
    if (!provenDomain.includes('.')) return false
    return (
      provenDomain === domain ||
      domain.endsWith(`.${provenDomain}`) ||
      (hasDmarc && provenDomain.endsWith(`.${domain}`))
    )
  })
}

/** Reads a header. Comments are left out, and quoted texts stay together. */
function readResults(value: string): { authority: string; results: MethodResult[] } {
  const [authority = '', ...results] = statementsIn(value)
  return {
    // A version may follow the name.
    authority: authority.split(' ')[0]?.toLowerCase() ?? '',
    results: results.map(statement => {
      const [[method = '', result = ''] = [], ...properties] = statement
        .split(' ')
        .map(text => text.split('='))
      return {
        // The method may have a version, as in dkim/1.
        method: method.split('/')[0] ?? '',
        result,
        // A property counts once, as it was written first.
        properties: new Map(
          properties
            .reverse()
            .map(([name = '', ...valueParts]): [string, string] => [name, valueParts.join('=')]),
        ),
      }
    }),
  }
}

/**
 * The parts between semicolons, in lower case and with single spaces. Whatever is unclear in a header makes
 * it say nothing.
 */
function statementsIn(value: string): string[] {
  const statements = ['']
  let depth = 0
  let isQuoted = false
  const add = (text: string) => statements.push(`${statements.pop()}${text}`)
  for (let i = 0; i < value.length; i++) {
    const char = value[i] ?? ''
    if (char === '\\') i++
    else if (isQuoted) isQuoted = char !== '"'
    else if (depth > 0) depth += char === '(' ? 1 : char === ')' ? -1 : 0
    else if (char === '"') isQuoted = true
    else if (char === '(') depth++
    else if (char === ';') statements.push('')
    else add(char)
  }
  if (depth > 0 || isQuoted) return []
  return statements.map(text => text.replace(/\s+/g, ' ').replace(/ ?= ?/g, '=').trim().toLowerCase())
}
