import type { DocsContext } from '../context.ts'
import type { Route } from '../http/route.ts'
import { fromFeatures } from '../lib/started-features.ts'
import type { Json } from '../lib/values.ts'
import { mergedFields } from '../lib/values.ts'
import { VERSION } from '../settings.ts'
import { errorName, errorResponse, errorSchema, errorsOfRoute } from './documented-errors.ts'
import { CONTRACT } from './index-route.ts'
import { describeOperation, subjectOf } from './operations.ts'
import { type Component, convertSchemas, SHARED_HEADERS } from './schemas.ts'

const DESCRIPTION = `A calendar of events with their venues, organizers, categories and tags. ${CONTRACT}

- **Lists** in a query are comma-separated (\`tags=jazz,folk\`), repeated (\`tags=jazz&tags=folk\`) or bracketed (\`tags[]=jazz\`).
- **Bodies** are JSON or forms; forms nest with brackets (\`venue[venue]=The Barn\`). Unknown names are ignored. An update changes exactly the fields that it names; an empty text or list clears a field.
- **Titles, names** and other lines, such as addresses, are plain text in requests. Responses have them ready for HTML: \`<\` is \`&lt;\`, and \`&\` is \`&amp;\` before what would be an entity; programs that show them as text undo these two.
- **Dates** in responses are \`YYYY-MM-DD HH:MM:SS\`. You can also send ISO 8601, with or without an offset, Unix seconds, or words such as \`tomorrow 9am\`. In ambiguous dates, the month comes first with slashes (\`5/12/2026\` is May 12), and the day with dots or dashes (\`5.12.2026\`, \`5-12-2026\` are December 5).
- **Booleans** may be sent as true and false, 1 and 0, yes and no, on and off.
- **Errors** all have the schema \`Error\`; programs should look at \`code\`.
- \`OPTIONS\` on any address lists its methods in \`Allow\`, and describes them. \`HEAD\` works wherever \`GET\` does.`

const CORE_TAGS: Readonly<Record<string, string>> = {
  index: 'What this API can do.',
  events: 'What is on, when and where.',
  venues: 'Places of events.',
  organizers: 'The people and groups behind events.',
  series: 'Recurring events: what their occurrences share.',
  categories: 'Categories of events, which may have subcategories.',
  tags: 'Keywords of events.',
  duplicates: 'Events that are, or may be, the same as others, for administrators and editors.',
  settings: 'Name, time zone, language and looks of the calendar, for administrators.',
  batch: 'Many writes in one request.',
  media: 'Uploaded images, for users who may edit.',
}

const allTags = fromFeatures(features => mergedFields([CORE_TAGS, ...features.map(({ docTags }) => docTags)]))

const SECURITY_SCHEMES = {
  basic: { type: 'http', scheme: 'basic', description: 'Login and application password.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'The application password alone, as a token.' },
}

const definedValues = <T>(values: Iterable<T | undefined>): T[] =>
  [...values].filter((value): value is T & {} => value !== undefined)

/** Copies the examples of fields in requests to fields of the same name in responses. */
function lendExamples(responses: Record<string, Component>, bodies: Record<string, Component>): void {
  for (const [name, { properties = {} }] of Object.entries(responses)) {
    const fields = bodies[`${name}Fields`]?.properties ?? {}
    for (const [field, schema] of Object.entries(properties))
      if (schema.type === 'string' && fields[field]?.type === 'string' && fields[field].examples)
        schema.examples = fields[field].examples
  }
}

/** A route in a document. Its path is relative to the API's address, or to its own servers. */
export type DocumentedRoute = Route & { servers?: { url: string }[] }

/**
 * The API as an OpenAPI 3.1 document, which is derived from the declared routes alone.
 *
 * @param context determines the address and the defaults
 */
export function openApiDocument(routes: readonly DocumentedRoute[], context: DocsContext) {
  const schemas = {
    bodies: convertSchemas(definedValues(routes.map(route => route.body)), 'input', context),
    responses: convertSchemas(
      [errorSchema, ...routes.flatMap(route => Object.values(route.responses))],
      'output',
      context,
    ),
  }
  lendExamples(schemas.responses.components, schemas.bodies.components)
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.path || '/'
    for (const method of route.methods)
      paths[path] = {
        ...paths[path],
        ...(route.servers && { servers: route.servers }),
        [method.toLowerCase()]: describeOperation(method, route, schemas, context),
      }
  }
  const errors = routes
    .flatMap(errorsOfRoute)
    .map(([status, codes]) => [errorName(status, codes), errorResponse(status, codes)])
  return {
    openapi: '3.1.0' as const,
    info: {
      title: `${context.settings.siteName}: calendar API`,
      version: VERSION,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: context.api }],
    tags: [...new Set(routes.map(subjectOf))].map(name => ({
      name,
      description: allTags()[name] ?? name,
    })),
    paths,
    components: {
      schemas: { ...schemas.responses.components, ...schemas.bodies.components },
      responses: Object.fromEntries(errors),
      headers: SHARED_HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}
