import type { BaseContext } from '../context.ts'
import { ApiError } from '../lib/errors.ts'

/** The reply of a handler: a status that the route declares, with its body. */
export type Reply<Status extends number = number, Body = unknown> = {
  status: Status
  body: Body
  headers?: Record<string, string>
  /** The version of a single resource, for comparison with `If-Match`. */
  version?: number
}

/** True if a body is a text in UTF-8. */
export const isBytes = (body: unknown): body is Uint8Array<ArrayBuffer> => body instanceof Uint8Array

/** A body that is JSON already. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A serialized resource, and its stored version. */
export type Versioned<Body> = { body: Body; version: number; headers?: Record<string, string> }

export const ok = <Body>(body: Body, headers: Record<string, string> = {}): Reply<200, Body> => ({
  status: 200,
  body,
  headers,
})

export const okVersioned = <Body>(resource: Versioned<Body>): Reply<200, Body> => ({
  status: 200,
  ...resource,
})

/** A reply of 201 with one resource. @param Location its address, absolute */
export const createdReply = <Body>(resource: Versioned<Body>, Location: string): Reply<201, Body> => ({
  status: 201,
  ...resource,
  headers: { Location, ...resource.headers },
})

/** The header of a created resource, with its documentation. */
export const LOCATION = { Location: 'The address of what was created.' }

/**
 * The headers that tell clients of The Events Calendar that they have found its API, for the namespace of the
 * request.
 */
export const apiHeaders = ({ api, site }: BaseContext): Record<string, string> => ({
  'X-TEC-API-VERSION': 'v1',
  'X-TEC-API-ROOT': `${api}/`,
  'X-TEC-API-ORIGIN': site,
})

/** The header of incomplete responses, with its documentation. */
export const SHORTENED = {
  'X-Shortened':
    '`true` if texts, venues, organizers, terms or the dates of series were left out because the response would have become too large.',
}

/** The header of a response, if something was left out. */
export const shortened = (isShortened: boolean | undefined): Record<string, string> =>
  isShortened ? { 'X-Shortened': 'true' } : {}

/**
 * The most characters of a header. Many clients refuse responses whose headers have more than eight or
 * sixteen thousand.
 */
const MAX_HEADER_LENGTH = 4_096

/** True if an address, encoded, is short enough for a header. */
export const fitsHeader = (address: string): boolean => address.length <= MAX_HEADER_LENGTH

/** The error instead of a redirect to an address that is too long for a header. */
export const addressTooLong = (): ApiError =>
  new ApiError('rest_invalid_param', 'The address that this one redirects to is too long.')

/**
 * The `Link` header (RFC 8288); none if the addresses, which repeat all parameters of the request, are too
 * long for it.
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
