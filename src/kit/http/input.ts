import type { Context } from 'hono'
import * as z from 'zod/mini'
import { ApiError, ValidationErrors } from '../lib/errors.ts'
import { closestTo } from '../lib/likeness.ts'
import type { Reason } from '../lib/reasons.ts'
import { InvalidValue, toExternalId, withoutTrailingSlashes } from '../lib/values.ts'
import { type BodyLimits, readBody } from './body.ts'
import { MAX_QUERY_PARAMETERS, parseBrackets } from './form-data.ts'
import { descriptionOf, filesOf } from './params.ts'
import { FIELDS_PARAM, type Fields, itemFields, parseFields, strayFields } from './requested-fields.ts'

/** Checked fields: the valid values, the errors of the invalid ones, and the names of the ignored ones. */
type CheckedInput<T> = { values: Partial<T>; errors: ValidationErrors; ignored: string[] }

/**
 * Checks fields or parameters one by one, so that all bad values are reported. Unknown names are ignored, and
 * so is null in fields whose type has no null.
 *
 * @param raw the fields as the client sent them
 */
export function checkInput<T>(
  schema: z.ZodMiniObject & z.ZodMiniType<T>,
  raw: Readonly<Record<string, unknown>>,
): CheckedInput<T> {
  const errors = new ValidationErrors()
  const values: Record<string, unknown> = {}
  const ignored: string[] = []
  for (const [name, field] of Object.entries(schema.shape)) {
    const value = Object.hasOwn(raw, name) ? raw[name] : undefined
    if (value === undefined || (value === null && !takesNull(field))) continue
    const result = z.safeParse(field, value)
    if (result.success) {
      // A value may turn out to mean that there is none.
      if (result.data !== undefined) values[name] = result.data
      continue
    }
    const [issue] = result.error.issues
    if (issue?.code === 'custom' && issue.params?.isIgnored) ignored.push(name)
    else errors.add(name, reasonIn(issue))
  }
  // Each value was made by the schema of its own name.
  return { values: values as Partial<T>, errors, ignored }
}

const takesNull = (field: unknown): boolean => [descriptionOf(field)?.type].flat().includes('null')

/** The reason in an issue, which fields put there. @see field of params.ts */
const reasonIn = (issue: z.core.$ZodIssue | undefined): Reason =>
  // Other issues have no parameters of ours.
  issue?.code === 'custom' ? (issue.params?.reason as Reason) : (issue?.message ?? 'must be valid')

/** The required fields that are absent, as an error that lists them all; undefined if none is. */
export function missingFields(
  schema: z.ZodMiniObject,
  raw: Readonly<Record<string, unknown>>,
): ApiError | undefined {
  const missing = Object.entries(schema.shape)
    .filter(
      ([name, field]) => !(field instanceof z.ZodMiniOptional) && (raw[name] ?? undefined) === undefined,
    )
    .map(([name]) => name)
  if (missing.length === 0) return undefined
  const hint = Object.hasOwn(raw, 0) ? '. The body is a list: POST /batch takes many requests at once' : ''
  const message = `Missing parameter(s): ${missing.join(', ')}${hint}`
  return new ApiError('rest_missing_callback_param', message, { params: missing })
}

/** The id, slug or external id in a path, which names a resource. */
export type ResourceKey = { id: number } | { slug: string } | { externalId: string }

/** The external id in a path; '' for other keys. */
export const externalIdOf = (key: ResourceKey): string => ('externalId' in key ? key.externalId : '')

/** Parameters as the client sent them, by name. */
export type SentParameters = Readonly<Record<string, unknown>>

/** What paths name. A handler gets what its own path names ({@link NamesIn}). */
type PathInput = {
  /** The resource: `{id}`, `{slug}` or `{external_id}`. */
  key: ResourceKey
  /** `{id}`; 0, which no resource has, if it is too large. */
  id: number
  /** The secret, 32 hexadecimal digits. */
  token: string
  /** The second id, which names a part of the resource: `/things/{id}/parts/{part}`. */
  partId: number
}

/** The members of {@link PathInput} that a path has; all, if the compiler does not know the path. */
export type NamesIn<Path extends string> = string extends Path
  ? keyof PathInput
  :
      | (Path extends `${string}{${'id' | 'slug' | 'external_id'}}${string}` ? 'key' : never)
      | (Path extends `${string}{id}${string}` ? 'id' : never)
      | (Path extends `${string}{token}${string}` ? 'token' : never)
      | (Path extends `${string}{id}${string}{${string}}${string}` ? 'partId' : never)

