import type { Context, Hono } from 'hono'
import * as z from 'zod'
import type { Database } from '../db/client.ts'
import type { AppEnv } from '../env.ts'
import { ApiError, type ErrorCode } from '../lib/errors.ts'
import type { Capability } from '../lib/roles.ts'
import type { View } from '../view.ts'
import { demand } from './auth.ts'
import { parseBrackets, readBody } from './body.ts'
import type { Given } from './lists.ts'
import { type Checked, check, missingFields } from './validate.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What a path may name a resource by. */
export type Key = { id: number } | { slug: string }

/** What a handler gets of a request; it knows neither Hono nor HTTP. */
export type ApiRequest<Query, Body> = {
  db: Database
  view: View
  key: Key
  query: Checked<Query>
  /** The query's known parameters as they came, for links that carry them on. */
  given: Given
  body: Checked<Body>
}

type Answers = Readonly<Record<number, z.ZodType>>

/** A status that the route declares, with the body that belongs to it. */
export type Reply<A extends Answers> = {
  [S in keyof A]: { status: S; body: z.output<A[S]>; headers?: Record<string, string> }
}[keyof A]

/** A schema of fields or parameters, known by what comes out of it. */
export type FieldsSchema<T> = z.ZodObject & z.ZodType<T>

export type NoFields = Record<never, never>

export type RouteDeclaration<Q, B, A extends Answers> = {
  methods: readonly Method[]
  /** Below the namespace, with `{id}` or `{slug}` for the part that names a resource. */
  path: string
  summary: string
  /** What the caller's role must allow before anything else is looked at. */
  requires: Capability
  query?: FieldsSchema<Q>
  body?: FieldsSchema<B>
  /** Whether required body fields must be there; updates name only what they change. */
  complete?: boolean
  answers: A
  /** Headers of good answers that are worth a word, with that word. */
  headers?: Readonly<Record<string, string>>
  /** What browsers get at the same address, if that is a page. */
  page?: string
  /** What can go wrong beside what every route can give. */
  errors: readonly ErrorCode[]
  handle: (request: ApiRequest<Q, B>) => Promise<Reply<A>>
}

/** A declared route: what documents are made of, and how it is put on an app. */
export type Route = Omit<RouteDeclaration<unknown, unknown, Answers>, 'handle' | 'query' | 'body'> & {
  query?: z.ZodObject
  body?: z.ZodObject
  mount: (app: Hono<AppEnv>) => void
}

/** A declared path in Hono's notation. */
export const honoPath = (path: string): string =>
  path.replace('{id}', ':id{[0-9]+}').replace('{slug}', ':slug') || '/'

/**
 * Declares a route: its documentation, its checks and its handler in one place, typed by its own schemas.
 * The order of checks: credentials, role, and then whatever the handler finds, in its order.
 * Bad fields are handed over rather than thrown, because whether the resource exists comes first.
 *
 * @example
 * defineRoute({
 *   methods: ['GET'], path: '/tags/{id}', summary: 'Read one tag', requires: 'read',
 *   answers: { 200: Term }, errors: ['rest-tag-not-found'],
 *   handle: async ({ db, view, key }) => ({ status: 200, body: await readTag(db, view, key) }),
 * })
 */
export function defineRoute<A extends Answers, Q = NoFields, B = NoFields>(
  declaration: RouteDeclaration<Q, B, A>,
): Route {
  const { handle, query, body, ...rest } = declaration
  return {
    ...rest,
    ...(query && { query }),
    ...(body && { body }),
    mount: app => {
      app.on([...declaration.methods], honoPath(declaration.path), async c => {
        demand(c.get('caller'), declaration.requires)
        const raw = queryOf(c)
        const reply = await handle({
          db: c.get('db'),
          view: c.get('view'),
          key: keyOf(c),
          // check() answers by the schema that the types of Q and B come from.
          query: check(query ?? emptySchema, raw) as Checked<Q>,
          given: knownOf(raw, query),
          body: (await checkBody(c, body, declaration.complete ?? false)) as Checked<B>,
        })
        for (const [name, value] of Object.entries(reply.headers ?? {})) c.header(name, value)
        // Statuses of declared answers are ones that carry content.
        return c.json(reply.body, Number(reply.status) as 200)
      })
    },
  }
}

/** An id too large to be one names nothing, as 0 does. */
function keyOf(c: Context<AppEnv>): Key {
  const { id, slug } = c.req.param()
  if (slug !== undefined) return { slug }
  return { id: Number.isSafeInteger(Number(id)) ? Number(id) : 0 }
}

const NO_FIELDS = {}

const emptySchema = z.object({})

function queryOf(c: Context<AppEnv>): Record<string, unknown> {
  const text = new URL(c.req.url).search.slice(1)
  return text === '' ? NO_FIELDS : parseBrackets(text)
}

const knownOf = (raw: Record<string, unknown>, schema: z.ZodObject | undefined): Given =>
  Object.fromEntries(Object.entries(raw).filter(([name]) => schema && Object.hasOwn(schema.shape, name)))

async function checkBody(c: Context<AppEnv>, schema: z.ZodObject | undefined, complete: boolean) {
  if (!schema) return check(emptySchema, NO_FIELDS)
  const raw = await readBody(c).catch((error: unknown) =>
    error instanceof ApiError ? error : Promise.reject(error),
  )
  const failure = raw instanceof ApiError ? raw : complete ? missingFields(schema, raw) : undefined
  const checked = check(schema, raw instanceof ApiError ? NO_FIELDS : raw)
  if (failure) checked.problems.fail(failure)
  return checked
}
