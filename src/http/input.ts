import type { Context } from 'hono'
import * as z from 'zod'
import type { AppEnv } from '../env.ts'
import { ApiError, ValidationErrors } from '../lib/errors.ts'
import { parseBrackets, readBody } from './body.ts'
import { dependsOnClock } from './params.ts'
import { check, missingFields } from './validate.ts'

/** The part of a path that names a resource. */
export type Key = { id: number } | { slug: string }

/** Parameters as the client sent them, by name. */
export type Given = Readonly<Record<string, unknown>>

/** Everything that a request says; handlers know neither Hono nor HTTP. */
export type Input<Query, Body> = {
  key: Key
  query: Query
  /** The query's known parameters as they came, for links that carry them on. */
  given: Given
  body: Body
}

type Fields = Record<string, unknown>

type Declared = {
  query?: z.ZodObject | undefined
  body?: z.ZodObject | undefined
  complete?: boolean | undefined
}

const NONE = z.object({})

/**
 * Reads a request. Bad fields don't throw: the errors are handed over, because other checks come before.
 *
 * @returns the good values, the errors of the others, names that mean nothing here, and the request as a read
 */
export async function parseRequest<Q, B>(c: Context<AppEnv>, { query, body, complete = false }: Declared) {
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
    key: keyOf(c),
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

/** Fields of a part of the request; where that part is unusable, its error and no fields. */
async function attempt(errors: ValidationErrors, read: () => Fields | Promise<Fields>): Promise<Fields> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    errors.fail(error)
    return {}
  }
}

/** An id too large to be one names nothing, as 0 does. */
function keyOf(c: Context<AppEnv>): Key {
  const { id, slug } = c.req.param()
  if (slug !== undefined) return { slug }
  return { id: Number.isSafeInteger(Number(id)) ? Number(id) : 0 }
}

function queryOf(c: Context<AppEnv>): Fields {
  const text = new URL(c.req.url).search.slice(1)
  return text === '' ? {} : parseBrackets(text)
}

const known = (raw: Fields, schema: z.ZodObject | undefined): Given =>
  Object.fromEntries(Object.entries(raw).filter(([name]) => schema && Object.hasOwn(schema.shape, name)))

const MOST_IGNORED = 20
const LONGEST_NAME = 64
/** Characters of the header; servers in between take few thousand for all headers together. */
const LONGEST_LIST = 1_000

/** Names that the request gives and the route doesn't know, fit for a header. */
function ignoredNames(...parts: [raw: Fields, schema: z.ZodObject | undefined][]): string[] {
  const unknown = parts.flatMap(([raw, schema]) =>
    Object.keys(raw).filter(name => !schema || !Object.hasOwn(schema.shape, name)),
  )
  // Cut first, for a cut may leave half of a pair of surrogates.
  const names = unknown
    .slice(0, MOST_IGNORED)
    .map(name => encodeURIComponent(name.slice(0, LONGEST_NAME).toWellFormed()))
  let room = LONGEST_LIST
  return [...new Set(names)].filter(name => {
    room -= name.length + 2
    return room >= 0
  })
}