/** What every handler gets of its request. It depends neither on Hono nor on HTTP. */
type RouteInput<Params, Names extends keyof PathInput> = Pick<PathInput, Names> & {
  /** The valid parameters of the address. All parameters are optional. */
  query: Partial<Params>
}

/** What a handler that reads gets. */
export type ReadInput<Params, Names extends keyof PathInput = keyof PathInput> = RouteInput<Params, Names> & {
  /** The known parameters of the query as the client sent them, for links to other pages. */
  sent: SentParameters
  /** The fields that the client requests; undefined for all. No others need to be read. */
  fields: Fields | undefined
}

/** What a handler that writes gets. */
export type WriteInput<Params, Body, Names extends keyof PathInput = keyof PathInput> = RouteInput<
  Params,
  Names
> & { body: Body }

type Raw = Record<string, unknown>

/** What a route declares of its requests. */
export type DeclaredInput = {
  /** The field for a body of bytes. */
  wholeBody?: string | undefined
  /** The limits on the body; by default, those for callers with a role that writes. */
  limits?: BodyLimits | undefined
  query?: z.ZodMiniObject | undefined
  body?: z.ZodMiniObject | undefined
  complete?: boolean | undefined
  /** True if the client may request only some fields of the response. */
  takesFields?: boolean
  /** The name of the list in the response, if it is one. */
  collection?: string | undefined
  /** The schema that the fields are of, if it is not that of the whole response. */
  selectsFields?: z.ZodMiniType | undefined
  responses?: Readonly<Record<number, z.ZodMiniType>>
  /** The ending of the path after the key, such as `.ics`. */
  ending?: string
}

const NO_PARAMETERS = z.object({})

/**
 * Reads a request. Bad fields don't throw: their errors are returned, because other checks come first.
 *
 * @returns the valid values, the errors of all other values, unknown names with their probable meanings, and
 *   the address for the cache
 */
export async function parseRequest<Q, B>(
  c: Pick<Context, 'req'>,
  {
    query,
    body,
    complete = false,
    wholeBody,
    limits,
    ending = '',
    takesFields = false,
    collection,
    responses,
    selectsFields = responses?.[200],
  }: DeclaredInput,
) {
  const errors = new ValidationErrors()
  const rawBody = body
    ? await readOr(errors, () => readBody(c, { fields: filesOf(body), whole: wholeBody, limits }))
    : {}
  const url = new URL(c.req.url)
  const rawQuery = await readOr(errors, () => queryOf(url))
  const missing = body && complete && !errors.hasAny && missingFields(body, rawBody)
  if (missing) errors.fail(missing)
  const checkedQuery = checkInput(query ?? NO_PARAMETERS, rawQuery)
  const checkedBody = checkInput(body ?? NO_PARAMETERS, rawBody)
  errors.addAll(checkedQuery.errors)
  errors.addAll(checkedBody.errors)
  const names = [...Object.keys(query?.shape ?? {}), ...(takesFields ? [FIELDS_PARAM] : [])]
  const fields = Object.keys(body?.shape ?? {})
  const unknownParams = unknownNames(rawQuery, names)
  const unknownFields = unknownNames(rawBody, fields)
  const requested = takesFields ? readFields(rawQuery, errors) : undefined
  const stray = requested && selectsFields ? strayFields(requested, selectsFields, collection) : []
  const sentParameters = withoutUnknown(rawQuery, names)
  const path = withoutTrailingSlashes(url.pathname)
  const key = keyInPath(c, ending)
  const input: ReadInput<Q> & WriteInput<Q, Partial<B>> = {
    key,
    // A path without an id or a token gives 0 or ''.
    id: 'id' in key ? key.id : 0,
    token: c.req.param('token')?.replace(/\.\w+$/, '') ?? '',
    partId: partIdOf(c),
    // checkInput returns values of the schemas that the types Q and B come from.
    query: checkedQuery.values as Partial<Q>,
    sent: sentParameters,
    body: checkedBody.values as Partial<B>,
    fields: itemFields(requested, collection),
  }
  return {
    input,
    errors,
    ignored: namesForHeader([
      ...unknownParams,
      ...unknownFields,
      ...checkedQuery.ignored,
      ...checkedBody.ignored,
      ...stray.map(({ path, name }) => `${FIELDS_PARAM}.${path}${name}`),
    ]),
    meant: shortEnough([
      ...meantBy(unknownParams, names),
      ...meantBy(unknownFields, fields),
      ...stray.slice(0, MAX_IGNORED).flatMap(({ path, name, known }) => meantBy([name], known, path)),
    ]).join(', '),
    address: `${path}?${JSON.stringify(sentParameters)}`,
  }
}

