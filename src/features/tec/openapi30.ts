import type * as z from 'zod/mini'
import type { DocsContext } from '../../kit/context.ts'
import { openApiDocument } from '../../kit/docs/openapi.ts'
import { documentSchema } from '../../kit/docs/routes.ts'
import type { Route } from '../../kit/http/route.ts'
import { capitalized } from '../../kit/lib/text.ts'
import { asObject, isObject } from '../../kit/lib/values.ts'

// The OpenAPI 3.0.4 document of `tec/v1`, which client generators read. It is built like the document of our
// own API.

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
function toOpenApi30(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toOpenApi30)
  if (!isObject(value)) return value
  const {
    examples,
    type,
    const: constant,
    propertyNames: _,
    contentMediaType,
    $ref,
    ...otherKeywords
  } = value
  // A reference has no other keywords next to it.
  if (typeof $ref === 'string') return { $ref }
  const otherParts = Object.fromEntries(
    Object.entries(otherKeywords).map(([name, part]) => [name, toOpenApi30(part)]),
  )
  const isSchema = !isObject(type) && !isObject(constant)
  if (!isSchema) return { ...otherParts, ...(type !== undefined && { type: toOpenApi30(type) }) }
  return {
    ...otherParts,
    ...(Array.isArray(examples)
      ? examples.length > 0 && { example: examples[0] }
      : examples !== undefined && { examples: toOpenApi30(examples) }),
    ...(constant !== undefined && { enum: [constant], type: typeof constant }),
    ...(Array.isArray(type)
      ? { anyOf: type.map(one => ({ type: one, ...(one === 'array' && { items: {} }) })) }
      : type === 'null'
        ? { type: 'string', nullable: true, enum: [null] }
        : type !== undefined && { type }),
    ...(contentMediaType !== undefined && { format: 'binary' }),
  }
}

export const documentResponse = documentSchema('3.0.4', 'TecDocument')

export function openApi30Document(
  routes: readonly Route[],
  context: DocsContext,
): z.output<typeof documentResponse> {
  const { info, paths, ...otherParts } = openApiDocument(routes, context)
  const namedPaths = Object.entries(paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [
        method,
        { ...asObject(toOpenApi30(operation)), operationId: operationName(method, path) },
      ]),
    ),
  ])
  return {
    ...asObject(toOpenApi30(otherParts)),
    openapi: '3.0.4',
    info: { ...info, title: `${context.settings.siteName}: tec/v1`, license: { name: info.license.name } },
    paths: Object.fromEntries(namedPaths),
  }
}
