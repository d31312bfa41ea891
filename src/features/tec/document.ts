import type * as z from 'zod/mini'
import type { DocsContext } from '../../kit/context.ts'
import { onceADay } from '../../kit/docs/index-route.ts'
import { openApiDocument } from '../../kit/docs/openapi.ts'
import { documentSchema } from '../../kit/docs/routes.ts'
import { ok } from '../../kit/http/reply.ts'
import { defineRoute, type Route } from '../../kit/http/route.ts'
import { capitalized } from '../../kit/lib/text.ts'
import { isObject, type Json } from '../../kit/lib/values.ts'

// The OpenAPI 3.0.4 document of `tec/v1`, which client generators read. It is built like the document of our own API.

const VERBS: Readonly<Record<string, string>> = {
  post: 'create',
  put: 'update',
  patch: 'patch',
  delete: 'delete',
}

/** The plugin's name of an operation: `getEvents`, `getEvent`, `createEvent`. */
function operationName(method: string, path: string): string {
  const plural = capitalized(path.split('/')[1] ?? '')
  const isList = method === 'get' && !path.includes('{')
  return (VERBS[method] ?? 'get') + (isList ? plural : plural.replace(/s$/, ''))
}

/** Converts a part of a schema from JSON Schema 2020-12 to OpenAPI 3.0. */
function older(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(older)
  if (!isObject(value)) return value
  const { examples, type, const: only, propertyNames: _, contentMediaType, $ref, ...rest } = value
  // A reference has no other keywords beside it.
  if (typeof $ref === 'string') return { $ref }
  const others = Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, older(part)]))
  const isSchema = !isObject(type) && !isObject(only)
  if (!isSchema) return { ...others, ...(type !== undefined && { type: older(type) }) }
  return {
    ...others,
    ...(Array.isArray(examples)
      ? examples.length > 0 && { example: examples[0] }
      : examples !== undefined && { examples: older(examples) }),
    ...(only !== undefined && { enum: [only], type: typeof only }),
    ...(Array.isArray(type)
      ? { anyOf: type.map(one => ({ type: one, ...(one === 'array' && { items: {} }) })) }
      : type === 'null'
        ? { type: 'string', nullable: true, enum: [null] }
        : type !== undefined && { type }),
    ...(contentMediaType !== undefined && { format: 'binary' }),
  }
}

const schema = documentSchema('3.0.4', 'TecDocument')

export function olderDocument(routes: readonly Route[], context: DocsContext): z.output<typeof schema> {
  const { info, paths, ...rest } = Object(older(openApiDocument(routes, context)))
  const named = Object.entries<Json>(paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [
        method,
        { ...Object(operation), operationId: operationName(method, path) },
      ]),
    ),
  ])
  return {
    ...rest,
    openapi: '3.0.4',
    info: { ...info, title: `${context.settings.siteName}: tec/v1`, license: { name: info.license.name } },
    paths: Object.fromEntries(named),
  }
}

/**
 * The route that documents the given routes.
 *
 * @param routes called on each request, because this route may be one of them
 */
export function documentRoute(routes: () => readonly Route[]): Route {
  const documentFor = onceADay(context => olderDocument(routes(), context))
  return defineRoute({
    methods: ['GET'],
    path: '/docs',
    subject: 'index',
    summary: 'Document this API',
    requires: 'read',
    isFixed: true,
    responses: { 200: schema },
    handle: context => ok(documentFor(context)),
  })
}
