import type { DocsContext, Files, RequestContext } from '../context.ts'
import { descriptionOf } from '../http/params.ts'
import type { Route } from '../http/route.ts'
import { Clock } from '../lib/clock.ts'
import { memoizeByObject } from '../lib/memo.ts'
import type { Settings } from '../settings.ts'
import { type DocumentedRoute, openApiDocument } from './openapi.ts'
import { TEMPLATE_PATH } from './template-path.ts'

// The document takes some 40 ms of CPU to make, and an invocation of the free plan has 10. So the build
// writes it into a static file, with names in double braces where the settings, the address and the day
// decide, and the Worker fills these in.

const SITE_NAME = '{{name}}'
const API = '{{api}}'

/** Default values that depend on the context. Every build and every instance finds them in the same order. */
const dependentDefaults = memoizeByObject((routes: readonly Route[]) => [
  ...new Set(
    routes
      .flatMap(({ query, body }) => [query, body])
      .flatMap(object => Object.values(object?.shape ?? {}))
      .map(field => descriptionOf(field).default)
      .filter(fallback => typeof fallback === 'function'),
  ),
])

/** What a document depends on besides the context. Documents of the same routes have the same template. */
const namesOf = (routes: readonly DocumentedRoute[]): string =>
  routes
    .map(({ methods, path, servers = [] }) => [...methods, path, ...servers.map(({ url }) => url)].join(' '))
    .join('\n')

/** The template of a document: a line for each route, an empty one, and the document. */
export function documentTemplate(routes: readonly DocumentedRoute[], settings: Settings): string {
  const defaults: readonly unknown[] = dependentDefaults(routes)
  const document = openApiDocument(routes, {
    api: API,
    clock: new Clock(0),
    settings: { ...settings, siteName: SITE_NAME },
    standIn: fallback => `{{${defaults.indexOf(fallback)}}}`,
  })
  return `${namesOf(routes)}\n\n${JSON.stringify(document)}`
}

const escapedText = (text: string): string => JSON.stringify(text).slice(1, -1)

/**
 * The text of the document; undefined if the template was made for other routes. The settings also decide
 * which routes there are.
 */
export function filledTemplate(
  template: string,
  routes: readonly DocumentedRoute[],
  context: DocsContext,
): string | undefined {
  const names = namesOf(routes)
  if (!template.startsWith(`${names}\n\n`)) return undefined
  const values: Readonly<Record<string, string>> = {
    ...Object.fromEntries(
      dependentDefaults(routes).map((fallback, n) => [n, JSON.stringify(fallback(context))]),
    ),
    [SITE_NAME]: escapedText(context.settings.siteName),
    [API]: escapedText(context.api),
  }
  return template
    .slice(names.length + 2)
    .replace(/"\{\{(\d+)\}\}"|\{\{\w+\}\}/g, (standIn, n = standIn) => values[n] ?? standIn)
}

const templates = new WeakMap<Files, string>()

/** The template among the static files, which is read once; undefined where there is none. */
export async function storedTemplate({ files, api }: RequestContext) {
  if (!files) return undefined
  const knownTemplate = templates.get(files)
  if (knownTemplate) return knownTemplate
  const response = await files.fetch(new URL(TEMPLATE_PATH, api))
  if (!response.ok) return undefined
  const template = await response.text()
  templates.set(files, template)
  return template
}
