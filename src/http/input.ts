import type { Context } from 'hono'
import * as z from 'zod'
import type { AppEnv } from '../env.ts'
import { ApiError, ValidationErrors } from '../lib/errors.ts'
import { parseBrackets, readBody } from './body.ts'
import { dependsOnClock, toExternalId } from './params.ts'
import { check, missingFields } from './validate.ts'

/** The id, slug or external id in a path, which names a resource. */
export type Key = { id: number } | { slug: string } | { externalId: string }

/** The external id in a path; empty if another key is there. */
export const externalIdOf = (key: Key): string => ('externalId' in key ? key.externalId : '')

/** The id in a path; 0, which no resource has, for other keys. */
export const idOf = (key: Key): number => ('id' in key ? key.id : 0)

/** Parameters as the client sent them, by name. */
export type Given = Readonly<Record<string, unknown>>

/** The input of a handler, which depends neither on Hono nor on HTTP. */
export type Input<Query, Body> = {
  key: Key
  query: Query
  /** The known parameters of the query as the client sent them, for links to other pages. */
  given: Given
  body: Body
}

type Fields = Record<string, unknown>

type Declared = {
  query?: z.ZodObject | undefined
  body?: z.ZodObject | undefined
  complete?: boolean | undefined
  /** What follows the key in the path, such as `.ics`. */
  ending?: string
}

const NONE = z.object({})

/**
 * Reads a request. Bad fields don't throw: their errors are returned, because other checks come first.
 *
 * @returns the valid values, the errors of the others, unknown names, and the address for the cache
 */
export async function parseRequest<Q, B>(
  c: Context<AppEnv>,
  { query, body, complete = false, ending = '' }: Declared,
) {
  const errors = new ValidationErrors()
  const rawBody = body ? await attempt(errors, () => readBody(c)) : {}
  const rawQuery = await attempt(errors, () => queryOf(c))
  const missing = body && complete && !errors.any && missingFields(body, rawBody)
  if (missing) errors.fail(missing)
  const checkedQuery = check(query ?? NONE, rawQuery)
  const checkedBody = check(body ?? NONE, rawBody)
  errors.addAll(checkedQuery.errors)
  errors.addAll(checkedBody.errors)
  const given = known(rawQuery, query)
  const path = new URL(c.req.url).pathname.replace(/\/+$/, '')
  const input: Input<Partial<Q>, Partial<B>> = {
    key: keyOf(c, ending),
    // check() returns values of the schemas that the types Q and B come from.
    query: checkedQuery.values as Partial<Q>,
    given,
    body: checkedBody.values as Partial<B>,
  }
  return {
    input,
    errors,
    ignored: ignoredNames([rawQuery, query], [rawBody, body]),
    address: `${path}?${JSON.stringify(given)}`,
    dependsOnClock: query !== undefined && dependsOnClock(query, given),
  }
}

/** The fields of a part of the request; none, and an error, if that part cannot be read. */
async function attempt(errors: ValidationErrors, read: () => Fields | Promise<Fields>): Promise<Fields> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    errors.fail(error)
    return {}
  }
}

/** The key in the path. An id that is too large becomes 0, which no resource has. */
function keyOf(c: Context<AppEnv>, ending: string): Key {
  const { id, slug, external_id } = c.req.param()
  const bare = (key: string): string =>
    key.endsWith(ending) ? key.slice(0, key.length - ending.length) : key
  if (slug !== undefined) return { slug: bare(slug) }
  if (external_id !== undefined) return { externalId: toExternalId(external_id) }
  const number = Number(bare(id ?? ''))
  return { id: Number.isSafeInteger(number) ? number : 0 }
}

function queryOf(c: Context<AppEnv>): Fields {
  const text = new URL(c.req.url).search.slice(1)
  return text === '' ? {} : parseBrackets(text)
}

const known = (raw: Fields, schema: z.ZodObject | undefined): Given =>
  Object.fromEntries(Object.entries(raw).filter(([name]) => schema && Object.hasOwn(schema.shape, name)))

const MOST_IGNORED = 20
const LONGEST_NAME = 64
/** Limit of the header in characters; proxies take a few thousand for all headers together. */
const LONGEST_LIST = 1_000

/** The names in a request that its route doesn't know, encoded for a header. */
function ignoredNames(...parts: [raw: Fields, schema: z.ZodObject | undefined][]): string[] {
  const unknown = parts.flatMap(([raw, schema]) =>
    Object.keys(raw).filter(name => !schema || !Object.hasOwn(schema.shape, name)),
  )
  // Cut first, because a cut may leave half of a surrogate pair.
  const names = unknown
    .slice(0, MOST_IGNORED)
    .map(name => encodeURIComponent(name.slice(0, LONGEST_NAME).toWellFormed()))
  let room = LONGEST_LIST
  return [...new Set(names)].filter(name => {
    room -= name.length + 2
    return room >= 0
  })
}