/** The fields of a part of the request; none, and an error, if that part cannot be read. */
async function readOr(errors: ValidationErrors, read: () => Raw | Promise<Raw>): Promise<Raw> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    errors.fail(error)
    return {}
  }
}

function keyInPath(c: Pick<Context, 'req'>, ending: string): ResourceKey {
  const { id, slug, external_id } = c.req.param()
  const withoutSuffix = (key: string): string =>
    key.endsWith(ending) ? key.slice(0, key.length - ending.length) : key
  if (slug !== undefined) return { slug: withoutSuffix(slug) }
  if (external_id !== undefined) return { externalId: toExternalId(external_id) }
  return { id: idInPath(withoutSuffix(id ?? '')) }
}

/** The id in the path that is not the resource's key. */
function partIdOf(c: Pick<Context, 'req'>): number {
  const { id: _, slug: _slug, external_id: _externalId, token: _token, ...others } = c.req.param()
  return idInPath(Object.values(others)[0])
}

/** The id in a text. An id that is too large becomes 0, which no resource has. */
export const idInPath = (text = ''): number => (Number.isSafeInteger(Number(text)) ? Number(text) : 0)

const queryOf = ({ search }: URL): Raw =>
  search.length > 1 ? parseBrackets(search.slice(1), MAX_QUERY_PARAMETERS) : {}

const withoutUnknown = (raw: Raw, names: readonly string[]): SentParameters =>
  Object.fromEntries(Object.entries(raw).filter(([name]) => names.includes(name)))

function readFields(raw: Raw, errors: ValidationErrors): Fields | undefined {
  if (!Object.hasOwn(raw, FIELDS_PARAM)) return undefined
  try {
    return parseFields(raw[FIELDS_PARAM])
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error
    errors.add(FIELDS_PARAM, error.reason)
    return undefined
  }
}

const MAX_IGNORED = 20
const MAX_NAME_LENGTH = 64
/** Limit on the header in characters; proxies accept a few thousand for all headers together. */
const MAX_LIST_LENGTH = 1_000

const unknownNames = (raw: Raw, known: readonly string[]): string[] =>
  Object.keys(raw).filter(name => !known.includes(name))

/** Names that other APIs give to parameters and fields. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  limit: 'per_page',
  count: 'per_page',
  size: 'per_page',
  q: 'search',
  query: 'search',
  from: 'start_date',
  since: 'start_date',
  to: 'end_date',
  until: 'end_date',
  sort: 'orderby',
  category: 'categories',
  lat: 'geoloc_lat',
  lng: 'geoloc_lng',
  lon: 'geoloc_lng',
  radius: 'geoloc_radius',
  name: 'title',
}

/**
 * The names that unknown ones probably mean, such as `limit=per_page`, for a header.
 *
 * @param path where these names are in the response, if they are requested fields
 */
const meantBy = (unknown: readonly string[], known: readonly string[], path?: string): string[] =>
  unknown.slice(0, MAX_IGNORED).flatMap(name => {
    const lower = name.slice(0, MAX_NAME_LENGTH).toLowerCase()
    const otherName = Object.hasOwn(OTHER_NAMES, lower) ? OTHER_NAMES[lower] : undefined
    const meant = otherName !== undefined && known.includes(otherName) ? otherName : closestTo(lower, known)
    if (meant === undefined) return []
    const [prefix, place] = path === undefined ? ['', ''] : [`${FIELDS_PARAM}.${path}`, path]
    return namesForHeader([prefix + name]).map(shortName => `${shortName}=${place}${meant}`)
  })

/** The texts of a list that fit into one header together. */
function shortEnough(texts: readonly string[]): string[] {
  let room = MAX_LIST_LENGTH
  return texts.filter(text => {
    room -= text.length + 2
    return room >= 0
  })
}

/** The names in a request that its route doesn't know, encoded for a header. */
function namesForHeader(ignored: readonly string[]): string[] {
  // Cut first, because a cut may leave half of a surrogate pair.
  const names = ignored
    .slice(0, MAX_IGNORED)
    .map(name => encodeURIComponent(name.slice(0, MAX_NAME_LENGTH).toWellFormed()))
  return shortEnough([...new Set(names)])
}
