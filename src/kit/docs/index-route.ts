import * as z from 'zod/mini'
import type { DocsContext } from '../context.ts'
import { defineRead } from '../http/define-read.ts'
import { withPatterns } from '../http/error-replies.ts'
import { documented, field, oneOf } from '../http/params.ts'
import { apiHeaders, ok } from '../http/reply.ts'
import { siteToday } from '../http/revision.ts'
import type { Method, Route } from '../http/route.ts'
import { memoize, memoizeByObject } from '../lib/memo.ts'
import { InvalidValue, isObject, type Json, withoutSlashes, withoutUndefined } from '../lib/values.ts'
import { bodyFields, pathFields, queryFields } from './operations.ts'
import type { Field } from './schemas.ts'

/**
 * Makes a function that builds a document at most once a day for each address and each set of settings (tests
 * have several). Defaults of dates depend on the day.
 *
 * @param make must use no other part of the context, and get the same other arguments each time
 */
export const memoizeForDay = <T, A extends unknown[]>(
  make: (context: DocsContext, ...others: A) => T,
): ((context: DocsContext, ...others: A) => T) =>
  memoize(make, {
    // Requests determine the origin, so there may be many.
    most: 16,
    by: (context: DocsContext, ..._: A) => [context.settings, context.api, siteToday(context)],
  })

const argSchema = z.looseObject({
  required: z.boolean(),
  type: z.exactOptional(z.union([z.string(), z.array(z.string())])),
  default: z.optional(z.unknown()),
  description: z.exactOptional(z.string()),
  items: z.exactOptional(z.looseObject({})),
  enum: z.exactOptional(z.array(z.string())),
})

type Arg = z.output<typeof argSchema>

const pathSchema = documented(
  z.object({
    namespace: z.string(),
    methods: z.array(z.string()),
    endpoints: z.array(z.object({ methods: z.array(z.string()), args: z.record(z.string(), argSchema) })),
    _links: documented(
      z.exactOptional(z.object({ self: z.array(z.object({ href: z.string() })) })),
      'The address, if it has no variable part.',
    ),
  }),
  { id: 'PathDescription' },
)

/** What this API follows, by a name that can be looked up. */
export const CONTRACT =
  'It speaks the REST API v1 of The Events Calendar, a WordPress plugin (`tribe/events/v1`). Not affiliated with it or its makers.'

const indexSchema = z.lazy(() =>
  documented(
    z.object({
      namespace: z.string(),
      description: z.string(),
      features: z.exactOptional(
        documented(
          z.array(z.string()),
          'The names of the features that are switched on, besides events and what belongs to them.',
        ),
      ),
      routes: z.record(z.string(), pathSchema),
    }),
    { id: 'Index', description: 'The namespace and all its paths.' },
  ),
)

/** A context, and the name of a namespace if it is not the whole path of the API. */
type NamespaceContext = DocsContext & { namespace?: string }

/**
 * The namespace that a request came by, e.g. `calendar/events/v1`. As in WordPress, it doesn't begin with
 * the path of the index of all namespaces, to which clients append the routes.
 */
const describedNamespace = memoizeByObject(({ api, namespace, settings }: NamespaceContext): string => {
  const path = new URL(api).pathname.slice(1)
  const indexPath = `${settings.wordpressRoot}/`
  return namespace ?? (path.startsWith(indexPath) ? path.slice(indexPath.length) : path)
})

/** A path with its variable parts as patterns, in the notation of WordPress: `/events/(?P<id>\d+)`. */
const patternOf = (path: string): string => withPatterns(path, (pattern, name) => `(?P<${name}>${pattern})`)

/** The types of a value and, for lists, of their items, since the index cannot contain references. */
function typesOf({ type, items, anyOf }: Readonly<Json>): { type: unknown; items: unknown } {
  if (!Array.isArray(anyOf)) return { type, items: isObject(items) ? withoutChoice(items) : undefined }
  const choices = anyOf.map(typesOf)
  return {
    type: [...new Set(choices.map(choice => choice.type ?? 'object'))],
    items: choices.find(choice => choice.items)?.items,
  }
}

const withoutChoice = (schema: Readonly<Json>): Readonly<Json> =>
  schema.anyOf ? { type: typesOf(schema).type } : schema

/**
 * The description of a schema in the index, without keywords that have no value, which clients don't expect.
 */
const schemaSummary = memoizeByObject((schema: Json) => {
  const { default: fallback, description, enum: words } = schema
  const { type, items } = typesOf(schema)
  return withoutUndefined({ type, default: fallback, description, items, enum: words })
})

// The keywords of JSON Schema have the types of the arguments.
const argOf = ({ required, schema }: Field): Arg => ({ required, ...schemaSummary(schema) }) as Arg

/** The arguments of a route by name: parts of the path, parameters and body fields. */
function argsOf(route: Route, context: DocsContext): Record<string, Arg> {
  const fields = [...bodyFields(route, context), ...queryFields(route, context), ...pathFields(route)]
  return Object.fromEntries(fields.map(one => [one.name, argOf(one)]))
}

/** Describes one path, from the routes that share it. */
export function describePath(
  path: string,
  routes: readonly Route[],
  context: NamespaceContext,
): z.output<typeof pathSchema> {
  const routesAtPath = routes.filter(route => route.path === path)
  const methods: Method[] = [...new Set(routesAtPath.flatMap(route => route.methods))]
  return {
    namespace: describedNamespace(context),
    methods,
    endpoints: routesAtPath.map(route => ({ methods: [...route.methods], args: argsOf(route, context) })),
    ...(!path.includes('{') && { _links: { self: [{ href: context.api + path }] } }),
  }
}

export const pathsOf = (routes: readonly Route[]): string[] => [...new Set(routes.map(route => route.path))]

/** Descriptions of all paths, by their addresses below the root of the namespaces. */
export const describeAll = (routes: readonly Route[], context: NamespaceContext) =>
  pathsOf(routes).map(
    path =>
      [`/${describedNamespace(context)}${patternOf(path)}`, describePath(path, routes, context)] as const,
  )

const indexParams = z.object({
  namespace: z.optional(
    field(
      raw => {
        if (typeof raw !== 'string') throw new InvalidValue('must be text')
        return withoutSlashes(raw)
      },
      { type: 'string', description: 'The namespace of this address.', default: describedNamespace },
    ),
  ),
  context: z.optional(
    oneOf(['view', 'embed', 'edit'], {
      description: 'What the response is for; it makes no difference.',
      default: 'view',
    }),
  ),
})

/**
 * The route that describes all routes.
 *
 * @param routes called on each request, because this route is one of them
 * @param features the names of the features that are switched on
 */
export function indexRoute(routes: () => readonly Route[], features?: readonly string[]): Route {
  const describe = memoizeForDay((context): Json & z.output<typeof indexSchema> => ({
    namespace: describedNamespace(context),
    description: CONTRACT.replaceAll('`', ''),
    ...(features && { features: [...features] }),
    routes: Object.fromEntries(describeAll(routes(), context)),
  }))
  return defineRead({
    path: '',
    summary: 'Describe this namespace',
    requires: 'read',
    isFixed: true,
    query: indexParams,
    responses: { 200: indexSchema },
    prepare: (context, _, { query: { namespace } }, errors) => {
      if (namespace !== undefined && namespace !== describedNamespace(context))
        errors.add('namespace', `must be ${describedNamespace(context)}`)
    },
    headers: {
      'X-TEC-API-VERSION': 'The version of the API: `v1`.',
      'X-TEC-API-ROOT': 'The address of this namespace.',
      'X-TEC-API-ORIGIN': 'The address of the site.',
    },
    handle: context => ok(describe(context), apiHeaders(context)),
  })
}
